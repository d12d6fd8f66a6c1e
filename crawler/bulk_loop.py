"""Stores the pages that a source hands on whole, in its own order. The counterpart of page_loop for BulkSource.

Each batch is written with the source's cursor in one transaction, so that a new attempt goes on behind it. Leaves the
pages to the source, and what becomes of those that it did not hand on to page_losses.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from crawler.crawl_run import CrawlRun
from crawler.errors import CrawlError
from crawler.models import Page, PageStatus
from crawler.page_queue import PageQueue
from crawler.page_store import Visit, store_visits
from crawler.sources.types import BulkPage, BulkSource, KnownPage, Outcome
from crawler.url_normalization import to_site_url

_BATCH = 32
_BATCH_SECONDS = 2.0


@dataclass(slots=True)
class BulkLoop:
    """Reads what a bulk source hands on."""

    source: BulkSource
    queue: PageQueue
    crawl: CrawlRun
    _batch: list[BulkPage] = field(default_factory=list)

    def run(self) -> bool:
        """Read to the source's end; False when the page limit ended it. Raises CrawlError."""
        counts, flushed_at = self.crawl.tally.counts, time.monotonic()
        try:
            for item in self.source.pages(self._known, self.crawl.tally.cursor):
                reads = sum(found.page.outcome in (Outcome.READ, Outcome.UNCHANGED) for found in self._batch)
                if counts.read + reads >= self.crawl.max_pages:
                    self._flush()
                    if counts.read >= self.crawl.max_pages:
                        return False
                self._batch.append(item)
                if len(self._batch) >= _BATCH or time.monotonic() - flushed_at > _BATCH_SECONDS:
                    self._flush()
                    flushed_at = time.monotonic()
            self._flush()
            for item in self.source.look_for(self._missing()):
                self._batch.append(item)
                if len(self._batch) >= _BATCH:
                    self._flush()
            self._flush()
        except CrawlError:
            # What a broken file or an unwell server gave before is as good as any.
            self._flush()
            raise
        finally:
            self.source.stop()
        return True

    def _missing(self) -> Mapping[str, KnownPage]:
        """Stored pages of this source, by key, that it did not hand on."""
        rows = self.queue.waiting().filter(status=PageStatus.READ).exclude(source_key="")
        return {key: KnownPage(url) for key, url in rows.values_list("source_key", "url").iterator()}

    def _known(self, keys: Sequence[str]) -> Mapping[str, KnownPage]:
        if self.crawl.is_full_asked:
            return {}
        rows = Page.objects.filter(site_id=self.crawl.site_id, source_key__in=keys, status=PageStatus.READ)
        columns = ("source_key", "url", "etag", "last_modified", "source_sha256")
        return {key: KnownPage(*values) for key, *values in rows.values_list(*columns)}

    def _flush(self) -> None:
        if self._batch:
            rows = self.queue.rows_of([item.page.url for item in self._batch])
            # A source that changes while it is read may hand on a page twice: the later one counts.
            latest = {item.page.url: item.page for item in self._batch if item.page.url in rows}
            self.crawl.tally.cursor = self._batch[-1].cursor or self.crawl.tally.cursor
            visits = [Visit(rows[url], page) for url, page in latest.items()]
            store_visits(self.crawl, visits, partial(to_site_url, site_url=self.source.site_url))
            self._batch.clear()
        done = self.crawl.live.done
        self.crawl.progress(done, max(done, self.crawl.tally.known), "reading pages")
        waiting = max(0, self.crawl.tally.known - done)
        self.crawl.live.tell(self.queue.rows, waiting, self.crawl.tally.counts.unchanged)
