"""Gives a row to addresses that were seen but never asked for, since only nofollow links lead there.

So that every address on a page can be looked up. The queue passes over such rows, and makes new ones of those that a
link to be followed, or a sitemap, names later. Leaves what is followed to page_loop.
"""

from collections.abc import Callable

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from crawler.models import Link, Page, PageStatus
from crawler.page_history import write_events
from crawler.page_reasons import UNFOLLOWED

_CHUNK = 500


def note_unfollowed(site_id: int, crawl_id: int, room: int, fence: Callable[[], None]) -> int:
    """Write rows for at most `room` such addresses; how many there was no room for."""
    known = Page.objects.filter(site_id=site_id, url=OuterRef("target_url"))
    links = Link.objects.filter(~Exists(known), page__site_id=site_id, is_nofollow=True)
    urls = sorted(set(links.values_list("target_url", flat=True).iterator()))
    for start in range(0, min(room, len(urls)), _CHUNK):
        _write(site_id, crawl_id, urls[start : min(start + _CHUNK, room)], fence)
    return max(0, len(urls) - room)


def _write(site_id: int, crawl_id: int, urls: list[str], fence: Callable[[], None]) -> None:
    said = {"status": PageStatus.SKIPPED, "reason": UNFOLLOWED}
    with transaction.atomic():
        fence()
        Page.objects.bulk_create(
            [Page(site_id=site_id, url=url, last_crawl_id=crawl_id, **said) for url in urls], ignore_conflicts=True
        )
        keys = Page.objects.filter(site_id=site_id, url__in=urls, **said).order_by("id").values_list("pk", flat=True)
        now = timezone.now()
        write_events((key, crawl_id, now, PageStatus.SKIPPED, UNFOLLOWED, None) for key in keys)
