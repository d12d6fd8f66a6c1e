"""Finds one text in the place of several pages' own: a maintenance page or a login form, answered with 200. Pure.

Such an answer must not take a page's text away. Pages that always said the same are none of this: only what stood
apart before and is one and the same now counts.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable

from crawler.extraction.types import PageContent

#: So many pages that differed before.
_PAGES = 3
_REMEMBERED = 5_000
#: So many later visits are awaited before a changed page is believed: an outage shows at once on its neighbours.
LOOKAHEAD = 8
REASON = "the same text as on other pages that differed before"


class SameTexts:
    """The new texts of one crawl's changed pages."""

    def __init__(self, shared: Iterable[str] = ()) -> None:
        self.shared = set(shared)
        self._before: OrderedDict[str, set[str]] = OrderedDict()

    def look_at(self, texts_before: Iterable[str], content: PageContent) -> str:
        """Take note of a page that was read anew; the name of its new text, or "" where its text is the old one."""
        name, name_before = _name(block.text for block in content.blocks), _name(texts_before)
        if name == name_before:
            return ""
        before = self._before.setdefault(name, set())
        self._before.move_to_end(name)
        before.add(name_before)
        if len(before) >= _PAGES:
            self.shared.add(name)
        if len(self._before) > _REMEMBERED:
            self._before.popitem(last=False)
        return name


def _name(texts: Iterable[str]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()
