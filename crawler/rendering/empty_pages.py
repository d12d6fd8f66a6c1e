"""Decides which answers are worth a browser, and hands on what it made of them as if the server had sent it.

Leaves the browser to renderer.py, and what pages are fetched at all to sources.
"""

import logging
from collections.abc import Callable
from dataclasses import replace

from crawler.errors import RenderingFailed
from crawler.extraction import extract_page
from crawler.extraction.binary_bodies import is_binary
from crawler.fetched_page import FetchedPage
from crawler.http import HTML_TYPES, HttpClient
from crawler.rendering.chromium import find_obstacle
from crawler.rendering.page_visit import RenderLimits
from crawler.rendering.renderer import Renderer

logger = logging.getLogger(__name__)

#: A shell may say that it is loading, or ask for JavaScript: so few letters beside scripts are no page yet.
_MOST_LETTERS_OF_A_SHELL = 150
#: Of what the browser made, the server's validators say nothing: the same shell may hold new text tomorrow.
_NOT_OF_THE_TEXT = frozenset({"etag", "last-modified", "content-encoding", "content-length", "content-type"})


class EmptyPages:
    """A site's pages that hold no text, or hardly any, before their scripts have run."""

    def __init__(self, client: HttpClient, limits: RenderLimits | None = None) -> None:
        self._client = client
        self._limits = limits
        self._renderer: Renderer | None = None

    def open(self) -> str:
        """Make ready. Why nothing can be rendered here, with the next step; "" where it can."""
        obstacle = find_obstacle()
        if not obstacle:
            self._renderer = Renderer(self._client.get, user_agent=self._client.user_agent, limits=self._limits)
        return obstacle

    def fill(self, answer: FetchedPage, reason_to_refuse: Callable[[str], str]) -> FetchedPage:
        """The answer, or what its scripts make of it where it is empty without them. Raises RenderingFailed.

        A page whose scripts lead elsewhere becomes a redirect, unless they left text behind. `reason_to_refuse` tells,
        in worker threads, why the page may not have a file.
        """
        if self._renderer is None or not _may_be_a_shell(answer):
            return answer
        size = _count_letters(answer)
        if size > _MOST_LETTERS_OF_A_SHELL:
            return answer
        try:
            rendered = self._renderer.render(answer, reason_to_refuse)
        except RenderingFailed as error:
            if not size:
                raise
            logger.warning("%s It is kept as the server sent it.", error)
            return answer
        headers = {name: value for name, value in answer.headers.items() if name not in _NOT_OF_THE_TEXT}
        headers["content-type"] = "text/html; charset=utf-8"
        page = replace(answer, body=rendered.html.encode("utf-8", "replace"), headers=headers)
        size_now = _count_letters(page)
        if rendered.went_to and size_now <= max(size, _MOST_LETTERS_OF_A_SHELL):
            return replace(answer, status=302, headers={"location": rendered.went_to}, body=b"")
        if not size_now and rendered.refused:
            logger.info("%s stayed empty; it was not given: %s", answer.url, "; ".join(rendered.refused))
        return page if size_now >= size else answer

    def close(self) -> None:
        """Give the browser back, also while it works."""
        if self._renderer is not None:
            self._renderer.close()


def _may_be_a_shell(answer: FetchedPage) -> bool:
    is_html = answer.status == 200 and answer.media_type in HTML_TYPES
    return is_html and b"<script" in answer.body.lower() and not is_binary(answer.body, answer.headers)


def _count_letters(answer: FetchedPage) -> int:
    """Signs of the sentences that can be read in it; one that the extraction stumbles over is left to it."""
    try:
        content = extract_page(answer.body, answer.final_url, answer.headers)
    except Exception:
        return _MOST_LETTERS_OF_A_SHELL + 1
    return sum(len(sentence.text) for sentence in content.sentences)
