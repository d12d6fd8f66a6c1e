"""Which runs of a sentence's words may be an anchor text at all. Leaves which of them fits to `anchors`."""

import regex

from recommendations.engine.source_text import ReadSentence

LONGEST_ANCHOR = 8  # words
_ONLY_NUMBERS = regex.compile(r"[\p{N}\p{P}\p{S}\s]+")
_SPACE = regex.compile(r"\s*")


def allowed_spans(read: ReadSentence) -> list[tuple[int, int]]:
    """(first, last) word positions, inclusive, of every span that may be an anchor text.

    No stop word or punctuation at an edge, nothing but space between its words, not a number, no part of inline code,
    nothing across an inline element's edge, nothing that touches an existing link.
    """
    words, text = read.words, read.sentence.text
    spans = []
    for first in range(len(words)):
        if not read.is_free[first] or words[first].is_stop or _touches_link(read, words[first].start, before=True):
            continue
        for last in range(first, min(first + LONGEST_ANCHOR, len(words))):
            if not read.is_free[last]:
                break
            if last > first and _SPACE.fullmatch(text, words[last - 1].end, words[last].start) is None:
                break
            if words[last].is_stop or _touches_link(read, words[last].end, before=False):
                continue
            if _ONLY_NUMBERS.fullmatch(text, words[first].start, words[last].end) is None and not _cuts_element(
                read, words[first].start, words[last].end
            ):
                spans.append((first, last))
    return spans


def _touches_link(read: ReadSentence, offset: int, before: bool) -> bool:
    """Whether only space lies between the offset in the sentence and an existing link."""
    block, place = read.block, read.sentence.start + offset
    for start, end in block.link_spans:
        gap = block.text[end:place] if before else block.text[place:start]
        is_beside = end <= place if before else start >= place
        if is_beside and not gap.strip():
            return True
    return False


def _cuts_element(read: ReadSentence, start: int, end: int) -> bool:
    """Whether the span takes a part of inline code, or starts in an inline element and ends outside or the reverse."""
    start, end = start + read.sentence.start, end + read.sentence.start
    text = read.block.text
    for begin, finish in read.block.code_spans:
        if begin < end and finish > start:
            outside = text[begin : max(begin, start)] + text[min(finish, end) : finish]
            if any(character.isalnum() for character in outside):
                return True
    return any(
        begin < end
        and finish > start
        and not ((begin <= start and end <= finish) or (start <= begin and finish <= end))
        for begin, finish in read.block.inline_spans
    )
