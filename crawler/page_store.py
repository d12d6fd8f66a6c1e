"""Writes what visits gave into rows: one batch, one short transaction. Leaves fetching to sources, order to page_loop.

A page that was read before keeps its text when a later visit fails or gives what is no page; only 404, 410, redirects
and robots.txt take it away, and even then its rows go at the crawl's end (`drop_leftovers`), so that a crawl that ends
badly has destroyed nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from crawler.content_rows import replace_content
from crawler.duplicates import find_duplicates
from crawler.extraction.page_purpose import CART, DRAFT, LISTING, LOGIN, NOT_FOUND, SEARCH
from crawler.extraction.types import PageContent
from crawler.models import Link, Page, PageBody, PageStatus, Sentence
from crawler.sources.types import Outcome, SourcePage
from crawler.url_normalization import to_site_url

NOINDEX = "noindex"
NO_TEXT = "no text"
CANONICAL_ELSEWHERE = "canonical is another page"
LAST_VISIT_FAILED = "last visit failed"
#: by PageContent.purpose
_PURPOSES = {
    LOGIN: "a login page",
    SEARCH: "a search page",
    CART: "a cart or checkout page",
    NOT_FOUND: "says that the page was not found",
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
    "last_crawl",
    "fetched_at",
)


@dataclass(frozen=True, slots=True)
class Visit:
    """A page's row and what the visit to it gave."""

    page: Page
    result: SourcePage


@dataclass(slots=True)
class Stored:
    """How many visits of a batch gave pages, unchanged ones among them, and with text."""

    read: int = 0
    unchanged: int = 0
    with_text: int = 0


def store_visits(
    site_id: int,
    crawl_id: int,
    visits: Sequence[Visit],
    site_url: str,
    fence: Callable[[], None],
    record: Callable[[Stored], None],
) -> None:
    """Write a batch in one transaction; `record` is called in it with the counts."""
    now = timezone.now()
    stored = Stored()
    rewritten: list[tuple[Page, PageContent]] = []
    with_content = [(visit.page, visit.result.content) for visit in visits if visit.result.content]
    duplicates = find_duplicates(site_id, with_content)
    for visit in visits:
        page, result = visit.page, visit.result
        page.last_crawl_id = crawl_id
        page.fetched_at = now
        page.http_status = result.http_status or page.http_status
        if original := duplicates.get(page.url):
            _mark_duplicate(page, result, original)
        elif result.content is None:
            _apply_without_content(page, result)
        elif _apply_content(page, result, result.content, site_url):
            rewritten.append((page, result.content))
        is_read = page.status == PageStatus.READ and not page.reason.startswith(LAST_VISIT_FAILED)
        stored.read += is_read
        stored.unchanged += is_read and not (rewritten and rewritten[-1][0] is page)
        stored.with_text += is_read and page.word_count > 0
    pages = [visit.page for visit in visits]
    with transaction.atomic():
        fence()
        Page.objects.bulk_create(pages, update_conflicts=True, unique_fields=["id"], update_fields=_VISIT_FIELDS)
        replace_content(rewritten, site_url)
        record(stored)


def _apply_without_content(page: Page, result: SourcePage) -> None:
    if result.outcome == Outcome.UNCHANGED:
        if page.reason.startswith(LAST_VISIT_FAILED):
            page.reason = ""
        return
    has_text = page.status == PageStatus.READ
    if has_text and result.outcome in (Outcome.FAILED, Outcome.UNREADABLE):
        # What was there before is still there: the site, not the page, is unwell.
        page.reason = f"{LAST_VISIT_FAILED}: {result.reason}"[:500]
        return
    page.status = _STATUS[result.outcome]
    page.reason = result.reason[:500]
    page.redirect_url = result.redirect_url
    page.etag = page.last_modified = ""


def _mark_duplicate(page: Page, result: SourcePage, original: str) -> None:
    page.status = PageStatus.REDIRECT
    page.reason = f"the same text: as {original}"[:500]
    page.redirect_url = original
    page.etag, page.last_modified = result.etag, result.last_modified


def _apply_content(page: Page, result: SourcePage, content: PageContent, site_url: str) -> bool:
    """Set the page's own fields; whether its text and links have to be written again."""
    words = sum(len(sentence.text.split()) for sentence in content.sentences)
    if not words and page.status == PageStatus.READ and page.word_count:
        page.reason = f"{LAST_VISIT_FAILED}: no text was found on it"
        return False
    is_changed = page.status != PageStatus.READ or page.content_sha256 != content.content_sha256
    canonical = to_site_url(content.canonical_url, site_url) or content.canonical_url
    page.status = PageStatus.READ
    page.etag, page.last_modified = result.etag, result.last_modified
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


def drop_leftovers(site_id: int, fence: Callable[[], None]) -> None:
    """Remove the text and links of pages that are no longer read."""
    lost = Page.objects.filter(site_id=site_id).exclude(status=PageStatus.READ)
    with transaction.atomic():
        fence()
        for rows in (Sentence.objects, Link.objects, PageBody.objects):
            rows.filter(page__in=lost).delete()
        lost.filter(content_sha256__gt="").update(content_sha256="", word_count=0, is_target=False)


def restore_lost_pages(site_id: int, crawl_id: int, fence: Callable[[], None]) -> None:
    """Undo what a crawl that found no text at all said of pages that were read before it."""
    has_body = Exists(PageBody.objects.filter(page_id=OuterRef("pk")))
    lost = Page.objects.filter(has_body, site_id=site_id, last_crawl_id=crawl_id).exclude(status=PageStatus.READ)
    with transaction.atomic():
        fence()
        lost.update(status=PageStatus.READ, reason=f"{LAST_VISIT_FAILED}: the site gave no text at all")
