"""Gathers text into blocks: white space collapsed, spans kept in step. Leaves the tree to block_walk.py."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from crawler.extraction.types import LINKABLE_KINDS, Block, BlockKind, Span

#: White space that HTML collapses, but for spaces and new lines; no-break and other typographic spaces stay as a
#: person sees them.
_OTHER_SPACE = re.compile(r"[\t\r\f]+")
_HAS_WORD = re.compile(r"\w")
_NO_WORDS = re.compile(r"[\W_]+")
_ASCII_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())
#: Share of a block's letters inside links from which the block is itself a list of links.
_LINK_LIST_DENSITY = 0.8
#: The same for a block of many links: "First | Second | Third | and one that is none".
_ROW_OF_LINKS, _ROW_DENSITY = 4, 0.65
#: Elements left open inside each other; what is opened beyond goes without a span.
_MOST_OPEN = 100
_ENDLESS = float("inf")
#: Start of a span that is open and comes to nothing.
_UNNOTED = -1


@dataclass(slots=True, eq=False)
class OpenAnchor:
    """One <a href> while and after it is read; `spans` are (block ordinal, start, end), one per block it touches."""

    href: str
    rel: str
    is_alternate: bool
    texts: list[str] = field(default_factory=list)
    spans: list[tuple[int, int, int]] = field(default_factory=list)
    is_in_code: bool = False


class BlockBuilder:
    """Takes text and inline marks in reading order; `flush` ends a block."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        #: by block ordinal: offsets where a line break parts two sentences
        self.breaks: list[tuple[int, ...]] = []
        #: ordinals of bare rows of links: several in a row, outside any list or paragraph
        self.menus: set[int] = set()
        self._parts: list[str] = []
        #: characters of the open block
        self.length = 0
        self._is_after_space = True
        #: (role, start, anchor); roles are "link", "code", "barred" and "inline"
        self._open: list[tuple[str, int, OpenAnchor | None]] = []
        self._whole_open = 0  # of them that no anchor may hold a part of: inline elements inside need no span
        self._unopened: dict[str, int] = {}
        self._spans: list[tuple[str, int, int, OpenAnchor | None]] = []
        self._breaks: list[int] = []
        self._has_seam = False

    def add_text(self, raw: str) -> None:
        if self._is_after_space:
            raw = raw.lstrip(" \t\n\r\f")
            if not raw:
                return
        text = raw
        if "\n" in raw:
            text = raw.replace("\n", " ")
        if "\t" in text or "\r" in text or "\f" in text:
            text = _OTHER_SPACE.sub(" ", text)
        while "  " in text:
            text = text.replace("  ", " ")
        self._parts.append(text)
        self.length += len(text)
        self._is_after_space = text[-1] == " "

    def add_space(self) -> None:
        """A gap that is seen though no space is written: a picture, a button's edge."""
        if not self._is_after_space:
            self.add_text(" ")

    def add_break(self) -> bool:
        """A line break: white space, and the end of a sentence. False when it directly follows another."""
        self.add_space()
        if self._breaks and self._breaks[-1] == self.length:
            return False
        if self.length:
            self._breaks.append(self.length)
        return True

    def note_seam(self, text: str) -> None:
        """An unusual element starts or ends here, perhaps inside a word: one to a person, two to other readers."""
        last = self._parts[-1][-1:] if self._parts else ""
        if text[:1].isalnum() and last and (last.isalnum() or last in "'’-"):
            self._has_seam = True

    def bar_block(self) -> None:
        """The open block carries no link, whatever else is in it."""
        self._has_seam = True

    def open_span(self, role: str, anchor: OpenAnchor | None = None) -> None:
        if len(self._open) >= _MOST_OPEN:
            self._unopened[role] = self._unopened.get(role, 0) + 1
            return
        if role != "inline":
            self._whole_open += anchor is not None or role != "link"
        elif self._whole_open:
            self._open.append((role, _UNNOTED, None))
            return
        self._open.append((role, self.length, anchor))

    def close_span(self, role: str) -> None:
        if self._unopened and self._unopened.get(role):
            self._unopened[role] -= 1
            return
        _, start, anchor = self._open.pop()  # elements nest, and so do their spans
        if anchor is not None or role == "code" or role == "barred":
            self._whole_open -= 1
        elif role == "link":
            return
        if _UNNOTED < start < self.length:
            self._spans.append((role, start, self.length, anchor))

    def flush(self, kind: BlockKind, level: int = 0) -> None:
        """End the block here. Spans that are still open go on in the next one."""
        text = "".join(self._parts)
        if _HAS_WORD.search(text):
            self._add_block(text, kind, level)
        self._parts = []
        self._has_seam = False
        self.length = 0
        self._is_after_space = True
        if self._spans or self._breaks or self._open:
            self._spans.clear()
            self._breaks.clear()
            self._open = [(role, min(start, 0), anchor) for role, start, anchor in self._open]

    def _add_block(self, raw: str, kind: BlockKind, level: int) -> None:
        text = raw.strip()
        ordinal = len(self.blocks)
        lead = raw.index(text[0])
        breaks = self._breaks
        self.breaks.append(tuple([at - lead for at in breaks if 0 < at - lead < len(text)]) if breaks else ())
        if not self._spans and not self._open:
            barred: tuple[Span, ...] = ((0, len(text)),) if self._has_seam else ()
            self.blocks.append(Block(ordinal, kind, text, level, barred_spans=barred))
            return
        links, code, barred, inline = self._take_spans(text, ordinal, lead)
        if kind in LINKABLE_KINDS and links and _is_list_of_links(text, links):
            if kind is BlockKind.OTHER and len(links) > 1:
                self.menus.add(ordinal)
            kind = BlockKind.LINK_LIST
        self.blocks.append(Block(ordinal, kind, text, level, links, code, barred, inline))

    def _take_spans(self, text: str, ordinal: int, lead: int) -> tuple[tuple[Span, ...], ...]:
        """The block's link, code, barred and inline spans; anchors learn where they stand."""
        spans: dict[str, list[Span]] = {"link": [], "code": [], "barred": [], "inline": []}
        anchors: list[tuple[OpenAnchor, Span]] = []
        for role, start, anchor in self._open:
            if start > _UNNOTED and (anchor is not None or role != "link"):
                self._spans.append((role, start, self.length, anchor))
        for role, start, end, anchor in self._spans:
            span = _trim(text, start - lead, end - lead)
            if span[0] < span[1]:
                spans[role].append(span)
                if anchor is not None:
                    anchors.append((anchor, span))
        if self._has_seam:
            spans["barred"].append((0, len(text)))
        code = merge_spans(spans["code"])
        for anchor, (start, end) in anchors:
            anchor.spans.append((ordinal, start, end))
            anchor.texts.append(text[start:end])
            anchor.is_in_code = anchor.is_in_code or _is_inside(start, end, code)
        taken = merge_spans(spans["link"]), code, merge_spans(spans["barred"])
        return *taken, _parts_of(text, spans["inline"], taken)


def _trim(text: str, start: int, end: int) -> Span:
    start, end = start if start > 0 else 0, end if end < len(text) else len(text)
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _parts_of(text: str, inline: list[Span], taken: tuple[tuple[Span, ...], ...]) -> tuple[Span, ...]:
    """The inline elements that are less than the block, once each; none inside what is kept whole anyway."""
    if not inline:
        return ()
    parts = sorted({span for span in inline if span[1] - span[0] < len(text)})
    for merged in taken:
        if merged:
            parts = [(start, end) for start, end in parts if not _is_inside(start, end, merged)]
    return tuple(parts)


def merge_spans(spans: list[Span]) -> tuple[Span, ...]:
    """Sorted, nested and overlapping ones merged; spans that only touch stay apart."""
    if len(spans) < 2:
        return tuple(spans)
    merged: list[Span] = []
    for start, end in sorted(set(spans)):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return tuple(merged)


def _is_inside(start: int, end: int, merged: tuple[Span, ...]) -> bool:
    if not merged:
        return False
    at = bisect_right(merged, (start, _ENDLESS)) - 1
    return at >= 0 and merged[at][0] <= start and end <= merged[at][1]


def _is_list_of_links(text: str, links: tuple[Span, ...]) -> bool:
    density = _link_density(text, links)
    return density >= (_ROW_DENSITY if len(links) >= _ROW_OF_LINKS else _LINK_LIST_DENSITY)


def _link_density(text: str, links: tuple[Span, ...]) -> float:
    total = _count_letters(text)
    linked = sum([_count_letters(text[start:end]) for start, end in links])
    return linked / total if total else 0.0


def _count_letters(text: str) -> int:
    """Letters and digits."""
    return len(text.encode().translate(None, _ASCII_SIGNS) if text.isascii() else _NO_WORDS.sub("", text))
