"""Reads a page of our own in one call, for the tests beside it."""

from crawler.extraction import extract_page
from crawler.extraction.types import PageContent

URL = "https://example.org/guide/tea"


def read(html: str | bytes, **headers: str) -> PageContent:
    """Header names are written with underscores."""
    body = html if isinstance(html, bytes) else html.encode()
    return extract_page(body, URL, {name.replace("_", "-"): value for name, value in headers.items()})


def texts(page: PageContent) -> list[str]:
    return [block.text for block in page.blocks]


def kinds(page: PageContent) -> list[tuple[str, str]]:
    return [(str(block.kind), block.text) for block in page.blocks]


def editorial(page: PageContent) -> set[str]:
    """Paths of the editorial links."""
    return {link.url.removeprefix("https://example.org") for link in page.links if link.is_editorial}
