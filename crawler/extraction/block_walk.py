"""Walks the main content in reading order and feeds the block builder. Leaves verdicts on regions to regions.py."""

from dataclasses import dataclass, field

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
_BARRED_TAGS = frozenset(words("button label sup del s strike math output"))
#: Seen as a gap in the line.
_GAP_TAGS = frozenset(words("img input button select textarea picture embed math"))
#: Kinds that hold for everything inside, whatever stands there.
_STICKY_KINDS = frozenset({K.CODE, K.CAPTION, K.TERM, K.TABLE_HEADER, K.QUOTE})
#: Kinds that a paragraph or div inside takes over.
_INHERITED_KINDS = frozenset({K.LIST_ITEM, K.TABLE_CELL, K.DEFINITION, K.HEADING}) | _STICKY_KINDS
_PERMALINK_SIGNS = frozenset(words("¶ # § ⚓ 🔗 ∞ ↩ ↩︎ ⇧ ↑ ^"))


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
        self._captions: set[etree._Element] = set()
        self._is_after_break = False

    def run(self) -> None:
        root = self._regions.root
        walker = etree.iterwalk(root, events=("start", "end"))
        skipped = None
        for event, element in walker:
            if event == "start":
                if element is not root and self._is_skipped(element):
                    skipped = element
                    walker.skip_subtree()
                    continue
                self._enter(element)
                if element.text:
                    self._add(element.text)
            else:
                if element is skipped:
                    skipped = None
                else:
                    self._leave(element)
                if element.tail and element is not root:
                    self._add(element.tail)
        self._builder.flush(*self._kinds[0])

    def _add(self, text: str) -> None:
        if not text.isspace():
            self._is_after_break = False
        self._builder.add_text(text)

    def _is_skipped(self, element: etree._Element) -> bool:
        tag = element.tag
        if tag in _SKIPPED_TAGS:
            if tag in _GAP_TAGS:
                self._builder.add_space()
            return True
        if tag == "a" and _is_permalink(element):
            return True
        verdict = self._regions.judge(element, tag)
        if verdict in (Verdict.DROP, Verdict.HIDE):
            if tag in _BLOCK_TAGS:
                self._builder.flush(*self._kinds[-1])
            return True
        if verdict is Verdict.CAPTION:
            self._captions.add(element)
        return False

    def _enter(self, element: etree._Element) -> None:
        tag = element.tag
        if tag in _BLOCK_TAGS:
            kind, level = self._kinds[-1]
            self._builder.flush(kind, level)
            self._kinds.append((K.CAPTION, 0) if element in self._captions else self._kind_of(tag))
        elif tag == "a":
            if (href := element.get("href")) is not None:
                anchor = OpenAnchor(href, element.get("rel", ""), element.get("hreflang") is not None)
                self._content.anchors.append(anchor)
                self._content.seen.add(element)
                self._builder.open_span("link", anchor)
        elif tag == "br":
            self._break_line()
        else:
            self._open_inline(tag)

    def _leave(self, element: etree._Element) -> None:
        tag = element.tag
        if tag in _BLOCK_TAGS:
            self._builder.flush(*self._kinds[-1])
            if len(self._kinds) > 1:
                self._kinds.pop()
        elif tag == "a":
            if element.get("href") is not None:
                self._builder.close_span("link")
        elif tag in _CODE_TAGS:
            self._builder.close_span("code")
        elif tag in _BARRED_TAGS:
            self._builder.close_span("barred")
            if tag in _GAP_TAGS:
                self._builder.add_space()

    def _open_inline(self, tag: str) -> None:
        if tag in _GAP_TAGS:
            self._builder.add_space()
        if tag in _CODE_TAGS:
            self._builder.open_span("code")
        elif tag in _BARRED_TAGS:
            self._builder.open_span("barred")

    def _break_line(self) -> None:
        """One line break parts sentences, two part blocks."""
        if self._is_after_break:
            self._builder.flush(*self._kinds[-1])
        else:
            self._builder.add_break()
        self._is_after_break = True

    def _kind_of(self, tag: str) -> tuple[BlockKind, int]:
        outer = self._kinds[-1]
        if outer[0] in _STICKY_KINDS:
            return outer
        own = _OWN_KIND.get(tag)
        if own is K.HEADING:
            return own, int(tag[1])
        if own is None:
            return outer if outer[0] in _INHERITED_KINDS else (K.OTHER, 0)
        if own is K.PARAGRAPH and outer[0] in _INHERITED_KINDS and outer[0] is not K.HEADING:
            return outer
        return own, 0


def _is_permalink(anchor: etree._Element) -> bool:
    """The sign beside a heading that links to the heading itself, or back from a footnote."""
    if not anchor.get("href", "").startswith("#"):
        return False
    return "".join(anchor.itertext()).strip() in _PERMALINK_SIGNS
