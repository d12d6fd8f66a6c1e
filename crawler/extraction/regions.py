"""Which parts of one page are its main content, by landmarks, names and link density. Leaves repetition to the site."""

import re
from enum import Enum
from itertools import islice

from lxml import etree

from crawler.extraction.hidden_styles import HiddenNames
from crawler.extraction.hints import Hint, is_admonition, judge_class, judge_id, judge_role, words
from crawler.extraction.page_lists import find_contents_boxes
from crawler.extraction.quoted_parts import find_notes, is_quotation
from crawler.extraction.text_sizes import TextSizes

# Going over attributes is several times as fast as asking every element for one; taking their elements, or one of two
# paths, in the path itself takes time quadratic in them.
_MAIN_ROLES = etree.XPath('descendant::*/@role[. = "main"]')
_ARTICLE_BODIES = etree.XPath("descendant::*/@itemprop[. = 'articleBody']")
#: Elements that are weighed as the root; they may stand inside each other.
_MOST_ROOTS = 500
_INVISIBLE = re.compile(
    r"(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\b|(?:opacity|font-size)\s*:\s*0(?:\.0*)?(?:px|em|%)?\s*(?:!|;|\Z)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{3,}"
    r"|clip\s*:\s*rect\s*\(\s*(?:0|1px)[\s,)]|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)",
    re.IGNORECASE,
)

#: Elements whose names count as hints. Inline elements, headings and table parts stand inside text and are left alone.
HINTED_TAGS = frozenset(
    words(
        "div section ul ol dl aside nav header footer form "
        "table p li figure details address center menu article blockquote dialog"
    )
)
_LANDMARK_TAGS = frozenset(words("nav menu footer aside header form dialog"))
_LONGEST_NAME = 500
_HIDING_ATTRIBUTES = frozenset(words("hidden aria-hidden style popover"))
#: A part named as boilerplate that holds more than this share of the page's running text is none.
_HINTED_SHARE = 0.35
#: The same for landmarks: only one that was never closed and swallowed the page is that large.
_LANDMARK_SHARE = 0.6
#: Above this share of linked text a part is a list of links, however large.
_LINK_DENSITY = 0.66
#: A card holds no more; what is larger is a frame around a page's own text.
_MOST_CARD_TEXT = 600
#: A root must hold at least this share of the body's running text.
_MAIN_SHARE = 0.25
_ARTICLE_SHARE = 0.6
#: Parts of a page that are measured; one inside another again and again would take time quadratic in the page.
_MOST_WEIGHINGS = 1_000


class Verdict(Enum):
    KEEP = "keep"
    DROP = "drop"  # boilerplate
    HIDE = "hide"  # not visible
    CAPTION = "caption"  # visible main content that may never carry a link: footnotes, asides, embedded posts, cards


# Looking a member up in its class is slow, and done for every element.
_KEEP, _HIDE = Verdict.KEEP, Verdict.HIDE
_NONE, _HIDDEN = Hint.NONE, Hint.HIDDEN


def find_body(root: etree._Element) -> etree._Element:
    body = root.find("body")
    return root if body is None else body


class PageRegions:
    """The main content's root and the verdict on each element below it."""

    def __init__(self, body: etree._Element, host: str = "", hidden: HiddenNames | None = None) -> None:
        self._body = body
        self._host = host
        self._hidden = hidden or HiddenNames()
        self._hides_names = bool(self._hidden)
        self.sizes = TextSizes(body)
        self.root = self._choose_root()
        self._is_landmark_root = self.root is not body
        self._prose = max(self.sizes.prose(self.root), 1)
        self.uses_names = True
        self._weighings_left = _MOST_WEIGHINGS
        self._contents_boxes = find_contents_boxes(self.root, self.sizes)
        self._notes = find_notes(self.root, self.sizes)

    def judge(self, element: etree._Element, tag: str) -> Verdict:
        """The verdict on an element below the root."""
        hint = _NONE
        if names := element.keys():
            if not _HIDING_ATTRIBUTES.isdisjoint(names) and is_invisible(element):
                return _HIDE
            if self._hides_names and self._hidden.hide(element):
                return self._caption(element) if tag in HINTED_TAGS else _HIDE
            if "class" in names:
                hint = judge_class(element.get("class", "")[:_LONGEST_NAME])
            if tag not in HINTED_TAGS:
                return _HIDE if hint is _HIDDEN else _KEEP
            if "id" in names:
                hint = max(hint, judge_id(element.get("id", "")[:_LONGEST_NAME]))
            if "role" in names:
                hint = max(
                    hint, judge_role(element.get("role", "")[:_LONGEST_NAME], element.get("class", "")[:_LONGEST_NAME])
                )
        if tag in _LANDMARK_TAGS:
            hint = self._judge_landmark(element, tag, hint)
        if self._contents_boxes and self.uses_names and element in self._contents_boxes:
            return Verdict.DROP
        if self._notes and element in self._notes:
            return self._caption(element)
        return _KEEP if hint is _NONE else self._weigh(element, hint)

    def _judge_landmark(self, element: etree._Element, tag: str, hint: Hint) -> Hint:
        if tag in ("nav", "menu"):
            return max(hint, Hint.LANDMARK)
        if tag == "dialog":
            return Hint.HIDDEN if element.get("open") is None else max(hint, Hint.BOILERPLATE)
        if tag == "footer":
            parent = element.getparent()
            is_citation = parent is not None and parent.tag in ("blockquote", "figure")
            return Hint.REFERENCES if is_citation else max(hint, Hint.LANDMARK)
        if tag == "form":
            return max(hint, Hint.BOILERPLATE)
        # Inside an article a header holds its heading, and an aside a note or pull quote, unless they hold but links.
        if tag == "aside" and self._is_landmark_root:
            is_box = is_admonition(element.get("class", "")[:_LONGEST_NAME])
            return max(hint, Hint.HEADER if is_box else Hint.ASIDE)
        is_inside = self._is_landmark_root or (
            tag == "header" and next(element.iterancestors("article", "section"), None) is not None
        )
        return max(hint, Hint.HEADER if is_inside else Hint.LANDMARK)

    def _weigh(self, element: etree._Element, hint: Hint) -> Verdict:
        """A name alone decides nothing: the part's share of the page's running text and its link density count too."""
        if hint == Hint.HIDDEN:
            return Verdict.HIDE
        if hint in (Hint.REFERENCES, Hint.EMBED):
            return self._caption(element)
        if hint != Hint.LANDMARK and not self.uses_names:
            return Verdict.KEEP
        if self._weighings_left <= 0:
            return Verdict.KEEP
        self._weighings_left -= 1
        visible = self.sizes.all(element)
        linked = self.sizes.linked(element)
        if hint == Hint.CARD:
            return self._caption(element) if linked and visible <= _MOST_CARD_TEXT else Verdict.KEEP
        if hint == Hint.ASIDE:
            return Verdict.DROP if linked > 0.5 * visible else self._caption(element)
        if hint == Hint.HEADER:
            return Verdict.DROP if linked > 0.5 * visible > 0 and not _holds_h1(element) else Verdict.KEEP
        if visible and linked > _LINK_DENSITY * visible:
            return Verdict.DROP
        share = (visible - linked) / self._prose
        limit = _LANDMARK_SHARE if hint == Hint.LANDMARK else _HINTED_SHARE
        return Verdict.DROP if share <= limit else Verdict.KEEP

    def is_quotation(self, blockquote: etree._Element) -> bool:
        """Whether a blockquote holds another's words; one that is most of the page is the way its text is set."""
        return self._caption(blockquote) is not _KEEP and is_quotation(blockquote, self._host)

    def _caption(self, element: etree._Element) -> Verdict:
        """No place for links, unless it is most of the page."""
        return Verdict.CAPTION if self.sizes.prose(element) <= _LANDMARK_SHARE * self._prose else Verdict.KEEP

    def _choose_root(self) -> etree._Element:
        body_prose = self.sizes.prose(self._body)
        root, prose = self._body, body_prose
        mains = [(self.sizes.prose(main), -at, main) for at, main in enumerate(_find_mains(self._body))]
        if mains and (best := max(mains))[0] >= _MAIN_SHARE * body_prose:
            prose, _, root = best
        articles = [
            (self.sizes.prose(article), -at, article)
            for at, article in enumerate(_find_articles(self._body))
            if root is self._body or any(ancestor is root for ancestor in article.iterancestors())
        ]
        if articles and (best := max(articles))[0] >= _ARTICLE_SHARE * prose:
            root = best[2]
        return root


def _find_mains(body: etree._Element) -> list[etree._Element]:
    elements = [*body.iter("main"), *(role.getparent() for role in _MAIN_ROLES(body)[:_MOST_ROOTS])]
    return elements[:_MOST_ROOTS]


def _find_articles(body: etree._Element) -> list[etree._Element]:
    """Articles that are in no other."""
    elements = [*body.iter("article"), *(name.getparent() for name in _ARTICLE_BODIES(body)[:_MOST_ROOTS])]
    outermost = (element for element in elements if next(element.iterancestors("article"), None) is None)
    return list(islice(outermost, _MOST_ROOTS))


def is_invisible(element: etree._Element) -> bool:
    """Hidden by attribute or inline style; what a style sheet hides is not known here."""
    if element.get("hidden") is not None or element.get("popover") is not None:
        return True
    if element.get("aria-hidden", "").strip().lower() == "true":
        return True
    return _INVISIBLE.search(element.get("style", "")) is not None


def _holds_h1(element: etree._Element) -> bool:
    return next(element.iter("h1"), None) is not None
