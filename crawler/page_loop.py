"""The crawl's loop: several pages are fetched at once in threads, read and stored one after the other in order.

The order is that of discovery, whatever the network does: so a crawl that was killed and taken up again ends with the
rows of an undisturbed one. Threads fetch and nothing else; rows are written between fetches, in short transactions.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillRunning
from dataclasses import dataclass, field

from crawler.errors import FetchError, FetchTimedOut, SiteUnreachable
from crawler.fetched_page import FetchedPage
from crawler.leases import Progress
from crawler.models import Page, PageStatus
from crawler.page_queue import PageQueue
from crawler.page_store import Stored, Visit, store_visits
from crawler.sources.types import KnownPage, Outcome, PageSource, SourcePage

CONNECTIONS = 4
_WINDOW = 24
_BATCH = 32
_BATCH_SECONDS = 2.0
_TICK_SECONDS = 1.0
_MAX_HOPS = 10
#: So many pages in a row without an answer of use: the site has gone down, and the rest would fail likewise.
_DOWN_AFTER = 20
_BUSY = (429, 503)


@dataclass(slots=True)
class PageLoop:
    """Reads the waiting pages of a site."""

    source: PageSource
    queue: PageQueue
    site_id: int
    crawl_id: int
    max_pages: int
    fence: Callable[[], None]
    progress: Progress
    record: Callable[[Stored], None]
    counts: Stored
    _window: deque[tuple[Page, "Future[FetchedPage | FetchError] | str"]] = field(default_factory=deque)
    _batch: list[Visit] = field(default_factory=list)
    _hops: dict[str, int] = field(default_factory=dict)
    _done: int = 0
    _waiting: int = 0
    _down: int = 0
    _flushed_at: float = 0.0

    def run(self) -> bool:
        """Read until nothing waits; False when the page limit ended it. Raises CrawlError when the site goes down."""
        self._done = self.queue.visited().count()
        self._waiting = self.queue.waiting().count()
        self._flushed_at = time.monotonic()
        with ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="fetch") as pool:
            try:
                return self._read_all(pool)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
                self.source.stop()

    def _read_all(self, pool: ThreadPoolExecutor) -> bool:
        pages: Iterator[Page] = self.queue.load()
        while True:
            room = min(_WINDOW, self.max_pages - self.counts.read - self._reads_in_batch()) - len(self._window)
            for _ in range(room):
                if (page := next(pages, None)) is None:
                    break
                reason = self.source.reason_to_skip(page.url)
                self._window.append((page, reason or pool.submit(self.source.fetch, _known(page))))
            if not self._window:
                self._flush()
                pages = self.queue.load()
                if self.counts.read >= self.max_pages:
                    self.queue.add_rest_of_sitemap()
                    return not self.queue.waiting().exists()
                if not self.queue.has_more():
                    added = self.queue.add_from_sitemap()
                    if not added:
                        return True
                    self._waiting += added
                continue
            page, awaited = self._window.popleft()
            self._batch.append(Visit(page, self._result(page, awaited)))
            if len(self._batch) >= _BATCH or time.monotonic() - self._flushed_at > _BATCH_SECONDS:
                self._flush()

    def _reads_in_batch(self) -> int:
        return sum(visit.result.outcome in (Outcome.READ, Outcome.UNCHANGED) for visit in self._batch)

    def _result(self, page: Page, awaited: "Future[FetchedPage | FetchError] | str") -> SourcePage:
        if isinstance(awaited, str):
            return SourcePage(page.url, Outcome.SKIPPED, awaited)
        while True:
            try:
                answer = awaited.result(timeout=_TICK_SECONDS)
                break
            except StillRunning:
                self._report()
        self._watch_health(answer)
        return self._limit_hops(self.source.read(page.url, answer))

    def _watch_health(self, answer: FetchedPage | FetchError) -> None:
        if isinstance(answer, FetchError):
            is_down = isinstance(answer, SiteUnreachable | FetchTimedOut)
        else:
            is_down = answer.status in _BUSY
        self._down = self._down + 1 if is_down else 0
        if self._down >= _DOWN_AFTER:
            said = str(answer) if isinstance(answer, FetchError) else f"it answers with HTTP {answer.status}."
            raise SiteUnreachable(
                f"{self.source.site_url} stopped answering after {self._done} pages: {said} "
                "What was read is kept, and a crawl that is started within a day goes on from there."
            )

    def _limit_hops(self, result: SourcePage) -> SourcePage:
        """A redirect that follows on too many others is not followed further."""
        if result.outcome != Outcome.REDIRECT:
            return result
        hops = self._hops.pop(result.url, 0) + 1
        if hops > _MAX_HOPS:
            reason = f"redirect loop: more than {_MAX_HOPS} redirects in a row"
            return SourcePage(result.url, Outcome.FAILED, reason, result.http_status)
        self._hops[result.redirect_url] = hops
        return result

    def _flush(self) -> None:
        """Write the batch and what it leads to."""
        if self._batch:
            site_url = self.source.site_url
            found = [url for visit in self._batch for url in _leads(visit.result)]
            # First what the pages lead to, then that they were visited: a kill in between loses nothing.
            added = self.queue.add(self.source.find_urls(found))
            store_visits(self.site_id, self.crawl_id, self._batch, site_url, self.fence, self.record)
            self._done += len(self._batch)
            self._waiting += added - len(self._batch)
            self._batch.clear()
        self._flushed_at = time.monotonic()
        self._report()

    def _report(self) -> None:
        done = self._done + len(self._batch)
        total = self._done + max(self._waiting, len(self._batch))
        self.progress(done, max(total, self.queue.sitemap_size), "reading pages")


def _known(page: Page) -> KnownPage:
    """Validators are sent only where what they stand for is still here."""
    has_content = page.status in (PageStatus.READ, PageStatus.REDIRECT)
    return KnownPage(page.url, page.etag, page.last_modified) if has_content else KnownPage(page.url)


def _leads(result: SourcePage) -> list[str]:
    """The URLs that a visit found: those that may be followed."""
    leads = [result.redirect_url] if result.outcome == Outcome.REDIRECT else []
    content = result.content
    if content is None:
        return leads
    if content.canonical_url:
        leads.append(content.canonical_url)
    if not content.is_nofollow:
        leads += [link.url for link in content.links if not link.is_nofollow]
    return leads
