"""Parts of a page that are somebody else's words or notes to the text: quotations, embedded posts, footnotes.

Found by what they are, whatever they are called; no editor links inside them. Leaves names to hints.py.
"""

import re
from itertools import islice

from lxml import etree

from crawler.extraction.hints import words
from crawler.extraction.text_sizes import TextSizes

#: Addresses of single posts, as the code for embedding them holds.
_POST = re.compile(
    r"//(?:[\w-]+\.)?(?:twitter\.com|x\.com)/\w+/status/\d|//bsky\.app/profile/[^/]+/post/|"
    r"//(?:www\.)?instagram\.com/(?:p|reel)/|//(?:www\.)?tiktok\.com/@[^/]+/video/|//(?:www\.)?threads\.(?:net|com)/@[^/]+/post/|"
    r"//(?:www\.)?facebook\.com/[^/]+/posts/|//(?:www\.)?reddit\.com/r/\w+/comments/|//[\w.-]+/@[\w.@-]+/\d{9,}",
    re.IGNORECASE,
)
_BACK_SIGNS = frozenset(words("↩ ↩︎ ↵ ⏎ ⤴ ⤴︎ ↑ ⇧ ⇑ ^ ⬆"))
_TOPS = frozenset(words("# #top #toc #contents #page-top #header #main #content"))
_NOTE_ID = re.compile(r"(?:_?ftn|fn|fnt|foot-?note|end-?note|cite_note)s?[-_:.]?\w*\d[\w.:-]*", re.IGNORECASE)
#: Ids that start as that of a note does. Going over attributes is faster than asking every element for one.
_NAMES_LIKE_NOTES = etree.XPath("descendant::*/@id[contains('_fFeEcC', substring(., 1, 1))]")
_NOTE_TAGS = frozenset(words("li dd tr p div aside"))
_LONGEST_SIGN = max(map(len, _BACK_SIGNS))
_MOST_LOOKED_AT = 2_000


def find_notes(root: etree._Element, sizes: TextSizes) -> set[etree._Element]:
    """Footnotes: what ends with a way back to the text, or has the id of a note."""
    notes = {
        element
        for name in _NAMES_LIKE_NOTES(root)[:_MOST_LOOKED_AT]
        if _NOTE_ID.fullmatch(name) and (element := name.getparent()).tag in _NOTE_TAGS
    }
    for anchor in islice(sizes.place_links(root), _MOST_LOOKED_AT):
        if sizes.of_link(anchor) > _LONGEST_SIGN or anchor.get("href", "").lower() in _TOPS:
            continue
        if "".join(anchor.itertext()).strip() not in _BACK_SIGNS:
            continue
        around = [element for element in anchor.iterancestors() if element.tag in _NOTE_TAGS and element is not root]
        if around:
            notes.add(next((element for element in around[:3] if element.tag in ("li", "dd", "tr")), around[0]))
    return notes


def is_quotation(blockquote: etree._Element, host: str) -> bool:
    """Whether a blockquote holds another's words: none of the site's editors made a link within it.

    One that names its source is a quotation though it holds links.
    """
    if blockquote.get("cite") or next(blockquote.iter("cite", "footer"), None) is not None:
        return True
    hrefs = [anchor.get("href", "") for anchor in blockquote.iter("a")]
    if any(_POST.search(href) for href in hrefs):
        return True
    return not any(_is_internal(href, host) for href in hrefs)


def _is_internal(href: str, host: str) -> bool:
    scheme, mark, rest = href.strip().partition("//")
    if not mark or (scheme and not scheme.lower().startswith("http")):
        return bool(href) and ":" not in href.split("/")[0] and not href.startswith("#")
    return bool(host) and rest.lower().split("/")[0].removeprefix("www.") == host.removeprefix("www.")
