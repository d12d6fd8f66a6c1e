"""Where a suggested anchor stands on its page as it was read last, and whether other words may stand in. Pure.

Leaves rows and statuses to `decisions`; raises DecisionRefused with the sentence that the editor reads.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from crawler.extraction.types import Block, Span, block_sha256
from recommendations.anchor_words import is_whole_words
from recommendations.errors import DecisionRefused
from recommendations.linkable_text import is_span_free, match_index_of, taken_spans

LONGEST_ANCHOR = 200
_CONTEXT = 120  # characters on either side of the anchor, as the engine keeps them


@dataclass(frozen=True, slots=True)
class Place:
    """An anchor in its block. Offsets: the sentence in its block's text, the anchor in its sentence."""

    block: int
    block_sha256: str
    sentence_start: int
    anchor_start: int
    anchor_text: str
    match_index: int
    context_before: str
    context_after: str

    @property
    def span(self) -> Span:
        """The anchor's offsets in its block's text."""
        start = self.sentence_start + self.anchor_start
        return start, start + len(self.anchor_text)


def find_place(
    blocks: Sequence[Block],
    sentence: str,
    anchor_text: str,
    anchor_start: int,
    near_block: int,
    near_start: int,
    is_code_linkable: bool,
) -> Place | None:
    """The place of the anchor in the sentence nearest to where it was; None when no link may stand there now."""
    if not sentence or sentence[anchor_start : anchor_start + len(anchor_text)] != anchor_text:
        return None
    found = [
        (abs(block.ordinal - near_block), abs(start - near_start), place)
        for block in blocks
        if block.is_linkable
        for start in _starts_of(block.text, sentence)
        if (place := _place_at(block, start, sentence, anchor_start, anchor_text, is_code_linkable))
    ]
    return min(found, key=lambda item: item[:2])[2] if found else None


def _starts_of(text: str, sentence: str) -> Iterable[int]:
    start = text.find(sentence)
    while start >= 0:
        if is_whole_words(text, start, start + len(sentence)):
            yield start
        start = text.find(sentence, start + 1)


def _place_at(
    block: Block, sentence_start: int, sentence: str, anchor_start: int, anchor_text: str, is_code_linkable: bool
) -> Place | None:
    start = sentence_start + anchor_start
    end = start + len(anchor_text)
    index = match_index_of(block, anchor_text, start, is_code_linkable)
    if index is None:
        return None
    return Place(
        block=block.ordinal,
        block_sha256=block_sha256(block.text),
        sentence_start=sentence_start,
        anchor_start=anchor_start,
        anchor_text=anchor_text,
        match_index=index,
        context_before=block.text[max(0, start - _CONTEXT) : start],
        context_after=block.text[end : end + _CONTEXT],
    )


def choose_words(sentence: str, words: str, near_start: int) -> list[tuple[int, str]]:
    """Every (offset in the sentence, text as it stands there) of the words an editor typed, the nearest first.

    Raises DecisionRefused where they stand nowhere, so that there is always one.
    """
    words = " ".join(words.split())
    if not words:
        raise DecisionRefused("Type the words of the sentence that should carry the link.")
    if not any(character.isalnum() for character in words):
        raise DecisionRefused(f"“{words[:20]}” has no letter and no digit. Choose words.")
    if len(words) > LONGEST_ANCHOR:
        raise DecisionRefused(
            f"These {len(words)} characters are too long for a link. Choose at most {LONGEST_ANCHOR}."
        )
    starts = _starts_loosely(sentence, words)
    if not starts:
        raise DecisionRefused(f"“{words}” does not stand in the sentence. Choose words as they are written there.")
    whole = [start for start in starts if is_whole_words(sentence, start, start + len(words))]
    if not whole:
        raise DecisionRefused(f"“{words}” is only part of a word in the sentence. Choose whole words.")
    whole.sort(key=lambda offset: abs(offset - near_start))
    return [(start, sentence[start : start + len(words)]) for start in whole]


def _starts_loosely(sentence: str, words: str) -> list[int]:
    """Every offset of the words: as written, else with case and typographic quotes ignored (one character for one)."""
    for plain in (str, _plain):
        haystack, needle = plain(sentence), plain(words)
        starts, start = [], haystack.find(needle)
        while start >= 0:
            starts.append(start)
            start = haystack.find(needle, start + 1)
        if starts:
            return starts
    return []


def _plain(text: str) -> str:
    same = {"’": "'", "‘": "'", "“": '"', "”": '"', "‑": "-", "\xa0": " "}
    lowered = (same.get(character, character) for character in text)
    return "".join(low if len(low := character.lower()) == 1 else character for character in lowered)


def why_not_linkable(block: Block, span: Span, is_code_linkable: bool) -> str:
    """The sentence that tells an editor why no link may stand on the span of a block."""
    words = block.text[span[0] : span[1]]
    for link in block.link_spans:
        if not is_span_free(span, [link]):
            return f"“{words}” overlaps the existing link “{block.text[link[0] : link[1]]}”. Choose other words."
    if not is_span_free(span, taken_spans(block, is_code_linkable)):
        return f"“{words}” stands in code, a label or a note, where no link may be set. Choose other words."
    return f"No link can be set on “{words}” here. Choose other words."
