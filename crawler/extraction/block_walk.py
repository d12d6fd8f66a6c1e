"""Walks the main content in reading order and feeds the block builder. Leaves verdicts on regions to regions.py."""

from dataclasses import dataclass, field
from enum import Enum, auto

from lxml import etree

from crawler.extraction.block_builder import BlockBuilder, OpenAnchor
from crawler.extraction.hints import words
from crawler.extraction.regions import PageRegions, Verdict
from crawler.extraction.types import BlockKind

K = BlockKind
_OWN_KIND = {
    "p": K.PARAGRAPH,
    "li": K.LIST_ITEM,
    "blockquote": K.QUOTE,
    "dd": K.DEFINITION,
    "td": K.TABLE_CELL,
    "th": K.TABLE_HEADER,
    "dt": K.TERM,
    "pre": K.CODE,
    "listing": K.CODE,
    "xmp": K.CODE,
    "figcaption": K.CAPTION,
    "caption": K.CAPTION,
    "legend": K.CAPTION,
    "summary": K.CAPTION,
    **{f"h{level}": K.HEADING for level in range(1, 7)},
}
_BLOCK_TAGS = frozenset(
    words(
        "address article aside body center dd details dialog dir div dl "
        "dt fieldset figure footer form frameset header hgroup hr "
        "main menu nav ol optgroup search section table tbody td tfoot th thead tr ul"
    )
) | frozenset(_OWN_KIND)
#: Nothing in these is running text.
_SKIPPED_TAGS = frozenset(
    words(
        "head title meta link select option datalist textarea noframes "
        "map area rp rt progress meter frame noembed applet"
    )
)
_CODE_TAGS = frozenset(words("code kbd samp tt var"))
_BARRED_TAGS = frozenset(words("button label sup del s strike math output q"))
#: Seen as a gap in the line.
_GAP_TAGS = frozenset(words("img input button select textarea picture embed math"))
#: A page that holds more is a dump; the rest is left out.
MOST_BLOCKS = 20_000
#: Kinds that hold for everything inside, whatever stands there.
_STICKY_KINDS = frozenset({K.CODE, K.CAPTION, K.TERM, K.TABLE_HEADER, K.QUOTE})
#: Kinds that a paragraph or div inside takes over.
_INHERITED_KINDS = frozenset({K.LIST_ITEM, K.TABLE_CELL, K.DEFINITION, K.HEADING}) | _STICKY_KINDS
_PERMALINK_SIGNS = frozenset(words("¶ # § ⚓ 🔗 ∞ ↩ ↩︎ ⇧ ↑ ^"))
#: Inline elements that every reader of HTML knows to be part of the word around them.
_FAMILIAR_TAGS = frozenset(words("abbr b bdi em i mark small span strong sub u"))


class _Role(Enum):
    """What an element does to the text; that of an unfamiliar inline element may be to part a word."""

    BLOCK = auto(), ""
    ANCHOR = auto(), "link"
    CODE = auto(), "code"
    BARRED = auto(), "barred"
    BARRED_GAP = auto(), "barred"
    BREAK = auto(), ""
    GAP = auto(), ""
    SKIPPED = auto(), ""
    INLINE = auto(), "inline"
    UNFAMILIAR = auto(), "inline"

    def __init__(self, _: object, span: str) -> None:
        self.span = span  # the role of the span that the element opens


# Looking a member up in its class takes longer than all else that is done with it, and it is done for every element.
_BLOCK, _ANCHOR, _CODE, _BARRED, _BARRED_GAP, _BREAK, _GAP, _SKIPPED, _INLINE, _UNFAMILIAR = _Role
_KEEP, _CAPTION = Verdict.KEEP, Verdict.CAPTION
_OTHER = (K.OTHER, 0)
_PARAGRAPH, _HEADING = K.PARAGRAPH, K.HEADING
_ROLES: dict[str, _Role | None] = {
    **dict.fromkeys(_FAMILIAR_TAGS, _INLINE),
    **dict.fromkeys(_SKIPPED_TAGS, _SKIPPED),
    **dict.fromkeys(_GAP_TAGS, _GAP),
    **dict.fromkeys(_BLOCK_TAGS, _BLOCK),
    **dict.fromkeys(_CODE_TAGS, _CODE),
    **{tag: _BARRED_GAP if tag in _GAP_TAGS else _BARRED for tag in _BARRED_TAGS},
    "a": _ANCHOR,
    "br": _BREAK,
    "wbr": None,
}


@dataclass(slots=True)
class WalkedContent:
    builder: BlockBuilder
    anchors: list[OpenAnchor] = field(default_factory=list)
    #: the <a> elements behind `anchors`, kept so that the page's other links can be told from them
    seen: set[etree._Element] = field(default_factory=set)


def walk_content(regions: PageRegions) -> WalkedContent:
    """Blocks and anchors of the main content."""
    content = WalkedContent(BlockBuilder())
    _Walk(regions, content).run()
    return content


class _Walk:
    """One pass over the tree without recursion: `kinds` is the stack of open block elements."""

    def __init__(self, regions: PageRegions, content: WalkedContent) -> None:
        self._regions = regions
        self._content = content
        self._builder = content.builder
        self._kinds: list[tuple[BlockKind, int]] = [(K.OTHER, 0)]

    def run(self) -> None:
        builder, judge = self._builder, self._regions.judge
        walker = etree.iterwalk(self._regions.root, events=("start", "end"))
        open_roles: list[_Role | None] = []  # of the elements around the current place
        for event, element in walker:
            if event == "start":
                if len(builder.blocks) >= MOST_BLOCKS:
                    break
                tag = element.tag
                role = _ROLES.get(tag, _UNFAMILIAR)
                if not open_roles:
                    pass
                elif role is _SKIPPED or role is _GAP or self._is_taken(element, tag, role, judge(element, tag)):
                    if role is _GAP:
                        self._add_gap(element, tag)
                    walker.skip_subtree()
                    open_roles.append(_SKIPPED)
                    continue
                open_roles.append(role)
                text = element.text
            else:
                role = open_roles.pop()
                if not open_roles:
                    break
                if role is _BLOCK:
                    self._leave_block()
                elif role is not None and role.span:
                    builder.close_span(role.span)
                    if role is _BARRED_GAP:
                        builder.add_space()
                text = element.tail
            if text:
                if role is _UNFAMILIAR:
                    builder.note_seam(text)
                builder.add_text(text)
        self._flush()

    def _flush(self) -> None:
        if self._builder.length:
            kind, level = self._kinds[-1]
            self._builder.flush(kind, level)

    def _add_gap(self, element: etree._Element, tag: str) -> None:
        self._builder.add_space()
        if tag == "input" and element.get("type", "").lower() == "radio":
            self._builder.bar_block()  # the choices of a quiz or poll

    def _is_taken(self, element: etree._Element, tag: str, role: _Role | None, verdict: Verdict) -> bool:
        """Enters the element; True where it was left out or taken in one piece."""
        if role is _BLOCK and self._builder.length:
            self._flush()
        if verdict is not _KEEP and verdict is not _CAPTION:
            return True
        if role is _BLOCK:
            self._kinds.append((K.CAPTION, 0) if verdict is _CAPTION else self._kind_of(element, tag))
            return tag == "pre" and self._add_whole(element)
        if role is _ANCHOR:
            return self._enter_anchor(element)
        if role is _BREAK:
            if not self._builder.add_break():  # the second in a row parts blocks
                self._flush()
        elif role is not None:
            if role is _BARRED_GAP:
                self._builder.add_space()
            self._builder.open_span(role.span)
        return False

    def _add_whole(self, element: etree._Element) -> bool:
        """Take code without links in one piece: highlighters wrap each of its words in an element."""
        if next(element.iter("a"), None) is not None:
            return False
        if text := "".join(element.itertext()):
            self._builder.add_text(text)
        self._leave_block()
        return True

    def _enter_anchor(self, element: etree._Element) -> bool:
        """Links open a span; `<a name>` opens one that comes to nothing, so that each end closes its own start."""
        if (href := element.get("href")) is None:
            self._builder.open_span("link")
            return False
        if href[:1] == "#" and _is_permalink(element):
            return True
        anchor = OpenAnchor(href, element.get("rel", ""), element.get("hreflang") is not None)
        self._content.anchors.append(anchor)
        self._content.seen.add(element)
        self._builder.open_span("link", anchor)
        return False

    def _leave_block(self) -> None:
        if self._builder.length:
            self._flush()
        if len(self._kinds) > 1:
            self._kinds.pop()

    def _kind_of(self, element: etree._Element, tag: str) -> tuple[BlockKind, int]:
        outer = self._kinds[-1]
        own = _OWN_KIND.get(tag)
        if own is None or outer[0] in _STICKY_KINDS:
            return outer if outer[0] in _INHERITED_KINDS else _OTHER
        if own is K.QUOTE and not self._regions.is_quotation(element):
            return outer
        if own is _HEADING:
            return own, int(tag[1])
        if own is _PARAGRAPH and outer[0] in _INHERITED_KINDS and outer[0] is not _HEADING:
            return outer
        return own, 0


def _is_permalink(anchor: etree._Element) -> bool:
    """The sign beside a heading that links to the heading itself, or back from a footnote."""
    return "".join(anchor.itertext()).strip() in _PERMALINK_SIGNS
