"""The browser in a thread of its own: started when the first page needs it, renewed, given back. One page at a time.

Playwright is bound to one event loop and one process: a renderer belongs to the process that made it, and the job that
opened it closes it. Leaves what happens in a page to page_visit.py.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotInTime
from dataclasses import dataclass
from typing import Any

from crawler.errors import RenderingFailed
from crawler.fetched_page import FetchedPage
from crawler.rendering.chromium import DeadProxy, launch
from crawler.rendering.page_requests import Fetch, KeptFiles, PageRequests
from crawler.rendering.page_visit import RenderLimits, read_document

logger = logging.getLogger(__name__)
_CONNECTIONS = 4
_GRACE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """What a page became. `went_to` is where its scripts led instead; `refused` tells what it was not given."""

    html: str
    went_to: str
    refused: tuple[str, ...]


class Renderer:
    """Renders pages; may be shared by threads, which wait for each other. Call close() at the end."""

    def __init__(self, fetch: Fetch, *, user_agent: str, limits: RenderLimits | None = None) -> None:
        self._fetch = fetch
        self._user_agent = user_agent
        self._limits = limits or RenderLimits()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._executor: ThreadPoolExecutor | None = None
        self._kept = KeptFiles()
        self._proxy: DeadProxy | None = None
        self._playwright: Any = None
        self._browser: Any = None
        self._pages = 0
        self._is_closed = False
        self._asked: Future[RenderedPage] | None = None

    def render(self, document: FetchedPage, reason_to_refuse: Callable[[str], str]) -> RenderedPage:
        """The page that `document` becomes in a browser. Raises RenderingFailed, and costs no other page anything."""
        with self._lock:
            if self._is_closed:
                raise _stopped(document)
            loop = self._begin()
            asked = self._asked = asyncio.run_coroutine_threadsafe(self._render(document, reason_to_refuse), loop)
            try:
                return asked.result(self._limits.total_seconds + _GRACE_SECONDS)
            except CancelledError:
                raise _stopped(document) from None
            except NotInTime:
                asked.cancel()
                self._end()
                raise RenderingFailed(f"{document.url} could not be rendered: its browser did not answer.") from None

    def close(self) -> None:
        """Give the browser back; nothing is rendered any more."""
        self._is_closed = True
        if (asked := self._asked) is not None:
            asked.cancel()
        with self._lock:
            self._end()

    def _begin(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._proxy = DeadProxy()
            self._executor = ThreadPoolExecutor(_CONNECTIONS, thread_name_prefix="render-fetch")
            self._thread = threading.Thread(target=self._loop.run_forever, name="renderer", daemon=True)
            self._thread.start()
        return self._loop

    def _end(self) -> None:
        if self._loop is None or self._thread is None or self._executor is None or self._proxy is None:
            return
        try:
            asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(_GRACE_SECONDS)
        except Exception:
            logger.exception("The browser did not end in order")
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_GRACE_SECONDS)
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._proxy.close()
        if not self._thread.is_alive():
            self._loop.close()
        self._loop = None

    async def _render(self, document: FetchedPage, reason_to_refuse: Callable[[str], str]) -> RenderedPage:
        limits = self._limits
        assert self._executor is not None
        requests = PageRequests(
            document, self._fetch, reason_to_refuse, self._kept, self._executor,
            most_requests=limits.most_requests, most_bytes=limits.most_bytes,
        )  # fmt: skip
        try:
            browser = await self._open_browser()
            self._pages += 1
            reading = read_document(browser, requests, limits, self._user_agent)
            html = await asyncio.wait_for(reading, limits.total_seconds)
        except RenderingFailed:
            await self._drop_browser()
            raise
        except TimeoutError:
            await self._drop_browser()
            raise RenderingFailed(
                f"{document.url} could not be rendered within {limits.total_seconds:g} seconds."
            ) from None
        except Exception as error:
            # Playwright has one class for whatever goes wrong in the browser, its crash among them.
            await self._drop_browser()
            said = " ".join(str(error).split())[:200]
            raise RenderingFailed(f"{document.url} could not be rendered: the browser failed ({said}).") from error
        return RenderedPage(html, requests.went_to, tuple(requests.refused))

    async def _open_browser(self) -> Any:
        if self._browser is not None and (
            not self._browser.is_connected() or self._pages >= self._limits.pages_of_a_browser
        ):
            await self._drop_browser()
        if self._playwright is None:
            from playwright.async_api import async_playwright

            self._playwright = await async_playwright().start()
        if self._browser is None:
            assert self._proxy is not None
            self._browser = await launch(self._playwright, self._proxy)
            self._pages = 0
        return self._browser

    async def _drop_browser(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            try:
                await asyncio.wait_for(browser.close(), 10)
            except Exception:
                logger.warning("A browser had to be left to its end")

    async def _stop(self) -> None:
        await self._drop_browser()
        if self._playwright is not None:
            playwright, self._playwright = self._playwright, None
            await asyncio.wait_for(playwright.stop(), 10)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


def _stopped(document: FetchedPage) -> RenderingFailed:
    return RenderingFailed(f"{document.url} was not rendered: the crawl was stopped. Start it again to go on.")
