"""One attempt at one crawl, as its loop is handed it: whose rows, within which limits, what counts, whom to tell.

Leaves reading to the loops and the end of a crawl to services.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from crawler.leases import Progress, ignore_progress
from crawler.live_progress import LiveProgress
from crawler.models import Crawl, Page, PageStatus

Fence = Callable[[], None]


@dataclass(slots=True)
class Stored:
    """How many visits of a batch gave pages, unchanged ones among them, and with text."""

    read: int = 0
    unchanged: int = 0
    with_text: int = 0


class Tally:
    """Counts of one crawl, kept on its row so that they outlive a kill. `cursor` is a bulk source's place."""

    def __init__(self, site_id: int, crawl_id: int, fence: Fence) -> None:
        self._crawl_id = crawl_id
        stored = Crawl.objects.values_list("figures", flat=True).get(pk=crawl_id).get("so_far", {})
        self.counts = Stored(stored.get("read", 0), stored.get("unchanged", 0), stored.get("with_text", 0))
        self.seconds_before = float(stored.get("seconds", 0.0))
        self.cursor: str = stored.get("cursor", "")
        #: Hashes of texts that took the place of several pages' own: see same_texts.
        self.same_texts: list[str] = stored.get("same_texts", [])
        self._started = time.monotonic()
        self.known: int = stored.get("known", -1)
        if self.known < 0:
            self.known = Page.objects.filter(site_id=site_id, status=PageStatus.READ).count()
            with transaction.atomic():
                fence()
                self.record(Stored())

    def record(self, stored: Stored) -> None:
        """Add a batch; call inside its transaction."""
        self.counts.read += stored.read
        self.counts.unchanged += stored.unchanged
        self.counts.with_text += stored.with_text
        so_far: dict[str, Any] = {
            "known": self.known,
            "read": self.counts.read,
            "unchanged": self.counts.unchanged,
            "with_text": self.counts.with_text,
            "seconds": round(self.seconds, 1),
        }
        if self.cursor:
            so_far["cursor"] = self.cursor
        if self.same_texts:
            so_far["same_texts"] = self.same_texts
        Crawl.objects.filter(pk=self._crawl_id).update(figures={"so_far": so_far})

    @property
    def seconds(self) -> float:
        """Of all attempts together."""
        return self.seconds_before + time.monotonic() - self._started


@dataclass(slots=True)
class CrawlRun:
    """What every loop works with. `fence` is called inside each write transaction and raises LeaseLost."""

    site_id: int
    crawl_id: int
    max_pages: int
    tally: Tally
    live: LiveProgress
    is_full_asked: bool = False
    fence: Fence = field(default=lambda: None)
    progress: Progress = ignore_progress
