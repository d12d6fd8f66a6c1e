"""Finds one text in the place of several pages' own: a maintenance page or a login form, answered with 200. Pure.

Such an answer must not take a page's text away. Pages that always said the same are none of this: only what stood
apart before and is one and the same now counts.
"""

import hashlib
from collections import deque
from collections.abc import Iterable

from crawler.extraction.types import PageContent

#: So many pages that differed before.
_PAGES = 3
#: So many later visits are awaited before a changed page is believed: an outage shows at once on its neighbours. What
#: lies further apart is no outage, and to ask it would make a crawl that was cut off end otherwise.
LOOKAHEAD = 16
REASON = "the same text as on other pages that differed before"


class SameTexts:
    """The new texts of one crawl's changed pages, those that lately took the place of several ones."""

    def __init__(self, shared: Iterable[str] = ()) -> None:
        self.shared = set(shared)
        self._recent: deque[tuple[int, str, str]] = deque()

    def look_at(self, position: int, texts_before: Iterable[str], content: PageContent) -> str:
        """Take note of a page that was read anew; the name of its new text, or "" where its text is the old one."""
        name, name_before = _name(block.text for block in content.blocks), _name(texts_before)
        if name == name_before:
            return ""
        while self._recent and self._recent[0][0] < position - LOOKAHEAD:
            self._recent.popleft()
        self._recent.append((position, name, name_before))
        if len({before for _, new, before in self._recent if new == name}) >= _PAGES:
            self.shared.add(name)
        return name


def _name(texts: Iterable[str]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()
