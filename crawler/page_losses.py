"""What a crawl may take away, and when: losses wait until it has ended well, and for a person where they are many.

A page that was read keeps its text until the crawl that lost it has found at least 80 % of the known pages, or an
admin has confirmed that the others are gone. Found are pages that were read or have not changed, declared duplicates,
and redirects to a page that was read, each such page once: a site that sends all its addresses to one page is unwell.
What the site's own settings shut out is lost like all else: a pattern with a slip in it must not empty a site. Leaves
single visits to page_store.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from crawler.errors import CrawlHeld
from crawler.frontier import BLOCKED_BY_ROBOTS, TRAP
from crawler.link_resolution import end_of
from crawler.models import Crawl, Link, Page, PageBody, PageStatus, Sentence
from crawler.page_history import write_events
from crawler.page_reasons import LAST_VISIT_FAILED, MISSED, SAME_TEXT

LEAST_SHARE_FOUND = 0.8
#: On a smaller site one deleted page would be a fifth of it: there a crawl is held only if it found nothing again.
_SMALL_SITE = 5
_MISSES = 2
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Finding:
    """How many of the pages that a crawl should have found it did find."""

    known: int
    found: int

    @property
    def is_enough(self) -> bool:
        if self.known < _SMALL_SITE:
            return self.found > 0 or not self.known
        return self.found >= LEAST_SHARE_FOUND * self.known


def hold_if_too_many(site_id: int, crawl: Crawl, known: int, is_complete: bool, fence: Callable[[], None]) -> None:
    """Raises CrawlHeld, and notes it, where the crawl lost too many pages and nobody has confirmed that."""
    finding = find_again(site_id, crawl.pk, known, is_complete)
    is_held = not finding.is_enough and not crawl.are_losses_confirmed
    if is_held or crawl.is_held:
        with transaction.atomic():
            fence()
            Crawl.objects.filter(pk=crawl.pk).update(is_held=is_held)
    if is_held:
        raise CrawlHeld(
            f"Only {finding.found} of the {finding.known} known pages were found again{_shut_out_words(site_id)}, "
            "so nothing was taken away: "
            "pages and suggestions are as they were. Confirm on the site's page, or in a terminal by --confirm-losses, "
            "that the others are gone, or run it again when the site is well."
        )


def find_again(site_id: int, crawl_id: int, known: int, is_complete: bool) -> Finding:
    """Count what the crawl lost of the `known` pages that there were when it began."""
    read = Page.objects.filter(site_id=site_id, status=PageStatus.READ)
    visited = read.filter(last_crawl_id=crawl_id)
    unvisited = _unvisited(read, crawl_id).count()
    pending = visited.exclude(pending_status="")
    lost = pending.count() - _found_elsewhere(site_id, pending)
    lost += visited.filter(pending_status="", reason__startswith=LAST_VISIT_FAILED).count()
    if is_complete:
        lost += unvisited
    else:
        # The page limit ended it: what it did not get to is not lost.
        known -= unvisited
    return Finding(known, max(0, known - lost))


def settle_losses(site_id: int, crawl: Crawl, is_complete: bool, is_whole: bool, fence: Callable[[], None]) -> None:
    """Take away what the crawl lost, once; all in one transaction, with the events of it.

    `is_complete`: every known page had its turn; `is_whole`: and no address had to be left out.
    """
    with transaction.atomic():
        fence()
        if crawl.is_complete is None and is_complete:
            _count_misses(site_id, crawl)
        pending = Page.objects.filter(site_id=site_id).exclude(pending_status="")
        # An older crawl's losses stay as they are where this one did not get to: it never ended well.
        _apply(pending.filter(Q(last_crawl_id=crawl.pk) | Q(pending_reason__startswith=MISSED)), crawl.pk)
        Crawl.objects.filter(pk=crawl.pk).update(is_complete=is_whole)
        crawl.is_complete = is_whole


def restore_lost_pages(site_id: int, crawl_id: int, fence: Callable[[], None]) -> None:
    """Undo what a crawl that found no text at all said of pages that were read before it."""
    lost = Page.objects.filter(site_id=site_id, last_crawl_id=crawl_id).exclude(pending_status="")
    with transaction.atomic():
        fence()
        lost.update(
            pending_status="",
            pending_reason="",
            pending_redirect_url="",
            reason=f"{LAST_VISIT_FAILED}: the site gave no text at all",
        )


def _unvisited(read: QuerySet[Page], crawl_id: int) -> QuerySet[Page]:
    return read.filter(Q(last_crawl__isnull=True) | ~Q(last_crawl_id=crawl_id))


def _shut_out_words(site_id: int) -> str:
    number = _shut_out(Page.objects.filter(site_id=site_id, status=PageStatus.READ)).count()
    return f" ({number} are not to be read by the site's settings)" if number else ""


def _shut_out(pending: QuerySet[Page]) -> QuerySet[Page]:
    """Pages that were not asked for because of what the site's settings say; traps are the crawler's own guess."""
    unasked = pending.filter(pending_status__in=(PageStatus.SKIPPED, PageStatus.REDIRECT), http_status__isnull=True)
    return unasked.exclude(pending_reason__startswith=BLOCKED_BY_ROBOTS).exclude(pending_reason__startswith=TRAP)


def _found_elsewhere(site_id: int, pending: QuerySet[Page]) -> int:
    """Of the lost pages those whose content is still on the site, under another address."""
    duplicates = pending.filter(
        pending_status=PageStatus.REDIRECT, pending_reason__startswith=SAME_TEXT, http_status__isnull=False
    ).count()
    moved = pending.filter(pending_status=PageStatus.REDIRECT, http_status__isnull=False)
    moved = moved.exclude(pending_reason__startswith=SAME_TEXT)
    leads = dict(moved.values_list("url", "pending_redirect_url"))
    if not leads:
        return duplicates
    others = Page.objects.filter(site_id=site_id, status=PageStatus.REDIRECT)
    forwards = dict(others.values_list("url", "redirect_url").iterator()) | leads
    ends = sorted({end for url in leads if (end := end_of(url, forwards))})
    found = 0
    for start in range(0, len(ends), _CHUNK):
        there = Page.objects.filter(site_id=site_id, url__in=ends[start : start + _CHUNK], status=PageStatus.READ)
        found += there.filter(pending_status="").exclude(reason__startswith=LAST_VISIT_FAILED).count()
    return duplicates + found


def _count_misses(site_id: int, crawl: Crawl) -> None:
    """One more complete crawl without these pages; after two in a row they are gone.

    An admin who confirms that the missing pages are gone has the last word: they are gone at once.
    """
    read = Page.objects.filter(site_id=site_id, status=PageStatus.READ, pending_status="")
    failed = read.filter(last_crawl_id=crawl.pk, reason__startswith=LAST_VISIT_FAILED)
    absent = _unvisited(read, crawl.pk)
    misses = _MISSES if crawl.are_losses_confirmed else F("missed_crawls") + 1
    for page in (
        failed.filter(missed_crawls__gte=0 if crawl.are_losses_confirmed else _MISSES - 1)
        .only("id", "reason")
        .iterator()
    ):
        reason = f"{MISSED}: {page.reason.partition(': ')[2]}"[:500]
        Page.objects.filter(pk=page.pk).update(pending_status=PageStatus.GONE, pending_reason=reason)
    failed.update(missed_crawls=F("missed_crawls") + 1)
    absent.update(missed_crawls=misses)
    reason = f"{MISSED}: the source has it no longer"
    absent.filter(missed_crawls__gte=_MISSES).update(
        pending_status=PageStatus.GONE, pending_reason=reason, http_status=None
    )


def _apply(lost: QuerySet[Page], crawl_id: int) -> None:
    columns = ("id", "pending_status", "pending_reason", "http_status")
    rows = list(lost.order_by("id").values_list(*columns))
    now = timezone.now()
    write_events((key, crawl_id, now, status, reason, http) for key, status, reason, http in rows)
    ids = [row[0] for row in rows]
    nothing: dict[str, Any] = {"pending_status": "", "pending_reason": "", "pending_redirect_url": ""}
    for start in range(0, len(ids), _CHUNK):
        chunk = ids[start : start + _CHUNK]
        for content in (Sentence.objects, Link.objects, PageBody.objects):
            content.filter(page_id__in=chunk).delete()
        Page.objects.filter(id__in=chunk).update(
            status=F("pending_status"),
            reason=F("pending_reason"),
            redirect_url=F("pending_redirect_url"),
            is_target=False,
            word_count=0,
            content_sha256="",
            source_sha256="",
            etag="",
            last_modified="",
            missed_crawls=0,
            changed_at=now,
        )
        Page.objects.filter(id__in=chunk).update(**nothing)
