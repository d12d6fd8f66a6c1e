"""Chooses a site's source of pages by its kind. Leaves reading to the sources, one file each."""

from typing import IO

from crawler.credentials import read_credentials
from crawler.errors import CrawlError
from crawler.http import HttpClient
from crawler.models import Rendering, Site, SourceKind
from crawler.rendering import EmptyPages
from crawler.scope import make_scope
from crawler.sources.list_file import ListSource
from crawler.sources.types import BulkSource, PageSource
from crawler.sources.web import WebSource
from crawler.sources.wordpress.source import WordPressSource
from crawler.sources.wxr import WxrSource


def make_source(site: Site, client: HttpClient) -> PageSource | BulkSource:
    """The site's source, not opened yet. Raises CrawlError for a kind that is not known."""
    credentials = read_credentials(site)
    if credentials:
        client.authorize(
            site.start_url, credentials.request_headers(), are_subdomains_included=site.are_subdomains_included
        )
    scope = make_scope(
        site.include_patterns,
        site.exclude_patterns,
        site.dropped_parameters,
        are_subdomains_included=site.are_subdomains_included,
    )
    if site.source_kind == SourceKind.WEB:
        return _with_browser(site, client, WebSource(client, site.start_url, site.max_pages, scope=scope))
    if site.source_kind == SourceKind.WXR:
        return WxrSource(
            lambda: _open_source_file(site),
            site.start_url,
            scope,
            are_drafts_included=site.are_drafts_included,
        )
    if site.source_kind == SourceKind.WORDPRESS:
        return WordPressSource(
            client,
            site.start_url,
            scope,
            has_password=bool(credentials.password),
            are_drafts_included=site.are_drafts_included,
        )
    if site.source_kind == SourceKind.LIST:
        listed = ListSource(client, site.start_url, site.max_pages, scope=scope, listed=_source_file(site))
        return _with_browser(site, client, listed)
    raise CrawlError(f"{site.source_kind!r} is no source of pages. Choose another in the site's settings.")


def _with_browser(site: Site, client: HttpClient, source: WebSource) -> WebSource:
    """The source, opening pages without text in a browser where the site asks for it."""
    if site.rendering == Rendering.EMPTY:
        source.empty_pages = EmptyPages(client)
    return source


def _source_file(site: Site) -> bytes:
    with _open_source_file(site) as file:
        return file.read()


def _open_source_file(site: Site) -> IO[bytes]:
    try:
        return open(site.source_file.path, "rb")
    except (OSError, ValueError) as error:
        raise CrawlError(f"The file of {site.name} is not there any more. Upload it again in its settings.") from error
