"""What repeats across a site is its template, not its content. Pure; leaves the stored rows to site_boilerplate.py.

Counted per language, and full copies of a page (a page served under a second folder, an untranslated page in another
language's folder) count once, so that copied prose stays prose.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from crawler.extraction.types import Block, BlockKind

#: Text on more than this share of a language's pages is template, though never on so few pages.
_SHARE = 0.02
_FEWEST_PAGES = 3
#: Below this many pages a share means little: template is what stands on most of them.
_SMALL_GROUP = 8
#: A language with fewer pages than this is also judged by the whole site, more strictly.
_THIN_LANGUAGE = 20
_SITE_SHARE = 0.05
#: Pages whose longest blocks are the same are copies.
_IDENTITY_BLOCKS = 3
_DIGITS = re.compile(r"\d+")
#: Kinds in which a link stands by itself, as menus do; a link in running text is an editor's however often it repeats.
_STANDING_KINDS = frozenset(
    {BlockKind.LINK_LIST, BlockKind.HEADING, BlockKind.TERM, BlockKind.TABLE_HEADER, BlockKind.CAPTION, BlockKind.CODE}
)


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """A link as it is stored; `block_ordinal` is None for pictures and for links outside main content."""

    target_url: str
    anchor_text: str
    block_ordinal: int | None


class SiteRepetition:
    """Give every page to `count`, then ask. Memory grows with the number of distinct blocks and standing links."""

    def __init__(self) -> None:
        self._identities: set[bytes] = set()
        self._pages: Counter[str] = Counter()
        self._counts: Counter[bytes] = Counter()

    def count(self, language: str, blocks: Sequence[Block], links: Iterable[PlacedLink]) -> None:
        identity = _identity(language, blocks)
        if identity in self._identities:
            return
        self._identities.add(identity)
        self._pages[language] += 1
        keys = {_text_key(block.text) for block in blocks}
        keys |= {_link_key(link) for link in links if _is_standing(link, blocks)}
        tag = language.encode()
        for key in keys:
            self._counts[key] += 1
            self._counts[key + tag] += 1

    def repeated_blocks(self, language: str, blocks: Sequence[Block]) -> set[int]:
        """Ordinals of the page's blocks that are template."""
        return {block.ordinal for block in blocks if self._is_repeated(_text_key(block.text), language)}

    def is_template_link(self, link: PlacedLink, language: str, blocks: Sequence[Block]) -> bool:
        """Whether the same link stands by itself on many pages. Links in template blocks are for the caller to see."""
        return _is_standing(link, blocks) and self._is_repeated(_link_key(link), language)

    def _is_repeated(self, key: bytes, language: str) -> bool:
        pages = self._pages[language]
        if self._counts[key + language.encode()] >= _least_repeated(pages):
            return True
        if pages >= _THIN_LANGUAGE:
            return False
        every = self._pages.total()
        return self._counts[key] >= max(_least_repeated(every), _SITE_SHARE * every)


def _least_repeated(pages: int) -> float:
    """On how many pages a text must stand to be template."""
    if pages < _SMALL_GROUP:
        return max(_FEWEST_PAGES, pages // 2 + 1)
    return max(_FEWEST_PAGES, int(_SHARE * pages)) + 1


def _identity(language: str, blocks: Sequence[Block]) -> bytes:
    """Equal for copies of a page, whatever language they are counted under."""
    longest = sorted({block.text for block in blocks}, key=lambda text: (-len(text), text))[:_IDENTITY_BLOCKS]
    return _digest("\n".join(longest))


def _text_key(text: str) -> bytes:
    """The same for texts that differ in case and numbers alone: dates, counters, years."""
    return _digest("t" + _DIGITS.sub("0", text.casefold()))


def _link_key(link: PlacedLink) -> bytes:
    return _digest(f"l{link.anchor_text.casefold()}\n{link.target_url}")


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _is_standing(link: PlacedLink, blocks: Sequence[Block]) -> bool:
    if link.block_ordinal is None or not 0 <= link.block_ordinal < len(blocks):
        return True
    block = blocks[link.block_ordinal]
    return block.kind in _STANDING_KINDS or len(link.anchor_text) >= len(block.text)
