"""Pages from the open web: one URL in, one SourcePage out. Leaves the queue and the rows to services.

`fetch` is for worker threads and touches no database; `read` parses and is for the caller's own thread.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

from crawler.errors import AddressRefused, BodyTooLarge, FetchError
from crawler.extraction import extract_page
from crawler.extraction.binary_bodies import is_binary
from crawler.extraction.types import PageContent
from crawler.fetched_page import FetchedPage
from crawler.frontier import BLOCKED_BY_ROBOTS, NOT_A_PAGE, reason_to_skip
from crawler.http import HTML_TYPES, HttpClient
from crawler.meta_refresh import refresh_target
from crawler.rendering import EmptyPages
from crawler.scope import OUT_OF_SCOPE, Scope
from crawler.soft_404 import ANSWERS_ANYTHING, NotFoundPage, address_without_page, not_found_page
from crawler.sources.site_robots import SiteRobots
from crawler.sources.types import CrawlMemory, KnownPage, Opening, Outcome, SourcePage
from crawler.sources.web_opening import open_web_site
from crawler.traps import TrapWatch, kinds_of

logger = logging.getLogger(__name__)

_GONE = frozenset({404, 410})


class WebSource:
    """A web site as a source of pages."""

    def __init__(self, client: HttpClient, given_url: str, max_pages: int, *, scope: Scope | None = None) -> None:
        self._client = client
        self._given_url = given_url
        self._max_pages = max_pages
        self.site_url = given_url
        self.scope = scope or Scope()
        self.robots = SiteRobots(client)
        self._traps = TrapWatch()
        #: Addresses that cannot be a trap: the site itself names them, or they were read before.
        self._trusted: set[str] = set()
        self._not_found = NotFoundPage()
        #: Set it before `open`: opens pages without text in a browser.
        self.empty_pages: EmptyPages | None = None

    def open(self) -> Opening:
        """Learn what the site says of itself. Raises CrawlError where reading it is pointless."""
        opening, rules = open_web_site(self._client, self._given_url, self._max_pages, self.scope)
        self.site_url = opening.start_url
        self.robots.keep(opening.start_url, rules)
        self._traps.own_host = urlsplit(opening.start_url).netloc
        self._not_found = self._ask_for_nothing()
        self._trusted.update(url for url in opening.sitemap_urls if kinds_of(url))
        return self._with_browser(opening)

    def _with_browser(self, opening: Opening) -> Opening:
        if self.empty_pages is not None and (obstacle := self.empty_pages.open()):
            return replace(opening, notes=(*opening.notes, obstacle))
        return opening

    def to_site(self, url: str) -> str:
        """The normalized URL in the site's own spelling, without what changes nothing; "" where it is on another."""
        return self.scope.place(url, self.site_url)

    def recall(self, memory: CrawlMemory) -> None:
        """Take in what is known of the site's addresses before the first of them is asked for."""
        self._trusted.update(url for url in memory.read_urls() if kinds_of(url))
        self._traps.recall_refused(memory.skip_reasons())
        for url, texts, links in memory.visited_pages():
            self._note_text(url, texts, links)

    def reason_to_skip(self, url: str) -> str:
        """Why a URL of the site is not to be requested, as "kind: detail"; "" where it is."""
        placed = self.to_site(url)
        if not placed and not self.scope.place(url, self._given_url):
            return f"{OUT_OF_SCOPE}: it is on another host"
        if placed and placed != url:
            return f"redirects: to {placed}, by the site's settings"
        reason = self.scope.reason_to_skip(url, self.site_url) or reason_to_skip(url) or self._reason_of_trap(url)
        return reason or ("" if self.robots.is_allowed(url) else BLOCKED_BY_ROBOTS)

    def _reason_of_trap(self, url: str) -> str:
        return "" if url in self._trusted else self._traps.reason_to_skip(url)

    def _note_text(self, url: str, texts: Sequence[str], links: Callable[[], Iterable[str]]) -> None:
        if url not in self._trusted:
            self._traps.note(url, texts, links)

    def find_urls(self, urls: Iterable[str]) -> list[str]:
        """Those of the normalized URLs that are on the site, in the site's own spelling, each once."""
        return list(dict.fromkeys(filter(None, map(self.to_site, urls))))

    def stop(self) -> None:
        """Let no waiting request start any more."""
        self._client.pacer.stop()
        if self.empty_pages is not None:
            self.empty_pages.close()

    def fetch(self, known: KnownPage) -> FetchedPage | FetchError:
        """The server's answer for a page, or why there is none. Safe in threads; redirects are not followed."""
        try:
            answer = self._client.get(known.url, headers=known.conditions(), accept=HTML_TYPES, follow_redirects=False)
            location = answer.location
            if location and location != known.url and self.to_site(location) == known.url:
                # The same page under the site's other scheme or with www: this one address has to be taken as it is.
                return self._client.get(location, accept=HTML_TYPES)
            return self.empty_pages.fill(answer, self._reason_to_refuse) if self.empty_pages is not None else answer
        except FetchError as error:
            return error

    def _reason_to_refuse(self, url: str) -> str:
        """Why a page in a browser may not have a file of its own site."""
        return BLOCKED_BY_ROBOTS if self.to_site(url) and not self.robots.is_allowed(url) else ""

    def read(self, url: str, answer: FetchedPage | FetchError) -> SourcePage:
        """What the answer means for the page."""
        if isinstance(answer, FetchError):
            outcome = Outcome.UNREADABLE if isinstance(answer, BodyTooLarge | AddressRefused) else Outcome.FAILED
            return SourcePage(url, outcome, f"{answer.kind}: {answer}")
        status = answer.status
        if status == 304:
            return SourcePage(url, Outcome.UNCHANGED, http_status=status)
        if answer.is_redirect:
            return self._read_redirect(url, answer.location, status)
        if status in _GONE:
            return SourcePage(url, Outcome.GONE, f"HTTP {status}", status)
        if status != 200:
            return SourcePage(url, Outcome.FAILED, f"HTTP {status}", status)
        if not answer.is_body_read or (not answer.media_type and not _looks_like_html(answer.body)):
            kind = answer.media_type[:80] or "of no known type"
            return SourcePage(url, Outcome.UNREADABLE, f"{NOT_A_PAGE}: it is {kind}", status)
        if target := refresh_target(answer.body, url):
            return self._read_redirect(url, target, status)
        if is_binary(answer.body, answer.headers):
            return SourcePage(url, Outcome.UNREADABLE, f"{NOT_A_PAGE}: its bytes are not text", status)
        content = extract_content(answer.body, url, answer.headers)
        if isinstance(content, str):
            return SourcePage(url, Outcome.FAILED, content, status)
        if reason := self._reason_of_trap(url):
            # Known by now, and not yet when it was asked for: the verdict goes by the order of visits.
            return SourcePage(url, Outcome.SKIPPED, reason)
        texts = (content.title, *(block.text for block in content.blocks))
        self._note_text(url, texts, partial(self._links_of, content))
        if not content.purpose and self._not_found.is_like(content, url):
            content = replace(content, purpose=ANSWERS_ANYTHING)
        return SourcePage(
            url,
            Outcome.READ,
            http_status=status,
            content=content,
            etag=answer.headers.get("etag", "")[:300],
            last_modified=answer.headers.get("last-modified", "")[:100],
        )

    def _links_of(self, content: PageContent) -> list[str]:
        return self.find_urls(link.url for link in content.links)

    def _ask_for_nothing(self) -> NotFoundPage:
        """What the site says with HTTP 200 where there is no page."""
        url = address_without_page(self.site_url)
        answer = self._text_at(url) if self.robots.is_allowed(url) else None
        if answer is None:
            return NotFoundPage()
        start = self._text_at(self.site_url)
        return not_found_page(answer, url, start, self.site_url) if start is not None else NotFoundPage()

    def _text_at(self, url: str) -> PageContent | None:
        try:
            answer = self._client.get(url, accept=HTML_TYPES, follow_redirects=False)
        except FetchError:
            return None
        content = extract_content(answer.body, url, answer.headers) if answer.status == 200 and answer.body else ""
        return content if isinstance(content, PageContent) else None

    def _read_redirect(self, url: str, target: str, status: int) -> SourcePage:
        on_site = self.to_site(target) if target else ""
        if not target:
            return SourcePage(url, Outcome.FAILED, "broken redirect: to no http address", status)
        if not on_site:
            reason = f"redirects to another site: {target}"
            return SourcePage(url, Outcome.SKIPPED, reason, status, redirect_url=target)
        if on_site == url:
            return SourcePage(url, Outcome.FAILED, "redirect loop: to itself", status)
        return SourcePage(url, Outcome.REDIRECT, f"redirects: to {on_site}", status, redirect_url=on_site)


def extract_content(body: bytes, url: str, headers: dict[str, str]) -> PageContent | str:
    """The page's content, or the reason why it cannot be had: one odd page must not end a crawl."""
    try:
        return extract_page(body, url, headers)
    except Exception as error:
        logger.exception("Extraction of %s failed", url)
        return f"could not be understood: {type(error).__name__}: {error}"


def _looks_like_html(body: bytes) -> bool:
    start = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<!--", b"<?xml"))
