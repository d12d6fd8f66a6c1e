"""What the crawler does for others: reads a site. Leaves the steps to their modules, and start addresses to `sites`."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

from django.db import transaction
from django.db.models import Count

from crawler.click_depth import measure_click_depth
from crawler.errors import NothingToRead
from crawler.http import HttpClient, guarded_client
from crawler.leases import Progress, ignore_progress
from crawler.link_resolution import resolve_links
from crawler.models import Crawl, Link, Page, PageStatus, Sentence, Site
from crawler.pacing import Pacer
from crawler.page_loop import PageLoop
from crawler.page_queue import PageQueue
from crawler.page_store import LAST_VISIT_FAILED, Stored, drop_leftovers, restore_lost_pages
from crawler.site_boilerplate import mark_site_boilerplate
from crawler.sites import check_start_url, get_or_create_site
from crawler.sources.registry import make_source
from crawler.sources.types import Opening, PageSource

__all__ = ["check_start_url", "crawl_site", "get_or_create_site"]

Fence = Callable[[], None]


def crawl_site(
    site_id: int,
    crawl_id: int,
    *,
    progress: Progress = ignore_progress,
    fence: Fence = lambda: None,
    client: HttpClient | None = None,
) -> dict[str, Any]:
    """Read the site into rows and return figures. Goes on where an earlier attempt of the same crawl stopped.

    Raises CrawlError, in one sentence, when the site gives nothing; what was there before is then still there.
    """
    site = Site.objects.get(pk=site_id)
    started = time.monotonic()
    pacer = Pacer(site.seconds_between_requests)
    with client or guarded_client(pacer=pacer) as used_client:
        source = cast(PageSource, make_source(site, used_client))
        progress(0, 0, "looking for robots.txt and sitemap")
        opening = source.open()
        queue = PageQueue(site_id, crawl_id, fence, max_rows=10 * site.max_pages + 1000)
        _queue_opening(queue, source, opening)
        tally = _Tally(crawl_id)
        loop = PageLoop(
            source=source,
            queue=queue,
            site_id=site_id,
            crawl_id=crawl_id,
            max_pages=site.max_pages,
            fence=fence,
            progress=progress,
            record=tally.record,
            counts=tally.counts,
        )
        is_complete = loop.run()
    if not tally.counts.with_text:
        sentence = _nothing_to_read(queue, opening)
        restore_lost_pages(site_id, crawl_id, fence)
        raise NothingToRead(sentence)
    done = queue.visited().count()
    progress(done, done, "following links to their ends")
    if opening.has_sitemap:
        queue.mark_in_sitemap(opening.sitemap_urls)
    drop_leftovers(site_id, fence)
    resolve_links(site_id, fence)
    measure_click_depth(site_id, opening.start_url, fence)
    mark_site_boilerplate(site_id, fence=fence)
    notes = list(opening.notes)
    if not is_complete:
        with transaction.atomic():
            fence()
            unread = queue.waiting().filter(status=PageStatus.NEW)
            unread.update(reason=f"not read: the limit is {site.max_pages} pages")
        notes.append(f"The limit of {site.max_pages} pages was reached; more pages are known and were not read.")
    if queue.is_full:
        notes.append("So many addresses were found that not all could be kept; the site may hold a crawler trap.")
    figures = _figures(site_id, queue, tally, notes)
    figures["seconds"] = round(tally.seconds_before + time.monotonic() - started, 1)
    return figures


class _Tally:
    """Counts of one crawl, kept on its row so that they outlive a kill."""

    def __init__(self, crawl_id: int) -> None:
        self._crawl_id = crawl_id
        stored = Crawl.objects.values_list("figures", flat=True).get(pk=crawl_id).get("so_far", {})
        self.counts = Stored(stored.get("read", 0), stored.get("unchanged", 0), stored.get("with_text", 0))
        self.seconds_before = float(stored.get("seconds", 0.0))
        self._started = time.monotonic()

    def record(self, stored: Stored) -> None:
        """Add a batch; call inside its transaction."""
        self.counts.read += stored.read
        self.counts.unchanged += stored.unchanged
        self.counts.with_text += stored.with_text
        so_far = {
            "read": self.counts.read,
            "unchanged": self.counts.unchanged,
            "with_text": self.counts.with_text,
            "seconds": round(self.seconds_before + time.monotonic() - self._started, 1),
        }
        Crawl.objects.filter(pk=self._crawl_id).update(figures={"so_far": so_far})


def _queue_opening(queue: PageQueue, source: PageSource, opening: Opening) -> None:
    """The start page first, and what links lead to, then the sitemap's pages; the same in every attempt."""
    queue.add([opening.start_url])
    queue.add(source.find_urls([opening.given_url]))
    queue.hold_sitemap(opening.sitemap_urls)


def _nothing_to_read(queue: PageQueue, opening: Opening) -> str:
    visited = list(queue.visited().exclude(reason="").values_list("url", "reason")[:1])
    example = f" For example, {visited[0][0]}: {visited[0][1]}." if visited else ""
    return (
        f"No text was found on any page of {opening.start_url}.{example} "
        "Check that the address is right and that its pages hold text without JavaScript."
    )


def _figures(site_id: int, queue: PageQueue, tally: _Tally, notes: list[str]) -> dict[str, Any]:
    by_reason: dict[str, Counter[str]] = {status: Counter() for status in PageStatus.values}
    groups = queue.visited().order_by().values_list("status", "reason").annotate(pages=Count("id"))
    for status, reason, pages in groups:
        by_reason[status][reason.partition(":")[0]] += pages
    kept = by_reason[PageStatus.READ].pop(LAST_VISIT_FAILED, 0)
    if kept:
        by_reason[PageStatus.FAILED][f"{LAST_VISIT_FAILED}, what was read before is kept"] = kept
        notes.append(f"{kept} pages that were known could not be read again; what was read before is kept.")
    return {
        "found": Page.objects.filter(site_id=site_id).count(),
        "read": by_reason[PageStatus.READ].total(),
        "unchanged": tally.counts.unchanged,
        "targets": Page.objects.filter(site_id=site_id, is_target=True).count(),
        "redirects": by_reason[PageStatus.REDIRECT].total(),
        "skipped": dict(by_reason[PageStatus.SKIPPED]),
        "failed": dict(by_reason[PageStatus.FAILED]),
        "gone": by_reason[PageStatus.GONE].total(),
        "links": Link.objects.filter(page__site_id=site_id).count(),
        "sentences": Sentence.objects.filter(page__site_id=site_id).count(),
        "notes": notes,
    }
