"""Pages that say "not found" with HTTP 200: known by their likeness to what the site says where it has no page.

Pure: the answer to an address that cannot exist comes in, later pages are held against it. Pages that say so in words
are found by extraction.page_purpose as well; this is for all others, in any language. Leaves asking to sources.
"""

import hashlib
import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from crawler.extraction.types import PageContent

#: PageContent.purpose of a page that is like that answer.
ANSWERS_ANYTHING = "answers anything"
#: Share of their shingles that two texts have in common, from which they are one text with another address in it.
_ALIKE = 0.9
_SHINGLE = 4
_WORD = re.compile(r"\w+")


def address_without_page(site_url: str) -> str:
    """An address below the site's start that surely nobody made; the same for the site each time."""
    name = hashlib.blake2b(site_url.encode(), digest_size=12).hexdigest()
    return f"{site_url.partition('?')[0].rpartition('/')[0]}/{name}-{name[::-1]}"


def _shingles(content: PageContent, url: str) -> frozenset[int]:
    """The text in runs of four words, without the words of its own address: such answers like to repeat it."""
    own = set(_words(unquote(urlsplit(url).path)))
    words = [word for block in content.blocks for word in _words(block.text) if word not in own]
    if len(words) < _SHINGLE:
        return frozenset({hash(tuple(words))}) if words else frozenset()
    return frozenset(hash(tuple(words[at : at + _SHINGLE])) for at in range(len(words) - _SHINGLE + 1))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _likeness(one: frozenset[int], other: frozenset[int]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


@dataclass(frozen=True, slots=True)
class NotFoundPage:
    """What the site says where there is no page; without shingles, nothing is held against anything."""

    shingles: frozenset[int] = frozenset()

    def is_like(self, content: PageContent, url: str) -> bool:
        """Whether the page is that answer again."""
        return bool(self.shingles) and _likeness(self.shingles, _shingles(content, url)) >= _ALIKE


def not_found_page(answer: PageContent, url: str, start_page: PageContent, start_url: str) -> NotFoundPage:
    """What to hold pages against. Nothing where the start page is like it: an application with one page for all."""
    found = NotFoundPage(_shingles(answer, url))
    return NotFoundPage() if found.is_like(start_page, start_url) else found
