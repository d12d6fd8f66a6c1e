"""Chooses a site's source of pages by its kind. Leaves reading to the sources, one file each."""

from crawler.credentials import read_credentials
from crawler.errors import CrawlError
from crawler.http import HttpClient
from crawler.models import Rendering, Site, SourceKind
from crawler.rendering import EmptyPages
from crawler.scope import make_scope
from crawler.sources.list_file import ListSource
from crawler.sources.types import BulkSource, PageSource
from crawler.sources.web import WebSource


def make_source(site: Site, client: HttpClient) -> PageSource | BulkSource:
    """The site's source, not opened yet. Raises CrawlError for a kind that is not known."""
    if credentials := read_credentials(site):
        client.authorize(site.start_url, credentials.request_headers())
    scope = make_scope(
        site.include_patterns,
        site.exclude_patterns,
        site.dropped_parameters,
        are_subdomains_included=site.are_subdomains_included,
    )
    if site.source_kind == SourceKind.WEB:
        return _with_browser(site, client, WebSource(client, site.start_url, site.max_pages, scope=scope))
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
    try:
        with site.source_file.open("rb") as file:
            return bytes(file.read())
    except (OSError, ValueError) as error:
        raise CrawlError(f"The file of {site.name} is not there any more. Upload it again in its settings.") from error
