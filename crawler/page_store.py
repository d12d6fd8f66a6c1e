"""Writes what visits gave into rows: one batch, one short transaction. Leaves fetching to sources, order to page_loop.

A page that was read before keeps its text when a later visit fails or gives what is no page. Where a visit takes it
away (404, 410, redirects, robots.txt, settings) the loss is only noted, as what the page becomes when its crawl has
ended well: see page_losses. So a crawl that ends badly has destroyed nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from crawler.content_rows import replace_content
from crawler.crawl_run import CrawlRun, Stored
from crawler.duplicates import find_duplicates
from crawler.extraction.page_purpose import CART, DRAFT, LISTING, LOGIN, NOT_FOUND, SEARCH
from crawler.extraction.types import PageContent
from crawler.models import Page, PageStatus
from crawler.page_history import event_row, known_of, write_events
from crawler.page_reasons import (
    ANY_ADDRESS,
    CANONICAL_ELSEWHERE,
    LAST_VISIT_FAILED,
    LEADS_BACK,
    NO_TEXT,
    NOINDEX,
    NOT_FOUND_PAGE,
    SAME_TEXT,
)
from crawler.soft_404 import ANSWERS_ANYTHING
from crawler.sources.types import Outcome, SourcePage

#: by PageContent.purpose
_PURPOSES = {
    LOGIN: "a login page",
    SEARCH: "a search page",
    CART: "a cart or checkout page",
    NOT_FOUND: NOT_FOUND_PAGE,
    ANSWERS_ANYTHING: ANY_ADDRESS,
    LISTING: "a listing of other pages",
    DRAFT: "a draft",
}

_STATUS = {
    Outcome.REDIRECT: PageStatus.REDIRECT,
    Outcome.SKIPPED: PageStatus.SKIPPED,
    Outcome.UNREADABLE: PageStatus.SKIPPED,
    Outcome.FAILED: PageStatus.FAILED,
    Outcome.GONE: PageStatus.GONE,
}
#: The columns that a visit writes.
_VISIT_FIELDS = (
    "status",
    "reason",
    "http_status",
    "redirect_url",
    "canonical_url",
    "is_target",
    "title",
    "h1",
    "description",
    "headings",
    "language",
    "hreflang",
    "word_count",
    "content_sha256",
    "etag",
    "last_modified",
    "source_key",
    "source_sha256",
    "pending_status",
    "pending_reason",
    "pending_redirect_url",
    "missed_crawls",
    "response_seconds",
    "changed_at",
    "last_crawl",
    "fetched_at",
)


@dataclass(frozen=True, slots=True)
class Visit:
    """A page's row and what the visit to it gave."""

    page: Page
    result: SourcePage


def store_visits(run: CrawlRun, visits: Sequence[Visit], to_site: Callable[[str], str]) -> None:
    """Write a batch, its events and its counts in one transaction.

    `to_site`: a URL as the site spells it, "" where it is on another.
    """
    now = timezone.now()
    stored = Stored()
    before = [known_of(visit.page) for visit in visits]
    rewritten: list[tuple[Page, PageContent]] = []
    for visit in visits:
        _apply_visit(visit.page, visit.result)
    with_content = [(visit.page, visit.result.content) for visit in visits if visit.result.content]
    lost = [visit.page.pk for visit in visits if visit.page.pending_status]
    duplicates = find_duplicates(run.site_id, with_content, lost)
    for page, result in ((visit.page, visit.result) for visit in visits):
        page.last_crawl_id = run.crawl_id
        page.fetched_at = now
        is_rewritten = False
        if original := duplicates.get(page.url):
            _mark_duplicate(page, result, original)
        elif result.content is not None and _apply_content(page, result, result.content, to_site):
            is_rewritten = True
            page.changed_at = now
            rewritten.append((page, result.content))
        is_read = page.status == PageStatus.READ and not page.pending_status
        is_read = is_read and not page.reason.startswith(LAST_VISIT_FAILED)
        if is_read:
            page.missed_crawls = 0
        stored.read += is_read
        stored.unchanged += is_read and not is_rewritten
        stored.with_text += is_read and page.word_count > 0
    pages = [visit.page for visit in visits]
    events = [event_row(page, known, run.crawl_id, now) for page, known in zip(pages, before, strict=True)]
    with transaction.atomic():
        run.fence()
        Page.objects.bulk_create(pages, update_conflicts=True, unique_fields=["id"], update_fields=_VISIT_FIELDS)
        replace_content(rewritten, to_site)
        write_events(event for event in events if event)
        run.tally.record(stored)
    run.live.add(pages)


def _apply_visit(page: Page, result: SourcePage) -> None:
    """Set what every visit says, and all that a visit without content says."""
    page.pending_status = page.pending_reason = page.pending_redirect_url = ""
    if result.response_seconds is not None:
        page.response_seconds = result.response_seconds
    if result.source_key:
        page.source_key = result.source_key
    if result.outcome == Outcome.UNCHANGED:
        if page.reason.startswith(LAST_VISIT_FAILED):
            page.reason = ""
        page.source_sha256 = result.source_sha256 or page.source_sha256
        page.last_modified = result.last_modified or page.last_modified
        return
    page.http_status = result.http_status
    if result.content is not None:
        return
    if page.status != PageStatus.READ:
        _become(page, result)
    elif result.outcome in (Outcome.FAILED, Outcome.UNREADABLE):
        # What was there before is still there: the site, not the page, is unwell.
        page.reason = f"{LAST_VISIT_FAILED}: {result.reason}"[:500]
    else:
        page.pending_status, page.pending_reason = _STATUS[result.outcome], result.reason[:500]
        page.pending_redirect_url = result.redirect_url


def _become(page: Page, result: SourcePage) -> None:
    """A page without text is at once what the visit found."""
    is_known_loop = page.status == PageStatus.FAILED and page.reason == LEADS_BACK
    if is_known_loop and result.outcome == Outcome.REDIRECT and page.redirect_url == result.redirect_url:
        # Whether it still leads back to itself is settled at the crawl's end.
        return
    page.status = _STATUS[result.outcome]
    page.reason = result.reason[:500]
    page.redirect_url = result.redirect_url
    page.etag = page.last_modified = page.source_sha256 = ""


def _mark_duplicate(page: Page, result: SourcePage, original: str) -> None:
    reason = f"{SAME_TEXT}: as {original}"[:500]
    if page.status == PageStatus.READ:
        page.pending_status, page.pending_reason, page.pending_redirect_url = PageStatus.REDIRECT, reason, original
    else:
        page.status, page.reason, page.redirect_url = PageStatus.REDIRECT, reason, original


def _apply_content(page: Page, result: SourcePage, content: PageContent, to_site: Callable[[str], str]) -> bool:
    """Set the page's own fields; whether its text and links have to be written again."""
    words = sum(len(sentence.text.split()) for sentence in content.sentences)
    if not words and page.status == PageStatus.READ and page.word_count and not page.missed_crawls:
        # A page without its text may be unwell; one that is so in the next complete crawl too has none any more.
        page.reason = f"{LAST_VISIT_FAILED}: no text was found on it"
        return False
    not_found = _PURPOSES[NOT_FOUND]
    if content.purpose == NOT_FOUND and page.status == PageStatus.READ and page.reason != not_found:
        # HTTP 200 or not: what was there is missed, as by a failed visit.
        page.reason = f"{LAST_VISIT_FAILED}: {not_found}"
        return False
    is_changed = page.status != PageStatus.READ or page.content_sha256 != content.content_sha256
    canonical = to_site(content.canonical_url) or content.canonical_url
    page.status = PageStatus.READ
    page.etag, page.last_modified = result.etag, result.last_modified
    page.source_sha256 = result.source_sha256
    page.redirect_url = ""
    page.canonical_url = canonical
    page.reason = _reason_not_a_target(page.url, content, canonical, words)
    page.is_target = not page.reason
    page.title, page.h1 = content.title[:1000], content.h1[:1000]
    page.description = content.description
    page.headings = list(content.headings)
    page.language = content.language[:12]
    page.hreflang = dict(content.hreflang)
    page.word_count = words
    page.content_sha256 = content.content_sha256
    return is_changed


def _reason_not_a_target(url: str, content: PageContent, canonical: str, words: int) -> str:
    """Why a page that was read may not be recommended; "" where it may."""
    if content.is_noindex:
        return NOINDEX
    if content.purpose:
        return _PURPOSES[content.purpose]
    if canonical and canonical != url:
        return f"{CANONICAL_ELSEWHERE}: {canonical}"[:500]
    return "" if words else NO_TEXT
