"""The one shape that every source of pages hands on, whether it crawls, asks an API or reads a file. Pure values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from crawler.extraction.types import PageContent


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


@dataclass(frozen=True, slots=True)
class KnownPage:
    """What a visit may build on: the page's URL and the validators of what was read before."""

    url: str
    etag: str = ""
    last_modified: str = ""

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
    notes: tuple[str, ...] = field(default=())
    has_sitemap: bool = False
