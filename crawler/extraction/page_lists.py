"""Lists on a page that lead elsewhere without being said in prose: its table of contents, and rows of teasers.

Found by what they are, whatever they are called. Leaves names and landmarks to regions.py.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from itertools import islice

from lxml import etree

from crawler.extraction.text_sizes import TextSizes
from crawler.extraction.types import Block, BlockKind

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NEVER_BOXES = frozenset({"p", "pre", *_HEADINGS})
#: From this share of linked text a box is nothing but links.
_BOX_DENSITY = 0.75
_FEWEST_LINKS = 3
#: Enough to find the boxes of any honest page; bounds the work on a hostile one.
_MOST_PLACE_LINKS = 60
_MOST_BOX_TEXT = 20_000
#: Teasers: at least so many headings that are links, with so little text after each.
_FEWEST_TEASERS = 3
_TEASER_TEXT = 450


def find_contents_boxes(root: etree._Element, sizes: TextSizes) -> set[etree._Element]:
    """The largest boxes around links to places on the page that hold nothing but links."""
    boxes: set[etree._Element] = set()
    tried: set[etree._Element] = set()
    titled = _around_headings(root)
    places = (anchor for anchor in sizes.place_links(root) if len(anchor.get("href", "")) > 1)
    for anchor in islice(places, _MOST_PLACE_LINKS):
        box = None
        for ancestor in anchor.iterancestors():
            if ancestor is root or ancestor in tried:
                break
            tried.add(ancestor)
            if not _is_all_links(ancestor, sizes, titled):
                break
            box = ancestor
        if box is not None and sum(1 for _ in box.iter("a")) >= _FEWEST_LINKS:
            boxes.add(box)
    return boxes


def _around_headings(root: etree._Element) -> set[etree._Element]:
    """Every element below the root that holds a heading."""
    found: set[etree._Element] = set()
    for heading in root.iter(*_HEADINGS):
        for ancestor in heading.iterancestors():
            if ancestor is root or ancestor in found:
                break
            found.add(ancestor)
    return found


def _is_all_links(element: etree._Element, sizes: TextSizes, titled: Set[etree._Element]) -> bool:
    if element.tag in _NEVER_BOXES:
        return False
    total = sizes.all(element)
    if total > _MOST_BOX_TEXT:
        return False
    headings = sum(sizes.all(heading) for heading in element.iter(*_HEADINGS)) if element in titled else 0
    linked = sizes.linked(element)
    return linked > 0 and linked >= _BOX_DENSITY * (total - headings)


def find_teasers(blocks: Sequence[Block], url_of: Mapping[int, str]) -> set[int]:
    """Ordinals of headings that are links, where most headings of a level are and little text follows each.

    `url_of` gives the target of a block's link. Such a page lists other pages; its "read more" links are no prose.
    """
    headings = [block for block in blocks if block.kind is BlockKind.HEADING]
    levels = Counter(block.level for block in headings)
    teasers: dict[int, list[Block]] = {}
    for block in headings:
        if block.link_spans == ((0, len(block.text)),) and block.ordinal in url_of:
            teasers.setdefault(block.level, []).append(block)
    found: set[int] = set()
    for level, linked in teasers.items():
        targets = {url_of[block.ordinal] for block in linked}
        if (
            len(targets) >= _FEWEST_TEASERS
            and len(linked) >= 0.8 * levels[level]
            and _is_followed_by_little(linked, blocks)
        ):
            found |= {block.ordinal for block in linked}
    return found


def _is_followed_by_little(linked: Sequence[Block], blocks: Sequence[Block]) -> bool:
    lengths = []
    for block in linked:
        length = 0
        for following in blocks[block.ordinal + 1 : block.ordinal + 8]:
            if following.kind is BlockKind.HEADING:
                break
            length += len(following.text)
        lengths.append(length)
    return sorted(lengths)[len(lengths) // 2] <= _TEASER_TEXT
