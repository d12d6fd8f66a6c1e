"""Pages from the open web: one URL in, one SourcePage out. Leaves the queue and the rows to services.

`fetch` is for worker threads and touches no database; `read` parses and is for the caller's own thread.
"""

import logging
from collections.abc import Iterable

from crawler.errors import AddressRefused, BodyTooLarge, FetchError
from crawler.extraction import extract_page
from crawler.extraction.binary_bodies import is_binary
from crawler.extraction.types import PageContent
from crawler.fetched_page import FetchedPage
from crawler.frontier import NOT_A_PAGE, on_site, reason_to_skip
from crawler.http import HTML_TYPES, HttpClient
from crawler.robots import RobotsRules, allow_all
from crawler.sources.types import KnownPage, Opening, Outcome, SourcePage
from crawler.sources.web_opening import open_web_site
from crawler.url_normalization import to_site_url

logger = logging.getLogger(__name__)

_GONE = frozenset({404, 410})


class WebSource:
    """A web site as a source of pages."""

    def __init__(self, client: HttpClient, given_url: str, max_pages: int) -> None:
        self._client = client
        self._given_url = given_url
        self._max_pages = max_pages
        self.site_url = given_url
        self.robots: RobotsRules = allow_all()

    def open(self) -> Opening:
        """Learn what the site says of itself. Raises CrawlError where reading it is pointless."""
        opening, self.robots = open_web_site(self._client, self._given_url, self._max_pages)
        self.site_url = opening.start_url
        return opening

    def reason_to_skip(self, url: str) -> str:
        """Why a URL of the site is not to be requested, as "kind: detail"; "" where it is."""
        return reason_to_skip(url, self.robots)

    def find_urls(self, urls: Iterable[str]) -> list[str]:
        """Those of the normalized URLs that are on the site, in the site's own spelling, each once."""
        return on_site(list(urls), self.site_url)

    def stop(self) -> None:
        """Let no waiting request start any more."""
        self._client.pacer.stop()

    def fetch(self, known: KnownPage) -> FetchedPage | FetchError:
        """The server's answer for a page, or why there is none. Safe in threads; redirects are not followed."""
        try:
            answer = self._client.get(known.url, headers=known.conditions(), accept=HTML_TYPES, follow_redirects=False)
            location = answer.location
            if location and location != known.url and to_site_url(location, self.site_url) == known.url:
                # The same page under the site's other scheme or with www: this one address has to be taken as it is.
                return self._client.get(location, accept=HTML_TYPES)
            return answer
        except FetchError as error:
            return error

    def read(self, url: str, answer: FetchedPage | FetchError) -> SourcePage:
        """What the answer means for the page."""
        if isinstance(answer, FetchError):
            outcome = Outcome.UNREADABLE if isinstance(answer, BodyTooLarge | AddressRefused) else Outcome.FAILED
            return SourcePage(url, outcome, f"{answer.kind}: {answer}")
        status = answer.status
        if status == 304:
            return SourcePage(url, Outcome.UNCHANGED, http_status=status)
        if answer.is_redirect:
            return self._read_redirect(url, answer)
        if status in _GONE:
            return SourcePage(url, Outcome.GONE, f"HTTP {status}", status)
        if status != 200:
            return SourcePage(url, Outcome.FAILED, f"HTTP {status}", status)
        if not answer.is_body_read or (not answer.media_type and not _looks_like_html(answer.body)):
            kind = answer.media_type[:80] or "of no known type"
            return SourcePage(url, Outcome.UNREADABLE, f"{NOT_A_PAGE}: it is {kind}", status)
        if is_binary(answer.body, answer.headers):
            return SourcePage(url, Outcome.UNREADABLE, f"{NOT_A_PAGE}: its bytes are not text", status)
        content = extract_content(answer.body, url, answer.headers)
        if isinstance(content, str):
            return SourcePage(url, Outcome.FAILED, content, status)
        return SourcePage(
            url,
            Outcome.READ,
            http_status=status,
            content=content,
            etag=answer.headers.get("etag", "")[:300],
            last_modified=answer.headers.get("last-modified", "")[:100],
        )

    def _read_redirect(self, url: str, answer: FetchedPage) -> SourcePage:
        target = answer.location
        on_site = to_site_url(target, self.site_url) if target else ""
        if not target:
            return SourcePage(url, Outcome.FAILED, "broken redirect: to no http address", answer.status)
        if not on_site:
            reason = f"redirects to another site: {target}"
            return SourcePage(url, Outcome.SKIPPED, reason, answer.status, redirect_url=target)
        if on_site == url:
            return SourcePage(url, Outcome.FAILED, "redirect loop: to itself", answer.status)
        return SourcePage(url, Outcome.REDIRECT, f"redirects: to {on_site}", answer.status, redirect_url=on_site)


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
