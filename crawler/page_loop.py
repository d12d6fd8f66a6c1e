"""The crawl's loop: several pages are fetched at once in threads, read and stored one after the other in order.

The order is that of discovery, whatever the network does: so a crawl that was killed and taken up again ends with the
rows of an undisturbed one. Threads fetch and nothing else; rows are written between fetches, in short transactions.
"""

import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillRunning
from dataclasses import dataclass, field, replace

from crawler.crawl_memory import StoredMemory
from crawler.crawl_run import CrawlRun
from crawler.errors import FetchError, FetchTimedOut, SiteUnreachable
from crawler.fetched_page import FetchedPage
from crawler.models import Page, PageBody, PageStatus
from crawler.page_queue import PageQueue
from crawler.page_store import Visit, store_visits
from crawler.raw_content import is_of_this_version, raw_sha256
from crawler.same_texts import LOOKAHEAD, SameTexts
from crawler.same_texts import REASON as SAME_TEXT_REASON
from crawler.sources.types import KnownPage, Opening, Outcome, PageSource, SourcePage

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
    crawl: CrawlRun
    opening: Opening
    same_texts: SameTexts = field(init=False)
    _window: deque[tuple[Page, "Future[FetchedPage | FetchError] | str"]] = field(default_factory=deque)
    _batch: list[Visit] = field(default_factory=list)
    #: Changed pages of the batch that are not believed yet: (position of the visit, URL, name of the new text).
    _fresh: deque[tuple[int, str, str]] = field(default_factory=deque)
    _doubted: set[str] = field(default_factory=set)
    _position: int = 0
    #: Pages whose server was too busy to answer, and those that had their second turn.
    _put_off: deque[Page] = field(default_factory=deque)
    _asked_again: set[int] = field(default_factory=set)
    _hops: dict[str, int] = field(default_factory=dict)
    _done: int = 0
    _waiting: int = 0
    _down: int = 0
    _flushed_at: float = 0.0

    def run(self) -> bool:
        """Read until nothing waits; False when the page limit ended it. Raises CrawlError when the site goes down."""
        self.same_texts = SameTexts(self.crawl.tally.same_texts)
        self.source.recall(StoredMemory(self.crawl.site_id, self.crawl.crawl_id, is_full=self.crawl.is_full_asked))
        self._queue_opening()
        self._done = self.queue.visited().count()
        self._waiting = self.queue.waiting().count()
        self._flushed_at = time.monotonic()
        with ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="fetch") as pool:
            try:
                return self._read_all(pool)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
                self.source.stop()

    def _queue_opening(self) -> None:
        """The start page first, and what links lead to, then the sitemap's pages; the same in every attempt."""
        self.queue.add(self.source.find_urls([self.opening.start_url, self.opening.given_url]))
        self.queue.hold_sitemap(self.opening.sitemap_urls)

    def _read_all(self, pool: ThreadPoolExecutor) -> bool:
        pages: Iterator[Page] = self.queue.load()
        while True:
            counts = self.crawl.tally.counts
            room = min(_WINDOW, self.crawl.max_pages - counts.read - self._reads_in_batch()) - len(self._window)
            for _ in range(room):
                if (page := next(pages, None)) is None:
                    break
                reason = self.source.reason_to_skip(page.url)
                self._window.append((page, reason or pool.submit(self.source.fetch, self._known(page))))
            if not self._window:
                self._flush(is_all=True)
                pages = self.queue.load()
                if counts.read >= self.crawl.max_pages:
                    self.queue.add_rest_of_sitemap()
                    return not self.queue.waiting().exists()
                if not self.queue.has_more():
                    added = self.queue.add_from_sitemap()
                    if not added and not self._put_off:
                        return True
                    self._waiting += added
                    if not added:
                        pages = self._take_put_off()
                continue
            page, awaited = self._window.popleft()
            visit = Visit(page, self._result(page, awaited))
            if not self._is_put_off(visit):
                self._note_new_text(visit)
                self._batch.append(visit)
            if len(self._batch) >= _BATCH or time.monotonic() - self._flushed_at > _BATCH_SECONDS:
                self._flush()

    def _reads_in_batch(self) -> int:
        return sum(visit.result.outcome in (Outcome.READ, Outcome.UNCHANGED) for visit in self._batch)

    def _result(self, page: Page, awaited: "Future[FetchedPage | FetchError] | str") -> SourcePage:
        if isinstance(awaited, str):
            return self._unasked(page.url, awaited)
        while True:
            try:
                answer = awaited.result(timeout=_TICK_SECONDS)
                break
            except StillRunning:
                self._report()
        self._watch_health(answer)
        if isinstance(answer, FetchError):
            return self._limit_hops(self.source.read(page.url, answer))
        raw = raw_sha256(answer) if answer.body else ""
        is_same = raw and raw == page.source_sha256 and page.status == PageStatus.READ
        if is_same and not self.crawl.is_full_asked:
            result = SourcePage(page.url, Outcome.UNCHANGED, http_status=answer.status)
        else:
            result = replace(self._limit_hops(self.source.read(page.url, answer)), source_sha256=raw)
        return replace(result, response_seconds=answer.seconds)

    def _unasked(self, url: str, reason: str) -> SourcePage:
        """A page that is not requested; one that the site's settings spell otherwise by now leads to that spelling."""
        placed = self.source.to_site(url)
        if placed and placed != url:
            return SourcePage(url, Outcome.REDIRECT, reason, redirect_url=placed)
        return SourcePage(url, Outcome.SKIPPED, reason)

    def _take_put_off(self) -> Iterator[Page]:
        """One after the other, so that none is lost where the limit of pages stops the taking for a while."""
        while self._put_off:
            yield self._put_off.popleft()

    def _is_put_off(self, visit: Visit) -> bool:
        """Whether the page is asked for again when all others were: its server was busy."""
        if visit.result.http_status not in _BUSY or visit.page.pk in self._asked_again:
            return False
        self._asked_again.add(visit.page.pk)
        self._put_off.append(visit.page)
        return True

    def _known(self, page: Page) -> KnownPage:
        """What the request may build on: only text that is still here, as this version of the extraction reads it."""
        is_here = page.status == PageStatus.READ and is_of_this_version(page.source_sha256)
        if not is_here or self.crawl.is_full_asked:
            return KnownPage(page.url)
        return KnownPage(page.url, page.etag, page.last_modified, page.source_sha256)

    def _note_new_text(self, visit: Visit) -> None:
        self._position += visit.result.outcome != Outcome.SKIPPED
        self._decide(self._position - LOOKAHEAD)
        page, content = visit.page, visit.result.content
        if content is None or page.status != PageStatus.READ or not page.word_count or not content.sentences:
            return
        if content.content_sha256 == page.content_sha256:
            return
        stored = PageBody.objects.filter(page=page).values_list("blocks", flat=True).first() or ()
        if name := self.same_texts.look_at(self._position, (block["text"] for block in stored), content):
            self._fresh.append((self._position, page.url, name))

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

    def _flush(self, *, is_all: bool = False) -> None:
        """Write the batch and what it leads to; changed pages wait until their neighbours were seen."""
        if is_all:
            self._decide(self._position)
        visits = self._batch[: self._ripe()]
        if visits:
            self._batch = self._batch[len(visits) :]
            visits = [self._believed(visit) for visit in visits]
            self.crawl.tally.same_texts = sorted(self.same_texts.shared)
            found = [url for visit in visits for url in _leads(visit.result)]
            # First what the pages lead to, then that they were visited: a kill in between loses nothing.
            added = self.queue.add(self.source.find_urls(found))
            store_visits(self.crawl, visits, self.source.to_site)
            self._done += len(visits)
            self._waiting += added - len(visits)
        self._flushed_at = time.monotonic()
        self._report()

    def _decide(self, position: int) -> None:
        """Believe or doubt the changed pages up to that visit, by what their neighbours say."""
        while self._fresh and self._fresh[0][0] <= position:
            _, url, name = self._fresh.popleft()
            if name in self.same_texts.shared:
                self._doubted.add(url)

    def _ripe(self) -> int:
        """How many visits of the batch can be written: those before the first changed page that is too fresh."""
        if not self._fresh:
            return len(self._batch)
        first = self._fresh[0][1]
        return next(place for place, visit in enumerate(self._batch) if visit.page.url == first)

    def _believed(self, visit: Visit) -> Visit:
        if visit.page.url not in self._doubted:
            return visit
        self._doubted.remove(visit.page.url)
        return Visit(visit.page, SourcePage(visit.page.url, Outcome.FAILED, SAME_TEXT_REASON, visit.result.http_status))

    def _report(self) -> None:
        done = self._done + len(self._batch)
        waiting = max(self._waiting, len(self._batch), self.queue.sitemap_size - self._done)
        self.crawl.progress(done, self._done + waiting, "reading pages")
        self.crawl.live.tell(
            max(self.queue.rows, self._done + waiting), waiting - len(self._batch), self.crawl.tally.counts.unchanged
        )


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
