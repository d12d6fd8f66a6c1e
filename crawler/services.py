"""What the crawler does for others: reads a site. Leaves the steps to their modules, and start addresses to `sites`."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Count

from crawler.bulk_loop import BulkLoop
from crawler.click_depth import measure_click_depth
from crawler.crawl_run import CrawlRun, Tally
from crawler.errors import NothingToRead
from crawler.http import HttpClient, guarded_client
from crawler.leases import Progress, ignore_progress
from crawler.link_resolution import resolve_links
from crawler.live_progress import LiveProgress
from crawler.models import Crawl, Link, Page, PageStatus, Sentence, Site
from crawler.not_found_pages import settle_not_found_pages
from crawler.pacing import Pacer
from crawler.page_loop import PageLoop
from crawler.page_losses import hold_if_too_many, restore_lost_pages, settle_losses
from crawler.page_queue import PageQueue
from crawler.page_reasons import LAST_VISIT_FAILED, kind_of
from crawler.same_texts import REASON as SAME_TEXT_REASON
from crawler.site_boilerplate import mark_site_boilerplate
from crawler.sites import check_start_url, get_or_create_site
from crawler.sources.registry import make_source
from crawler.sources.types import BulkSource, Opening
from crawler.unfollowed_links import note_unfollowed

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
    site, crawl = Site.objects.get(pk=site_id), Crawl.objects.get(pk=crawl_id)
    pacer = Pacer(site.seconds_between_requests)
    with client or guarded_client(pacer=pacer) as used_client:
        source = make_source(site, used_client)
        progress(0, 0, "looking for robots.txt and sitemap")
        opening = source.open()
        queue = PageQueue(site_id, crawl_id, fence, max_rows=10 * site.max_pages + 1000)
        run = CrawlRun(
            site_id,
            crawl_id,
            site.max_pages,
            tally=Tally(site_id, crawl_id, fence),
            live=LiveProgress(site_id, crawl_id, fence, lambda: used_client.pacer.seconds_between_requests),
            is_full_asked=crawl.is_full_asked,
            fence=fence,
            progress=progress,
        )
        if isinstance(source, BulkSource):
            is_complete = BulkLoop(source, queue, run).run()
        else:
            is_complete = PageLoop(source, queue, run, opening).run()
    if not run.tally.counts.with_text:
        sentence = _nothing_to_read(queue, opening)
        restore_lost_pages(site_id, crawl_id, fence)
        raise NothingToRead(sentence)
    hold_if_too_many(site_id, crawl, run.tally.known, is_complete, fence)
    _end_crawl(run, queue, opening, crawl, is_complete)
    figures = _figures(site_id, queue, run, _notes(run, queue, opening, is_complete))
    run.live.tell(figures["found"], 0, run.tally.counts.unchanged, is_last=True)
    return figures


def _end_crawl(run: CrawlRun, queue: PageQueue, opening: Opening, crawl: Crawl, is_complete: bool) -> None:
    """What takes all pages of the site together; each step may be done again by a later attempt."""
    site_id, fence = run.site_id, run.fence
    done = queue.visited().count()
    run.progress(done, done, "following links to their ends")
    if opening.has_sitemap:
        queue.mark_in_sitemap(opening.sitemap_urls, opening.lastmods)
    settle_not_found_pages(site_id, fence)
    settle_losses(site_id, crawl, is_complete, is_complete and not queue.left_out, fence)
    resolve_links(site_id, crawl.pk, fence)
    queue.count_left_out(note_unfollowed(site_id, crawl.pk, queue.room, fence))
    measure_click_depth(site_id, opening.start_url, fence)
    mark_site_boilerplate(site_id, fence=fence)
    if not is_complete:
        with transaction.atomic():
            fence()
            unread = queue.waiting().filter(status=PageStatus.NEW)
            unread.update(reason=f"not read: the limit is {run.max_pages} pages")


def _notes(run: CrawlRun, queue: PageQueue, opening: Opening, is_complete: bool) -> list[str]:
    notes = list(opening.notes)
    if not is_complete:
        notes.append(f"The limit of {run.max_pages} pages was reached; more pages are known and were not read.")
    if queue.left_out:
        notes.append(
            f"So many addresses were found that not all could be kept: {queue.left_out} or more were left out, and "
            "cannot be looked up. The site may hold a crawler trap."
        )
    return notes


def _nothing_to_read(queue: PageQueue, opening: Opening) -> str:
    if queue.visited().filter(reason__contains=SAME_TEXT_REASON).exists():
        return (
            f"All pages of {opening.start_url} that were known show one and the same text now, so nothing was taken "
            "from what was read before. The site may be under maintenance: read it again when it is well."
        )
    said = queue.visited().exclude(reason="", pending_reason="").values_list("url", "pending_reason", "reason")
    example = "".join(f" For example, {url}: {pending or reason}." for url, pending, reason in said[:1])
    return (
        f"No text was found on any page of {opening.start_url}.{example} "
        "Check that the address is right. Where scripts make the text, choose “Open in a browser” in the site's "
        "settings."
    )


def _figures(site_id: int, queue: PageQueue, run: CrawlRun, notes: list[str]) -> dict[str, Any]:
    by_reason: dict[str, Counter[str]] = {status: Counter() for status in PageStatus.values}
    groups = queue.visited().order_by().values_list("status", "reason").annotate(pages=Count("id"))
    for status, reason, pages in groups:
        by_reason[status][kind_of(reason)] += pages
    kept = by_reason[PageStatus.READ].pop(LAST_VISIT_FAILED, 0)
    if kept:
        by_reason[PageStatus.FAILED][f"{LAST_VISIT_FAILED}, what was read before is kept"] = kept
        notes.append(f"{kept} pages that were known could not be read again; what was read before is kept.")
    absent = Page.objects.filter(site_id=site_id, status=PageStatus.GONE, events__crawl_id=run.crawl_id)
    return {
        "found": Page.objects.filter(site_id=site_id).count(),
        "read": by_reason[PageStatus.READ].total(),
        "unchanged": run.tally.counts.unchanged,
        "targets": Page.objects.filter(site_id=site_id, is_target=True).count(),
        "redirects": by_reason[PageStatus.REDIRECT].total(),
        "skipped": dict(by_reason[PageStatus.SKIPPED]),
        "failed": dict(by_reason[PageStatus.FAILED]),
        "gone": by_reason[PageStatus.GONE].total() + absent.exclude(last_crawl_id=run.crawl_id).distinct().count(),
        "links": Link.objects.filter(page__site_id=site_id).count(),
        "sentences": Sentence.objects.filter(page__site_id=site_id).count(),
        "notes": notes,
        "seconds": round(run.tally.seconds, 1),
    }
