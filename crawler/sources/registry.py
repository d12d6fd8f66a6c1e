"""Chooses a site's source of pages by its kind. Leaves reading to the sources, one file each."""

from crawler.errors import CrawlError
from crawler.http import HttpClient
from crawler.models import Site
from crawler.sources.types import BulkSource, PageSource
from crawler.sources.web import WebSource


def make_source(site: Site, client: HttpClient) -> PageSource | BulkSource:
    """The site's source, not opened yet. Raises CrawlError for a kind that is not known."""
    if site.source_kind == "web":
        return WebSource(client, site.start_url, site.max_pages)
    raise CrawlError(f"{site.source_kind!r} is no source of pages. Choose another in the site's settings.")
