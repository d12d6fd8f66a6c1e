"""Opens a web site for reading: where its start address really leads, its robots.txt, its sitemaps.

Everything that can make a whole crawl pointless is found here, before anything is written. Leaves pages to web.py.
"""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime

from crawler.errors import (
    AddressRefused,
    BadResponse,
    BodyTooLarge,
    CrawlError,
    FetchError,
    NothingToRead,
    RobotsUnavailable,
    TooManyRedirects,
)
from crawler.extraction.binary_bodies import is_binary
from crawler.fetched_page import FetchedPage
from crawler.http import HTML_TYPES, HttpClient
from crawler.robots import ROBOTS_MAX_BYTES, RobotsRules, allow_all, parse_robots, robots_url_of
from crawler.scope import Scope
from crawler.sitemaps import MOST_URLS, SITEMAP_MAX_BYTES, SitemapBroken, parse_sitemap
from crawler.sources.types import Opening
from crawler.url_normalization import origin_of, registered_name

_LOCKED = (401, 403)
_USUAL_SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml")
_MAX_SITEMAP_FILES = 2_000
#: So many in a row that cannot be had, each after half a minute perhaps: the rest would keep the crawl for hours.
_MOST_FAILED_SITEMAPS = 10
_MAX_DEPTH = 3
_MAX_NOTES = 20
_MOST_NAMED = 10


def open_web_site(client: HttpClient, given_url: str, max_pages: int, scope: Scope) -> tuple[Opening, RobotsRules]:
    """What the site says of itself. Raises CrawlError, in one sentence, where reading it is pointless."""
    start = client.get(given_url, accept=HTML_TYPES)
    start_url = _settle_start_url(given_url, start)
    if start.is_body_read and is_binary(start.body, start.headers):
        raise NothingToRead(f"{start_url} is not a page of text: its bytes are something else. Check the address.")
    finding = _Finding(scope)
    robots = _read_robots(client, start_url, finding)
    client.pacer.seconds_between_requests = max(client.pacer.seconds_between_requests, robots.crawl_delay)
    _find_sitemap_urls(client, start_url, robots, finding, limit=max(2 * max_pages, 1000))
    if start.status in _LOCKED and not finding.urls:
        raise NothingToRead(what_is_locked(start_url, start.status))
    if start.status != 200:
        said = f"{start_url} answers with HTTP {start.status}"
        if start.status >= 500 or not finding.urls:
            raise NothingToRead(f"{said}, so there is no page to start from. Check the address, or try again later.")
        finding.note(f"{said}; the pages come from the sitemap alone.")
    return (
        Opening(
            start_url=start_url,
            given_url=given_url,
            sitemap_urls=tuple(finding.urls),
            lastmods=finding.lastmods,
            notes=tuple(finding.notes),
            has_sitemap=bool(finding.urls),
        ),
        robots,
    )


def what_is_locked(url: str, status: int) -> str:
    """What to do about a site that lets nobody in."""
    if status == 401:
        return (
            f"{url} answers with HTTP 401: the site asks for a user name and password. Enter them in the site's "
            "settings, or correct the ones that stand there."
        )
    return (
        f"{url} answers with HTTP {status}: the site shuts this crawler out. Let it in by its User-Agent, or enter a "
        "password or a header that opens the site in its settings."
    )


def open_robots(client: HttpClient, url: str) -> tuple[RobotsRules, tuple[str, ...]]:
    """The rules for a site whose pages are known already, obeyed from now on, and what there is to note of them."""
    finding = _Finding(Scope())
    robots = _read_robots(client, url, finding)
    client.pacer.seconds_between_requests = max(client.pacer.seconds_between_requests, robots.crawl_delay)
    return robots, tuple(finding.notes)


def _settle_start_url(given_url: str, start: FetchedPage) -> str:
    """Where the crawl starts: the end of the given URL's redirects, if that is still the site that was meant."""
    end = start.final_url
    if end != given_url and registered_name(end) != registered_name(given_url):
        raise CrawlError(
            f"{given_url} redirects to another site, {end}. Enter that address if it is the site that you mean."
        )
    return end


def _read_robots(client: HttpClient, start_url: str, finding: "_Finding") -> RobotsRules:
    """The site's robots.txt: none (4xx) allows all; server errors forbid all (RFC 9309), so the crawl ends."""
    url = robots_url_of(start_url)
    try:
        answer = client.get(url, max_bytes=20 * ROBOTS_MAX_BYTES)
    except (BodyTooLarge, TooManyRedirects, AddressRefused, BadResponse) as error:
        finding.note(f"robots.txt was passed over: {error}")
        return allow_all()
    if answer.status >= 500 or answer.status == 429:
        raise RobotsUnavailable(
            f"{url} answers with HTTP {answer.status}, so it is not known what may be read. "
            "Try again when the server is well."
        )
    if answer.status != 200:
        return allow_all()
    return parse_robots(answer.body, answer.final_url)


def _named(urls: list[str]) -> str:
    """The first of them, as many as a note holds."""
    return ", ".join(urls[:_MOST_NAMED]) + (", …" if len(urls) > _MOST_NAMED else "")


@dataclass(slots=True)
class _Finding:
    scope: Scope
    urls: dict[str, None] = field(default_factory=dict)
    lastmods: dict[str, datetime] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    failed_in_a_row: int = 0

    def note(self, text: str) -> None:
        if len(self.notes) < _MAX_NOTES:
            self.notes.append(text)


def _find_sitemap_urls(client: HttpClient, start_url: str, robots: RobotsRules, finding: _Finding, limit: int) -> None:
    """Add the URLs of the site that its sitemaps name, in their order; a broken sitemap is noted and passed over."""
    declared = [url for url in robots.sitemaps if finding.scope.place(url, start_url)]
    for url in (url for url in robots.sitemaps if url not in declared):
        finding.note(f"The sitemap {url} was ignored: it is on another site.")
    usual = [origin_of(start_url) + path for path in _USUAL_SITEMAPS]
    waiting = deque((url, 0) for url in declared or usual)
    seen: set[str] = set()
    while waiting and len(finding.urls) < limit and len(seen) < _MAX_SITEMAP_FILES:
        if finding.failed_in_a_row >= _MOST_FAILED_SITEMAPS:
            failed = finding.failed_in_a_row
            finding.note(f"{failed} sitemaps in a row could not be had; {len(waiting)} were not tried.")
            break
        url, depth = waiting.popleft()
        if url in seen or (not declared and finding.urls and depth == 0):
            continue
        seen.add(url)
        children = _read_sitemap(client, url, start_url, finding, is_declared=bool(declared) or depth > 0)
        if depth < _MAX_DEPTH:
            waiting.extend((child, depth + 1) for child in children)
        elif children:
            finding.note(f"The sitemap {url} was not followed further: it is nested more than {_MAX_DEPTH} deep.")
    if waiting and len(seen) >= _MAX_SITEMAP_FILES:
        finding.note(f"Only the first {_MAX_SITEMAP_FILES} sitemap files were read.")
    elif waiting:
        finding.note(f"The sitemaps name more than {limit} URLs; the rest of them was not read. Raise the page limit.")
    if finding.elsewhere:
        number = len(finding.elsewhere)
        finding.note(f"{number} URLs in the sitemap are on another site and were ignored: {_named(finding.elsewhere)}")
    if not finding.urls:
        finding.note("No URL was found in a sitemap; the pages come from links alone.")


def _read_sitemap(client: HttpClient, url: str, start_url: str, finding: _Finding, *, is_declared: bool) -> list[str]:
    """Add one sitemap's pages to the finding; the sitemaps that it names are returned."""
    try:
        answer = client.get(url, max_bytes=SITEMAP_MAX_BYTES)
        if answer.status != 200:
            if is_declared:
                finding.note(f"The sitemap {url} answers with HTTP {answer.status}.")
            return []
        finding.failed_in_a_row = 0
        sitemap = parse_sitemap(answer.body, answer.final_url)
    except FetchError as error:
        finding.failed_in_a_row += 1
        finding.note(f"A sitemap was passed over: {error}")
        return []
    except SitemapBroken as error:
        if is_declared:
            finding.note(f"The sitemap {url} cannot be read: {error}.")
        return []
    if not sitemap.page_urls and not sitemap.child_urls:
        finding.note(f"The sitemap {url} is empty.")
    if sitemap.problem:
        finding.note(f"The sitemap {url} was read in part: {sitemap.problem}.")
    if len(sitemap.page_urls) > MOST_URLS:
        finding.note(f"The sitemap {url} names more than {MOST_URLS} URLs: search engines read no more. Split it.")
    for page_url in sitemap.page_urls:
        if found := finding.scope.place(page_url, start_url):
            finding.urls[found] = None
            if page_url in sitemap.lastmods:
                finding.lastmods[found] = sitemap.lastmods[page_url]
        else:
            finding.elsewhere.append(page_url)
    elsewhere = [child for child in sitemap.child_urls if not finding.scope.place(child, start_url)]
    if elsewhere:
        finding.note(f"{len(elsewhere)} sitemaps were ignored, since they are on another site: {_named(elsewhere)}")
    return [child for child in sitemap.child_urls if finding.scope.place(child, start_url)]
