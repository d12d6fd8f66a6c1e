"""Pages from a list of addresses that somebody uploaded: these, and no others. One address in, one SourcePage out.

Reads pages as web.py does and follows no links but redirects. Leaves what a list looks like to `url_list`.
"""

from collections.abc import Iterable
from dataclasses import replace

from crawler.errors import CrawlError, FetchError
from crawler.fetched_page import FetchedPage
from crawler.http import HttpClient
from crawler.scope import Scope
from crawler.sources.types import Opening, SourcePage
from crawler.sources.url_list import UrlList, read_url_list
from crawler.sources.web import WebSource

_NAMED = 5


class ListSource(WebSource):
    """A list of addresses as a source of pages."""

    def __init__(
        self, client: HttpClient, given_url: str, max_pages: int, *, scope: Scope | None = None, listed: bytes = b""
    ) -> None:
        super().__init__(client, given_url, max_pages, scope=scope)
        self._listed = listed
        self._wanted: set[str] = set()

    def open(self) -> Opening:
        """Read the list, and what the site says of itself. Raises CrawlError where it names no page of the site."""
        found = read_url_list(self._listed)
        opening = super().open()
        placed = {url: self.to_site(url) for url in found.urls}
        elsewhere = [url for url, address in placed.items() if not address]
        urls = tuple(dict.fromkeys(filter(None, placed.values())))
        if not urls:
            examples = [*elsewhere, *(f"line {number}, {text!r}" for number, text in found.bad_lines), "it is empty"]
            raise CrawlError(
                f"The list holds no address of {self.site_url}: {examples[0]}. "
                "Upload a text or CSV file with one address of the site a line."
            )
        self._wanted.update(urls)
        notes = (*opening.notes, *_notes(found, elsewhere))
        return replace(opening, sitemap_urls=urls, lastmods={}, has_sitemap=False, notes=notes)

    def recall(self, urls: Iterable[str], redirects: Iterable[str]) -> None:
        """Take in what is known already: a page that a listed one was seen to redirect to is wanted too."""
        self._wanted.update(redirects)
        super().recall(urls, redirects)

    def reason_to_skip(self, url: str) -> str:
        """Why a URL is not to be requested: also what is not on the list, unless something on it redirects there."""
        return super().reason_to_skip(url) if url in self._wanted else "not on the list: it was not asked for"

    def find_urls(self, urls: Iterable[str]) -> list[str]:
        """Of what pages lead to, only what is on the list."""
        return [url for url in super().find_urls(urls) if url in self._wanted]

    def read(self, url: str, answer: FetchedPage | FetchError) -> SourcePage:
        """What the answer means for the page; where a listed page redirects to is wanted too."""
        page = super().read(url, answer)
        if page.redirect_url:
            self._wanted.add(page.redirect_url)
        return page


def _notes(found: UrlList, elsewhere: list[str]) -> list[str]:
    notes = []
    if found.bad_count:
        named = "; ".join(f"line {number}: {text}" for number, text in found.bad_lines[:_NAMED])
        notes.append(f"{found.bad_count} lines of the list hold no address and were passed over: {named}")
    if elsewhere:
        notes.append(f"{len(elsewhere)} addresses of the list are on another site: {', '.join(elsewhere[:_NAMED])}")
    return notes
