"""Blocks to sentences, each with its span. Leaves the choice of blocks' kinds to the walk."""

import re
from collections.abc import Iterable, Sequence

from crawler.extraction.sentence_boundaries import sentence_starts
from crawler.extraction.types import Block, BlockKind, ExtractedSentence, Span

#: Kinds that hold no sentences: code, and lists of links.
_SILENT_KINDS = frozenset({BlockKind.CODE, BlockKind.LINK_LIST})
#: No sentence is longer; what has no punctuation is cut between words.
LONGEST_SENTENCE = 1_000
#: Text without a block or line break that is given to the splitter at once: its time grows faster than the text.
_LONGEST_STRETCH = 8_000
#: What a page says beyond so many sentences is kept as its text alone: a book has fewer, a hostile page has millions.
MOST_SENTENCES = 50_000
_HAS_WORD = re.compile(r"[^\W_]")


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
        if len(sentences) > MOST_SENTENCES:
            return tuple(sentences[:MOST_SENTENCES])
    return tuple(sentences)


def sentence_spans(text: str, breaks: Sequence[int], language: str) -> list[Span]:
    """Spans of the sentences in a block's text, without white space at their edges; those without a letter left out."""
    if breaks or len(text) > LONGEST_SENTENCE:
        spans = _spans_of_pieces(text, breaks, language)
    else:
        starts = sentence_starts(text, language)
        if len(starts) == 1 and text and not (text[0].isspace() or text[-1].isspace()):  # most blocks are one sentence
            return [(0, len(text))] if _HAS_WORD.search(text) else []
        spans = list(zip(starts, [*starts[1:], len(text)], strict=True))
    trimmed = [_trim(text, first, last) for first, last in spans]
    return [(first, last) for first, last in trimmed if first < last and _HAS_WORD.search(text, first, last)]


def _spans_of_pieces(text: str, breaks: Sequence[int], language: str) -> list[Span]:
    """The same for text that is split at line breaks, or too long for one sentence."""
    spans: list[Span] = []
    start = 0
    for end in _with_cuts(text, [*breaks, len(text)]):
        if end > start:
            starts = [start + at for at in sentence_starts(text[start:end], language)]
            for first, last in zip(starts, [*starts[1:], end], strict=True):
                spans += _cut_long(text, first, last)
            start = end
    return spans


def _with_cuts(text: str, ends: Sequence[int]) -> Iterable[int]:
    """The ends, with further ones between words of what is too long for the splitter."""
    start = 0
    for end in ends:
        while end - start > _LONGEST_STRETCH:
            middle, last = start + _LONGEST_STRETCH // 2, start + _LONGEST_STRETCH
            gap = max(text.rfind(". ", middle, last) + 1, text.rfind("。", middle, last))
            gap = gap if gap > 0 else text.rfind(" ", middle, last)
            start = gap + 1 if gap > 0 else last
            yield start
        yield end
        start = max(start, end)


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
