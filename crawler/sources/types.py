"""The one shape that every source of pages hands on, whether it crawls, asks an API or reads a file.

Values and the two protocols of sources. Leaves the choice of a source to `registry`, and rows to the loops.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

from crawler.errors import FetchError
from crawler.extraction.types import PageContent
from crawler.fetched_page import FetchedPage


class Outcome(StrEnum):
    READ = "read"
    UNCHANGED = "unchanged"  # the server says so, or nothing on the page differs
    REDIRECT = "redirect"
    SKIPPED = "skipped"
    UNREADABLE = "unreadable"  # nothing that can be read as a page: skipped, unless it was read before
    FAILED = "failed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class SourcePage:
    """What one visit to one URL gave. `reason` reads "kind: detail"; its kind is what figures count by."""

    url: str
    outcome: Outcome
    reason: str = ""
    http_status: int | None = None
    redirect_url: str = ""
    content: PageContent | None = None
    etag: str = ""
    last_modified: str = ""
    source_key: str = ""
    source_sha256: str = ""
    response_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class KnownPage:
    """What a visit may build on: the page's URL, the validators and the raw content's hash of what was read before."""

    url: str
    etag: str = ""
    last_modified: str = ""
    source_sha256: str = ""

    def conditions(self) -> Mapping[str, str]:
        """Headers that ask for the page only if it has changed."""
        headers = {}
        if self.etag:
            headers["If-None-Match"] = self.etag
        if self.last_modified:
            headers["If-Modified-Since"] = self.last_modified
        return headers


@dataclass(frozen=True, slots=True)
class Opening:
    """What is known of a site before its pages are read. `start_url` is where the given address really leads."""

    start_url: str
    given_url: str
    sitemap_urls: tuple[str, ...] = ()
    lastmods: Mapping[str, datetime] = field(default_factory=dict)
    notes: tuple[str, ...] = field(default=())
    has_sitemap: bool = False


class CrawlMemory(Protocol):
    """What the rows tell of earlier crawls and of earlier attempts of this one."""

    def visited_pages(self) -> Iterable[tuple[str, Sequence[str], Callable[[], Iterable[str]]]]:
        """URL, title and texts, and links of the pages that this crawl has read, in the order in which it did."""

    def read_urls(self) -> Iterable[str]:
        """What has been read, in whatever crawl."""

    def skip_reasons(self) -> Iterable[str]:
        """Why addresses were skipped."""

    def redirect_pairs(self) -> Iterable[tuple[str, str]]:
        """Addresses that redirect, and where to."""


class PageSource(Protocol):
    """A source that is asked for one URL at a time and whose pages lead to others: page_loop drives it."""

    site_url: str

    def open(self) -> Opening:
        """Learn what the site says of itself. Raises CrawlError where reading it is pointless."""

    def reason_to_skip(self, url: str) -> str:
        """Why a URL of the site is not to be requested, as "kind: detail"; "" where it is."""

    def to_site(self, url: str) -> str:
        """The normalized URL in the site's own spelling; "" where it is on another site."""

    def recall(self, memory: "CrawlMemory") -> None:
        """Take in what is known of the site's addresses before the first of them is asked for."""

    def find_urls(self, urls: Iterable[str]) -> list[str]:
        """Those of the normalized URLs found on a page that belong to the site, in the site's own spelling, once."""

    def fetch(self, known: KnownPage) -> FetchedPage | FetchError:
        """The answer for a page, or why there is none. Called in threads; touches no database."""

    def read(self, url: str, answer: FetchedPage | FetchError) -> SourcePage:
        """What the answer means. Called in the caller's own thread."""

    def stop(self) -> None:
        """Let no waiting request start any more."""


@dataclass(frozen=True, slots=True)
class BulkPage:
    """One page that a BulkSource hands on. `cursor` names the place behind it: a new attempt goes on from there."""

    cursor: str
    page: SourcePage


@runtime_checkable
class BulkSource(Protocol):
    """A source that hands on its pages whole, in an order of its own: bulk_loop drives it."""

    site_url: str

    def open(self) -> Opening:
        """Learn what the source says of itself. Raises CrawlError where reading it is pointless."""

    def pages(self, known: Callable[[Sequence[str]], Mapping[str, KnownPage]], cursor: str) -> Iterator[BulkPage]:
        """The pages behind `cursor`, "" being the start. `known` gives by source key what is stored of pages.

        What it does not hand on was missed, unless it says Outcome.UNCHANGED of it. Raises CrawlError.
        """

    def look_for(self, missing: Mapping[str, KnownPage]) -> Iterator[BulkPage]:
        """What became of stored pages, by source key, that `pages` did not hand on; the others were missed."""

    def stop(self) -> None:
        """Let no waiting request start any more."""
