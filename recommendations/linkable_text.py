"""Which characters of a block may carry a new link, and where an anchor occurs among them. Pure.

The engine, decisions and later the writers read a block through this module, so that a match_index means the same to
all of them. Leaves where words begin and end to `anchor_words`.
"""

import re
from collections.abc import Iterable, Iterator

from crawler.extraction.types import Block, Span
from recommendations.anchor_words import is_whole_words


def is_overlapping(first: Span, second: Span) -> bool:
    return first[0] < second[1] and second[0] < first[1]


def is_span_free(span: Span, taken: Iterable[Span]) -> bool:
    return not any(is_overlapping(span, other) for other in taken)


#: "[gallery ids=1,2]", "[/quote]", "[contact-form /]": square brackets that a content system replaces.
_SHORTCODE = re.compile(r"\[(?P<end>/?)(?P<name>[a-zA-Z][\w-]*)(?:\s+[\w-]+\s*=[^\[\]]*)?\s*/?\]")
#: "{{ page.title }}", "{% include x %}": what a template engine replaces, or should have.
_TEMPLATE_TAG = re.compile(r"\{\{[^{}]*\}\}|\{%[^%]*%\}|\{\s*[\"“][\w-]+[\"”]\s*:[^{}]*\}")
#: Links and pictures of Markdown and wikis that nothing has turned into HTML.
_UNTURNED = re.compile(r"!?\[[^\[\]]*\]\([^()\s]*\)|\[\[[^\[\]]*\]\]")
#: Addresses of pages and people: a part of one is no word.
_ADDRESS = re.compile(
    r"\b(?:[a-z][a-z0-9+.-]{1,9}://|www\.)[^\s<>\"”»）]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+", re.IGNORECASE
)


#: What was escaped twice and so stands in the text: entities, tags, comments with a block's settings.
_MARKUP = re.compile(
    r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});|<!--.*?(?:-->|\Z)"
    r"|<[a-zA-Z][\w-]*\s+[\w-]+=[\"'“”][^<>]*>",
    re.DOTALL,
)


def taken_spans(block: Block, is_code_linkable: bool) -> tuple[Span, ...]:
    """The spans of a block that no new link may touch: links, barred text, what is no prose, code unless allowed."""
    replaced = _shortcode_spans(block.text) if "[" in block.text else ()
    if "[" in block.text:
        replaced += tuple(match.span() for match in _UNTURNED.finditer(block.text))
    if "://" in block.text or "@" in block.text or "www." in block.text:
        replaced += tuple(match.span() for match in _ADDRESS.finditer(block.text))
    if "{" in block.text:
        replaced += tuple(match.span() for match in _TEMPLATE_TAG.finditer(block.text))
    if "&" in block.text or "<" in block.text:
        replaced += tuple(match.span() for match in _MARKUP.finditer(block.text))
    return block.link_spans + block.barred_spans + replaced + (() if is_code_linkable else block.code_spans)


def _shortcode_spans(text: str) -> tuple[Span, ...]:
    """Each shortcode; from one that is closed later on to its end, with all between."""
    spans: list[Span] = []
    open_since: dict[str, int] = {}
    for match in _SHORTCODE.finditer(text):
        spans.append(match.span())
        if not match["end"]:
            open_since.setdefault(match["name"], match.start())
        elif (start := open_since.pop(match["name"], None)) is not None:
            spans.append((start, match.end()))
    return tuple(spans)


def occurrences_of(block: Block, anchor: str, is_code_linkable: bool) -> Iterator[int]:
    """Offsets where the anchor stands verbatim, as whole words, in the linkable text of a block."""
    taken = taken_spans(block, is_code_linkable)
    start = block.text.find(anchor) if anchor else -1
    while start >= 0:
        end = start + len(anchor)
        if is_whole_words(block.text, start, end) and is_span_free((start, end), taken):
            yield start
            start = block.text.find(anchor, end)
        else:
            start = block.text.find(anchor, start + 1)


def match_index_of(block: Block, anchor: str, start: int, is_code_linkable: bool) -> int | None:
    """The 0-based number of the occurrence that stands at `start`; None where no link may stand there."""
    for index, offset in enumerate(occurrences_of(block, anchor, is_code_linkable)):
        if offset == start:
            return index
    return None
