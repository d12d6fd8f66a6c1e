"""One page as it reads: its blocks in order, cut into pieces at existing links, code and suggested anchors.

Leaves the cards beside the text to `selectors_suggestions`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from crawler.extraction.types import Block, BlockKind, blocks_from_json
from crawler.models import Link, PageBody, Sentence
from recommendations.models import Recommendation, Status
from recommendations.page_names import page_name

_GROUPS = {
    BlockKind.LIST_ITEM: "list",
    BlockKind.LINK_LIST: "list",
    BlockKind.TABLE_CELL: "table",
    BlockKind.TABLE_HEADER: "table",
    BlockKind.TERM: "definitions",
    BlockKind.DEFINITION: "definitions",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A suggested anchor in its block: offsets in the block's text."""

    recommendation_id: int
    start: int
    end: int
    status: str
    target_title: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that is set in one way: plain, an existing link, code, a suggested anchor."""

    text: str
    is_code: bool = False
    link: Link | None = None
    is_link: bool = False
    mark: Mark | None = None
    is_mark_start: bool = False


@dataclass(slots=True)
class BlockView:
    """A block with its pieces."""

    ordinal: int
    kind: str
    level: int
    pieces: list[Piece]
    is_boilerplate: bool = False
    has_marks: bool = False

    @property
    def aria_level(self) -> int:
        """Below the h1 of the page that shows it."""
        return self.level + 1


@dataclass(slots=True)
class Group:
    """Neighbouring blocks that are set together: a list, a table, repeated parts, or a single block."""

    kind: str
    blocks: list[BlockView] = field(default_factory=list)


def blocks_of(page_id: int) -> list[Block]:
    """The page's blocks as they were read last; none where it has no text."""
    return blocks_from_json(PageBody.objects.filter(page_id=page_id).values_list("blocks", flat=True).first() or ())


def marks_of(rows: Iterable[Recommendation], blocks: Sequence[Block]) -> dict[int, list[Mark]]:
    """Block ordinal to the marks that stand in it, where the text still says what it said when it was suggested."""
    marks: dict[int, list[Mark]] = {}
    for row in rows:
        start = row.sentence_start + row.anchor_start
        end = start + len(row.anchor_text)
        if row.status in (Status.REJECTED, Status.REMOVED, Status.STALE) or row.block >= len(blocks):
            continue
        if blocks[row.block].text[start:end] == row.anchor_text:
            title = page_name(row.target)
            marks.setdefault(row.block, []).append(Mark(row.pk, start, end, row.status, title))
    return marks


def view_block(block: Block, marks: Sequence[Mark], links: Sequence[Link], is_boilerplate: bool) -> BlockView:
    """Cut a block at every border of a link, code or mark; where marks overlap the better ranked one is shown."""
    kept: list[Mark] = []
    for mark in marks:
        if all(mark.end <= other.start or mark.start >= other.end for other in kept):
            kept.append(mark)
    borders = {0, len(block.text)}
    for start, end in (*block.link_spans, *block.code_spans, *((mark.start, mark.end) for mark in kept)):
        borders |= {start, end}
    cuts = sorted(border for border in borders if 0 <= border <= len(block.text))
    link_at = {(link.start, link.end): link for link in links}
    pieces = []
    for start, end in pairwise(cuts):
        over = next((mark for mark in kept if mark.start <= start and end <= mark.end), None)
        link_span = next((span for span in block.link_spans if span[0] <= start and end <= span[1]), None)
        pieces.append(
            Piece(
                text=block.text[start:end],
                is_code=any(span[0] <= start and end <= span[1] for span in block.code_spans),
                link=link_at.get(link_span) if link_span else None,
                is_link=link_span is not None,
                mark=over,
                is_mark_start=over is not None and over.start == start,
            )
        )
    kind = str(block.kind)
    return BlockView(block.ordinal, kind, min(max(block.level, 1), 6), pieces, is_boilerplate, bool(kept))


def read_page(page_id: int, blocks: Sequence[Block], rows: Iterable[Recommendation]) -> list[Group]:
    """The page's text in reading order. Two queries, whatever its length."""
    links, repeated, marks = links_by_block(page_id), boilerplate_blocks(page_id), marks_of(rows, blocks)
    views = [
        view_block(block, marks.get(block.ordinal, ()), links.get(block.ordinal, ()), block.ordinal in repeated)
        for block in blocks
        if block.text
    ]
    return group_blocks(views)


def links_by_block(page_id: int) -> dict[int, list[Link]]:
    """The links that stand in the page's blocks, by block ordinal."""
    links: dict[int, list[Link]] = {}
    placed = Link.objects.filter(page_id=page_id, block_ordinal__isnull=False, start__isnull=False)
    heavy = ("target__headings", "target__hreflang", "target__description")
    for link in placed.select_related("target").defer(*heavy):
        links.setdefault(link.block_ordinal or 0, []).append(link)
    return links


def boilerplate_blocks(page_id: int) -> set[int]:
    """Ordinals of the blocks all of whose sentences repeat across the site."""
    is_repeated: dict[int, bool] = {}
    sentences = Sentence.objects.filter(page_id=page_id).order_by()
    for ordinal, is_boilerplate in sentences.values_list("block_ordinal", "is_boilerplate"):
        is_repeated[ordinal] = is_repeated.get(ordinal, True) and is_boilerplate
    return {ordinal for ordinal, repeated in is_repeated.items() if repeated}


def group_blocks(views: Iterable[BlockView]) -> list[Group]:
    """Neighbours that belong together in one group each."""
    groups: list[Group] = []
    for view in views:
        kind = "repeated" if view.is_boilerplate else _GROUPS.get(BlockKind(view.kind), "")
        if kind and groups and groups[-1].kind == kind:
            groups[-1].blocks.append(view)
        else:
            groups.append(Group(kind or view.kind, [view]))
    return groups
