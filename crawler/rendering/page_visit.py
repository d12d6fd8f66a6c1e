"""One page in the browser: opened, given time to build itself, and its document taken. Leaves requests to others."""

import asyncio
import contextlib
import time
from dataclasses import dataclass
from typing import Any

from crawler.errors import RenderingFailed
from crawler.rendering.page_requests import PageRequests

#: Runs in a world of its own, where the page's scripts cannot have changed what these names mean.
_LOOK = (
    "(() => { const all = document.documentElement; const text = document.body ? document.body.textContent : '';"
    " return [all ? all.outerHTML.length : 0, text.length, document.querySelectorAll('a[href]').length]; })()"
)
_TAKE = "'<!doctype html>' + document.documentElement.outerHTML"
_CALM_SECONDS = 0.5
_GLANCE_SECONDS = 0.15
#: A page without any text may be waiting for a timer: it gets this long.
_PATIENCE_SECONDS = 3.0
_LONGEST_LOOK = 4.0


@dataclass(frozen=True, slots=True)
class RenderLimits:
    """What one page may take of the browser."""

    total_seconds: float = 45.0
    most_requests: int = 150
    most_bytes: int = 30 * 1024 * 1024
    most_dom_bytes: int = 10 * 1024 * 1024
    #: After so many pages the browser is started anew, so that what it has hoarded is given back.
    pages_of_a_browser: int = 50


async def read_document(browser: Any, requests: PageRequests, limits: RenderLimits, user_agent: str) -> str:
    """The page's HTML when its scripts have come to rest. Raises RenderingFailed, or what Playwright raises."""
    context = await browser.new_context(
        service_workers="block",
        accept_downloads=False,
        user_agent=user_agent,
        viewport={"width": 1280, "height": 4000},
        locale="en",
    )
    try:
        await context.route("**/*", requests.answer)
        await context.route_web_socket("**/*", lambda socket: socket.close())
        page = await context.new_page()
        requests.main_frame = page.main_frame
        context.on("page", lambda other: asyncio.ensure_future(_close(other)))
        has_crashed = asyncio.Event()
        page.on("crash", lambda _: has_crashed.set())
        crashing = asyncio.ensure_future(has_crashed.wait())
        flooding = asyncio.ensure_future(requests.is_flooded.wait())
        page.on("dialog", lambda dialog: asyncio.ensure_future(_dismiss(dialog)))
        reading = asyncio.ensure_future(_open_and_read(context, page, requests, limits))
        try:
            await asyncio.wait({reading, crashing, flooding}, return_when=asyncio.FIRST_COMPLETED)
            if crashing.done() or flooding.done():
                why = "its browser tab crashed" if crashing.done() else "its scripts ask for files without end"
                raise RenderingFailed(f"{requests.document.url} could not be rendered: {why}.")
            return reading.result()
        finally:
            for task in (crashing, flooding, reading):
                task.cancel()
    finally:
        await _close_in_time(context, browser)


async def _open_and_read(context: Any, page: Any, requests: PageRequests, limits: RenderLimits) -> str:
    url = requests.document.final_url
    timeout = limits.total_seconds * 1000
    await page.goto(url, wait_until="commit", timeout=timeout)
    session = await context.new_cdp_session(page)
    tree = await session.send("Page.getFrameTree")
    world = await session.send("Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]})
    look = _Look(session, world["executionContextId"], url)
    size = await _wait_for_rest(look, requests, limits)
    if size > limits.most_dom_bytes:
        megabytes = limits.most_dom_bytes / 1024 / 1024
        raise RenderingFailed(f"{url} could not be rendered: its document grew beyond {megabytes:g} MB.")
    return str(await look.evaluate(_TAKE))


async def _wait_for_rest(look: "_Look", requests: PageRequests, limits: RenderLimits) -> int:
    """Wait until nothing is asked for and nothing changes, or the time is up; the document's size."""
    started = time.monotonic()
    last: list[int] = []
    changed_at = started
    while True:
        seen = await look.evaluate(_LOOK)
        now = time.monotonic()
        if seen != last or requests.in_flight:
            last, changed_at = seen, now
        is_empty = not last[1]
        patience = _PATIENCE_SECONDS if is_empty and not requests.went_to else _CALM_SECONDS
        is_over = now - started > limits.total_seconds * 0.8
        if now - changed_at >= patience or is_over or last[0] > limits.most_dom_bytes:
            return last[0]
        await asyncio.sleep(_GLANCE_SECONDS)


@dataclass(slots=True)
class _Look:
    """Reads values out of the page."""

    session: Any
    world: int
    url: str

    async def evaluate(self, expression: str) -> Any:
        asked = self.session.send(
            "Runtime.evaluate", {"expression": expression, "contextId": self.world, "returnByValue": True}
        )
        try:
            found = await asyncio.wait_for(asked, _LONGEST_LOOK)
        except TimeoutError:
            raise RenderingFailed(f"{self.url} could not be rendered: its scripts never pause.") from None
        return found["result"].get("value")


async def _close(thing: Any) -> None:
    with contextlib.suppress(Exception):  # it is closed already, or its browser is gone
        await thing.close()


async def _close_in_time(context: Any, browser: Any) -> None:
    """Close the page's context; a browser that cannot do so any more is closed with it."""
    try:
        await asyncio.wait_for(context.close(), 5)
    except Exception:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(browser.close(), 5)


async def _dismiss(dialog: Any) -> None:
    with contextlib.suppress(Exception):  # the page that asked is gone
        await dialog.dismiss()
