"""Text to an lxml tree, made safe against hostile markup. Leaves the meaning of elements to others."""

import re

from lxml import etree

_DROPPED_TAGS = ("script", "style", "template", "noscript", "svg", "iframe", "object", "audio", "video", "canvas")
#: Comments and scripts; and the body's end, as the parser drops what follows it, and browsers do not.
_UNSEEN = re.compile(
    r"<(?:!--(?:-?>|.*?(?:--!?>|\Z))|(script|style)\b[^<>]*+>.*?(?:</\1\s*+>|\Z)|/(?:body|html)\s*+>)",
    re.DOTALL | re.IGNORECASE,
)
#: Control characters are invisible on the page and refused by databases.
_CONTROL_SIGNS = [chr(code) for code in (*range(9), 11, *range(14, 32), 127)]
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
#: libxml2 takes time quadratic in a tag's attributes: a tag with more than these loses all but its name.
_MOST_ATTRIBUTES = 500
_ATTRIBUTE = r"[\s/]*+=?+[^\s/=>]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>]*+))?+"
_REST_OF_TAG = r"(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|))*+"
_OVERLOADED_TAG = re.compile(
    rf"(<[a-zA-Z][^\s/>]{{0,60}}+)[^\s/>]*+(?:{_ATTRIBUTE}){{{_MOST_ATTRIBUTES}}}{_REST_OF_TAG}"
)
#: Tags that, left open again and again, nest deeper than libxml2 follows. Such a page is read as lines of text.
_NESTING_BLOCKS = re.compile(
    r"</?(?:div|section|article|main|center|table|tbody|tr|td|ul|ol|li|dl|dd|blockquote|form|fieldset|details|summary|"
    r"p|h[1-6]|object)\b[^<>]*+>",
    re.IGNORECASE,
)
_NESTING_INLINE = re.compile(
    r"</?(?:span|font|b|i|u|s|em|strong|big|small|tt|q|ins|del|sub|sup|code|kbd|samp|var|cite|abbr|mark|nobr|label)"
    r"\b[^<>]*+>",
    re.IGNORECASE,
)


def parse_html(text: str) -> etree._Element | None:
    """The root element, without scripts, comments and other unseen parts; None where nothing can be parsed."""
    if any(sign in text for sign in _CONTROL_SIGNS):
        text = _CONTROLS.sub(" ", text)
    text = _UNSEEN.sub("", text)
    text = _OVERLOADED_TAG.sub(r"\1", text)
    root, is_too_deep = _parse(text)
    if is_too_deep:
        root, _ = _parse(_NESTING_INLINE.sub("", _NESTING_BLOCKS.sub("<br><br>", text)))
    if root is not None:
        etree.strip_elements(root, *_DROPPED_TAGS, with_tail=False)
    return root


def _parse(text: str) -> tuple[etree._Element | None, bool]:
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError):  # an empty document, or one that even a forgiving parser refuses
        return None, False
    # Only the error log tells a cut tree from a whole one.
    return root, any("depth" in entry.message.lower() for entry in parser.error_log.filter_from_fatals())
