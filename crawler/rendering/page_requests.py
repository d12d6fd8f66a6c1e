"""Answers what one rendered page asks for: each request is refused, or made by our own guarded client.

So the address guard, the limits and the politeness of the crawl hold for a page's scripts as they do for its links.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from crawler.errors import FetchError
from crawler.fetched_page import FetchedPage
from crawler.url_normalization import normalize_url

#: What text needs; pictures, films, fonts, frames and reports are never fetched.
_WANTED = frozenset({"script", "stylesheet", "xhr", "fetch"})
_KEPT = frozenset({"script", "stylesheet"})
#: A page that asks for more, refusals counted, is not waited for.
_MOST_ASKED = 1_000
_MOST_KEPT_BYTES = 32 * 1024 * 1024
#: Headers that speak of the connection, that would start requests of their own, or that store something.
_LEFT_OUT = frozenset(
    {"connection", "content-encoding", "content-length", "keep-alive", "link", "refresh", "report-to", "set-cookie"}
    | {"reporting-endpoints", "transfer-encoding", "alt-svc", "nel", "clear-site-data", "speculation-rules"}
)

Fetch = Callable[[str], FetchedPage]


class KeptFiles:
    """Scripts and styles that pages of a site share: fetched once, within a bound."""

    def __init__(self) -> None:
        self._files: dict[str, FetchedPage] = {}
        self._bytes = 0

    def find(self, url: str) -> FetchedPage | None:
        return self._files.get(url)

    def keep(self, url: str, answer: FetchedPage) -> None:
        if url not in self._files and answer.status == 200 and self._bytes + len(answer.body) <= _MOST_KEPT_BYTES:
            self._files[url] = answer
            self._bytes += len(answer.body)


@dataclass  # Playwright hangs its own name on the owner of a handler: no slots
class PageRequests:
    """The requests of one page, within `most_requests` and `most_bytes`."""

    document: FetchedPage
    fetch: Fetch
    reason_to_refuse: Callable[[str], str]
    kept: KeptFiles
    executor: Executor
    most_requests: int
    most_bytes: int
    #: The page's own frame: windows and frames that it opens are none of ours.
    main_frame: Any = None
    refused: list[str] = field(default_factory=list)
    #: Where the page's scripts went instead of staying: the first address.
    went_to: str = ""
    in_flight: int = 0
    served: int = 0
    asked: int = 0
    is_flooded: asyncio.Event = field(default_factory=asyncio.Event)
    _bytes: int = 0
    _has_begun: bool = False

    async def answer(self, route: Any) -> None:
        """Playwright's handler of every request of the page's context."""
        request = route.request
        self.asked += 1
        if self.asked > _MOST_ASKED:
            self.is_flooded.set()
            return
        try:
            if request.is_navigation_request():
                await self._answer_document(route, request)
            elif reason := self._reason_to_refuse(request):
                self._note(f"{request.url[:300]}: {reason}")
                await route.abort("blockedbyclient")
            else:
                await self._answer_file(route, request)
        except Exception as error:  # the page or its browser is gone: nobody waits for the answer
            self._note(f"{request.url[:300]}: {type(error).__name__}")

    async def _answer_document(self, route: Any, request: Any) -> None:
        is_main = request.frame == self.main_frame
        if is_main and not self._has_begun:
            self._has_begun = True
            await route.fulfill(status=200, headers=_headers(self.document), body=self.document.body)
            return
        self._note(f"{request.url[:300]}: " + ("the page went elsewhere" if is_main else "a frame or window"))
        if is_main and not self.went_to and request.method == "GET":
            target = normalize_url(request.url)
            self.went_to = "" if target == normalize_url(self.document.final_url) else target
        if is_main:
            # No Content leaves the page as it stands; a refusal would put the browser's own error page in its place.
            await route.fulfill(status=204)
        else:
            await route.abort("blockedbyclient")

    def _reason_to_refuse(self, request: Any) -> str:
        if request.resource_type not in _WANTED:
            return f"a {request.resource_type} is not needed for text"
        if request.method != "GET":
            return f"{request.method} may change something on the site"
        if self.served >= self.most_requests:
            return f"more than {self.most_requests} requests"
        if self._bytes >= self.most_bytes:
            return "more bytes than allowed"
        return "" if normalize_url(request.url) else "no http address"

    async def _answer_file(self, route: Any, request: Any) -> None:
        self.served += 1
        self.in_flight += 1
        try:
            url = request.url.partition("#")[0]
            found = self.kept.find(url)
            if found is None:
                found = await asyncio.get_running_loop().run_in_executor(self.executor, self._fetch_if_allowed, url)
                if request.resource_type in _KEPT:
                    self.kept.keep(url, found)
            self._bytes += len(found.body)
            await route.fulfill(status=found.status, headers=_headers(found), body=found.body)
        except FetchError as error:
            self._note(str(error))
            await route.abort("connectionfailed")
        finally:
            self.in_flight -= 1

    def _fetch_if_allowed(self, url: str) -> FetchedPage:
        """The file; in a thread, since the rules of its site may have to be asked for first."""
        if reason := self.reason_to_refuse(normalize_url(url)):
            raise FetchError(f"{url[:300]}: {reason}")
        return self.fetch(url)

    def _note(self, text: str) -> None:
        if len(self.refused) < 50:
            self.refused.append(text)


def _headers(answer: FetchedPage) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in _LEFT_OUT}
