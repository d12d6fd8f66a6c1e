"""What the person who waits is told while a crawl runs: counts by reason, pages a second, an honest time left.

Written to Crawl.live every two seconds. Counts are those of the rows, so that an attempt that goes on where another
was killed shows what was shown before. Leaves the bar of a run to leases, and drawing it to the views.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from django.db.models import Count

from crawler.models import Crawl, Page, PageStatus
from crawler.page_reasons import LAST_VISIT_FAILED, kind_of

_SECONDS = 2.0
_REMEMBERED_SECONDS = 60.0
#: A rate that was measured for less than this is chance.
_MEASURED_SECONDS = 5.0


class LiveProgress:
    """Counts one crawl's visits as they are stored. `seconds_per_page` is the least that politeness allows."""

    def __init__(
        self,
        site_id: int,
        crawl_id: int,
        fence: Callable[[], None],
        seconds_per_page: Callable[[], float] = lambda: 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._crawl_id, self._fence = crawl_id, fence
        self._seconds_per_page, self._clock = seconds_per_page, clock
        self._skipped: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self.done = self._fetched = self._read = 0
        visited = Page.objects.filter(site_id=site_id, last_crawl_id=crawl_id).order_by()
        columns = ("status", "reason", "pending_status", "pending_reason", "http_status")
        groups = visited.values_list(*columns).annotate(pages=Count("id"))
        for status, reason, pending_status, pending_reason, http_status, pages in groups.iterator():
            self._count(status, reason, pending_status, pending_reason, http_status, pages)
        self._told_at = -_SECONDS
        self._marks: deque[tuple[float, int]] = deque([(clock(), self.done)])

    def add(self, pages: Iterable[Page]) -> None:
        """Count pages whose visits have just been stored."""
        for page in pages:
            self._count(page.status, page.reason, page.pending_status, page.pending_reason, page.http_status)
        self._marks.append((self._clock(), self.done))

    def tell(self, found: int, waiting: int, unchanged: int, *, is_last: bool = False) -> None:
        """Write what is known now, unless it was written just before."""
        now = self._clock()
        if now - self._told_at < _SECONDS and not is_last:
            return
        self._told_at = now
        with transaction.atomic():
            self._fence()
            Crawl.objects.filter(pk=self._crawl_id).update(live=self.as_json(found, waiting, unchanged))

    def as_json(self, found: int, waiting: int, unchanged: int) -> dict[str, Any]:
        """The counts as they are stored."""
        rate = self._rate()
        seconds_left = None
        if not waiting:
            seconds_left = 0
        elif rate is not None and rate > 0:
            seconds_left = round(max(waiting / rate, waiting * self._seconds_per_page()))
        return {
            "found": found,
            "fetched": self._fetched,
            "read": self._read,
            "unchanged": unchanged,
            "waiting": waiting,
            "skipped": dict(self._skipped),
            "failed": dict(self._failed),
            "pages_per_second": None if rate is None else round(rate, 2),
            "seconds_left": seconds_left,
        }

    def _rate(self) -> float | None:
        """Pages a second over the last minute, pauses included; None while that would be chance."""
        now = self._clock()
        while len(self._marks) > 1 and now - self._marks[1][0] >= _REMEMBERED_SECONDS:
            self._marks.popleft()
        since, done = self._marks[0]
        return (self.done - done) / (now - since) if now - since >= _MEASURED_SECONDS else None

    def _count(
        self,
        status: str,
        reason: str,
        pending_status: str,
        pending_reason: str,
        http_status: int | None,
        times: int = 1,
    ) -> None:
        if pending_status:
            status, reason = pending_status, pending_reason
        self.done += times
        # Without an answer and without a failure nothing was asked for.
        self._fetched += times if http_status is not None or status != PageStatus.SKIPPED else 0
        if status == PageStatus.SKIPPED:
            self._skipped[kind_of(reason)] += times
        elif status in (PageStatus.FAILED, PageStatus.GONE):
            self._failed[kind_of(reason)] += times
        elif reason.startswith(LAST_VISIT_FAILED):
            self._failed[kind_of(reason.partition(": ")[2])] += times
        elif status == PageStatus.READ:
            self._read += times
