"""What extraction hands on: plain frozen values. One reading of a page serves suggesting and writing alike."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Span = tuple[int, int]


def text_hash(text: str) -> str:
    """32 hex digits that name a text: the key of its vector and of decisions about it."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def block_sha256(text: str) -> str:
    """64 hex digits of a block's text, handed to whoever writes the link."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class BlockKind(StrEnum):
    __hash__ = str.__hash__  # an Enum's own is slow, and kinds are looked up for every element

    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    QUOTE = "quote"  # another's words
    DEFINITION = "definition"
    TABLE_CELL = "table_cell"
    OTHER = "other"  # bare text in a div
    HEADING = "heading"
    TERM = "term"  # dt
    TABLE_HEADER = "table_header"
    CAPTION = "caption"
    CODE = "code"  # pre
    LINK_LIST = "link_list"  # a block that is itself a list of links, or a list item that is one link


#: Kinds whose text may carry a new link.
LINKABLE_KINDS = frozenset(
    {
        BlockKind.PARAGRAPH,
        BlockKind.LIST_ITEM,
        BlockKind.DEFINITION,
        BlockKind.TABLE_CELL,
        BlockKind.OTHER,
    }
)

# Nobody changes a block, link or sentence once it is made. They are not declared frozen because that makes each four
# times as slow to make, and a page holds hundreds.
_SPAN_FIELDS = ("link_spans", "code_spans", "barred_spans", "inline_spans")


@dataclass(slots=True, unsafe_hash=True)
class Block:
    """One block of the main content. `text` is its visible text, white space collapsed to single spaces, stripped.

    All spans are (start, end) offsets in `text`. `link_spans` are existing links (also to other hosts),
    `code_spans` inline code/kbd/samp/tt/var, `barred_spans` text that may never carry a link (buttons, labels, sup
    references, nested headings, ...), `inline_spans` other inline elements (b, em, span, ...) that are a part of the
    block: sorted, they may hold one another, and no anchor may hold a part of one.
    """

    ordinal: int
    kind: BlockKind
    text: str
    level: int = 0
    link_spans: tuple[Span, ...] = ()
    code_spans: tuple[Span, ...] = ()
    barred_spans: tuple[Span, ...] = ()
    inline_spans: tuple[Span, ...] = ()

    @property
    def is_linkable(self) -> bool:
        return self.kind in LINKABLE_KINDS

    def to_json(self) -> dict[str, Any]:
        """Small JSON for storage; empty parts are left out."""
        data: dict[str, Any] = {"kind": str(self.kind), "text": self.text}
        if self.level:
            data["level"] = self.level
        for name in _SPAN_FIELDS:
            if spans := getattr(self, name):
                data[name] = [list(span) for span in spans]
        return data

    @classmethod
    def from_json(cls, ordinal: int, data: dict[str, Any]) -> "Block":
        """The inverse of to_json; the ordinal is the position in the stored list."""
        spans = {name: tuple((int(start), int(end)) for start, end in data.get(name, ())) for name in _SPAN_FIELDS}
        return cls(ordinal, BlockKind(data["kind"]), data["text"], data.get("level", 0), **spans)


def blocks_from_json(stored: Sequence[dict[str, Any]]) -> list[Block]:
    """A page's stored blocks, in order."""
    return [Block.from_json(ordinal, data) for ordinal, data in enumerate(stored)]


@dataclass(slots=True, unsafe_hash=True)
class ExtractedLink:
    """A link as it stands on the page; offsets are in its block's text, None where it stands outside main content."""

    url: str  # absolute, normalized
    anchor_text: str
    is_editorial: bool
    is_nofollow: bool = False
    is_in_code: bool = False
    block_ordinal: int | None = None
    start: int | None = None
    end: int | None = None


@dataclass(slots=True, unsafe_hash=True)
class ExtractedSentence:
    """`text == blocks[block_ordinal].text[start:end]`."""

    ordinal: int
    block_ordinal: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class PageContent:
    """Everything that one HTML page says."""

    title: str = ""
    h1: str = ""
    description: str = ""
    language: str = ""  # primary subtag, lower case
    canonical_url: str = ""  # absolute, normalized; "" when none is declared
    is_noindex: bool = False
    is_nofollow: bool = False
    hreflang: dict[str, str] = field(default_factory=dict)
    headings: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    sentences: tuple[ExtractedSentence, ...] = ()
    links: tuple[ExtractedLink, ...] = ()
    purpose: str = ""  # of page_purpose: "login", "search", ...; "" for a page to be read
    content_sha256: str = ""  # of blocks, links and metadata: equal means nothing to do again
