"""Pages from a list of addresses that somebody uploaded: these, and no others. One address in, one SourcePage out.

Reads pages as web.py does and follows no links but redirects. Leaves what a list looks like to `url_list`.
"""

from collections.abc import Iterable

from crawler.errors import CrawlError, FetchError
from crawler.fetched_page import FetchedPage
from crawler.http import HttpClient
from crawler.scope import Scope
from crawler.sources.types import CrawlMemory, Opening, Outcome, SourcePage
from crawler.sources.url_list import UrlList, read_url_list
from crawler.sources.web import WebSource
from crawler.sources.web_opening import open_robots

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
        rules, noted = open_robots(self._client, self._given_url)
        self.robots.keep(self._given_url, rules)
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
        # The start page is read if it is on the list: find_urls knows.
        notes = (*noted, *_notes(found, elsewhere))
        return self._with_browser(Opening(self._given_url, self._given_url, sitemap_urls=urls, notes=notes))

    def recall(self, memory: CrawlMemory) -> None:
        """Take in what is known already: a page that a listed one was seen to redirect to is wanted too."""
        leads = dict(memory.redirect_pairs())
        # What is stored of a chain is its end alone: what leads there may stand in the middle of one.
        for url in tuple(self._wanted):
            while (url := leads.get(url, "")) and url not in self._wanted:
                self._wanted.add(url)
        self._wanted.update([url for url, end in leads.items() if end in self._wanted])

    def reason_to_skip(self, url: str) -> str:
        """Why a URL is not to be requested: also what is not on the list, unless something on it redirects there."""
        return super().reason_to_skip(url) if url in self._wanted else "not on the list: nobody asked for it"

    def _reason_of_trap(self, url: str) -> str:
        """None: somebody asked for each of these pages."""
        return ""

    def find_urls(self, urls: Iterable[str]) -> list[str]:
        """Of what pages lead to, only what is on the list."""
        return [url for url in super().find_urls(urls) if url in self._wanted]

    def read(self, url: str, answer: FetchedPage | FetchError) -> SourcePage:
        """What the answer means for the page; where a listed page redirects to is wanted too."""
        page = super().read(url, answer)
        if page.outcome == Outcome.REDIRECT:
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
