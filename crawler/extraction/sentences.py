"""Blocks to sentences, each with its span. Leaves the choice of blocks' kinds to the walk."""

import re
from collections.abc import Iterable, Sequence

from sentencex import segment

from crawler.extraction.types import Block, BlockKind, ExtractedSentence, Span

#: Kinds that hold no sentences: code, and lists of links.
_SILENT_KINDS = frozenset({BlockKind.CODE, BlockKind.LINK_LIST})
#: No sentence is longer; what has no punctuation is cut between words.
LONGEST_SENTENCE = 1_000
_HAS_WORD = re.compile(r"[^\W_]")
#: sentencex has no rules for Thai and its neighbours, which part sentences by a space.
_SPACE_PARTED = {"th", "lo", "km", "my"}
_SPACE_AFTER_CLAUSE = re.compile(r"(?<=\S{20}) +")


def split_sentences(
    blocks: Sequence[Block], breaks: Sequence[Sequence[int]], language: str
) -> tuple[ExtractedSentence, ...]:
    """`breaks[i]` are offsets in block i where a line break ends a sentence."""
    sentences: list[ExtractedSentence] = []
    for block in blocks:
        if block.kind in _SILENT_KINDS:
            continue
        for start, end in sentence_spans(block.text, breaks[block.ordinal], language):
            text = block.text[start:end]
            sentences.append(ExtractedSentence(len(sentences), block.ordinal, start, end, text))
    return tuple(sentences)


def sentence_spans(text: str, breaks: Iterable[int], language: str) -> list[Span]:
    """Spans of the sentences in a block's text, without white space at their edges; those without a letter left out."""
    spans: list[Span] = []
    start = 0
    for end in [*breaks, len(text)]:
        if end > start:
            for first, last in _segment(text[start:end], language):
                spans += _cut_long(text, start + first, start + last)
        start = max(start, end)
    trimmed = [_trim(text, first, last) for first, last in spans]
    return [(first, last) for first, last in trimmed if first < last and _HAS_WORD.search(text, first, last)]


def _segment(text: str, language: str) -> list[Span]:
    if language in _SPACE_PARTED:
        pieces = _SPACE_AFTER_CLAUSE.split(text) if len(text) > 40 else [text]
        return _locate(text, pieces)
    if len(text) < 2:
        return [(0, len(text))]
    return _locate(text, segment(language or "en", text))


def _locate(text: str, pieces: Iterable[str]) -> list[Span]:
    """Each piece's place; what lies between two pieces belongs to the earlier one."""
    starts = []
    at = 0
    for piece in pieces:
        bare = piece.strip()
        if not bare:
            continue
        found = text.find(bare, at)
        if found < 0:  # the splitter changed the text: leave the rest in one piece
            break
        starts.append(found)
        at = found + len(bare)
    starts = [0, *starts[1:]] if starts else [0]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _cut_long(text: str, start: int, end: int) -> Iterable[Span]:
    while end - start > LONGEST_SENTENCE:
        space = text.rfind(" ", start + LONGEST_SENTENCE // 2, start + LONGEST_SENTENCE)
        cut = space + 1 if space >= 0 else start + LONGEST_SENTENCE
        yield start, cut
        start = cut
    yield start, end


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
