"""Raw post content to the HTML that WordPress makes of it, as far as text and links go. Pure.

An export holds what editors typed; readers see what WordPress renders. So block comments and shortcodes go, plain lines
become paragraphs, straight quotes and dashes become typographic ones. Written after the behaviour of WordPress 6.2 to
6.6, with which tests compare it. Dynamic blocks and the shortcodes
of plugins are WordPress' own affair: their text is in no export.
"""

import re

from crawler.sources.wordpress_typography import typeset

_BLOCK_COMMENT = re.compile(r"<!--\s*/?wp:.*?-->\n?", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CAPTION = re.compile(r"\[(?:wp_)?caption\b([^\]]*)\](.*?)\[/(?:wp_)?caption\]", re.DOTALL)
_CAPTION_TEXT = re.compile(r"((?:<a [^>]*>\s*)?<img [^>]*>(?:\s*</a>)?)(.*)", re.DOTALL)
#: Shortcodes of WordPress itself that put media in their place.
_MEDIA = re.compile(r"\[(?:gallery|audio|video|playlist)\b[^\]]*\](?:\[/(?:audio|video|playlist)\])?")
_EMBED = re.compile(r"\[embed\b[^\]]*\](.*?)\[/embed\]", re.DOTALL)
_BLOCKS = (
    "table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address"
    "|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu"
    "|summary|math|option|script|textarea|template|noscript|select|iframe"
)
_OPENING = re.compile(rf"\s*(<(?:{_BLOCKS})(?=[\s/>])[^>]*>)", re.IGNORECASE)
_CLOSING = re.compile(rf"(</(?:{_BLOCKS})>)\s*", re.IGNORECASE)
_BEGINS_AS_BLOCK = re.compile(rf"\s*</?(?:{_BLOCKS})(?=[\s/>])", re.IGNORECASE)
_PRESERVED = re.compile(r"<(pre|script|style|textarea|svg)\b.*?</\1>", re.IGNORECASE | re.DOTALL)
_BREAKS = re.compile(r"<br\s*/?>\s*<br\s*/?>", re.IGNORECASE)
_HOLDS_LINES = re.compile(r"\s*<(?:td|th|li|dd|dt|figcaption|div)\b", re.IGNORECASE)
_HELD = re.compile("<pre>\x02(\\d+)\x03</pre>")


def render_content(raw: str) -> str:
    """The HTML of a post's raw content."""
    text = raw.replace("\r\n", "\n").replace("\r", "\n").replace("\x02", "").replace("\x03", "")
    is_blocks = "<!-- wp:" in text
    text = _BLOCK_COMMENT.sub("", text)
    text = typeset(text)
    if not is_blocks:
        text = make_paragraphs(text)
    return _replace_shortcodes(text)


def render_title(raw: str) -> str:
    """The HTML of a post's raw title."""
    return typeset(raw)


def make_paragraphs(text: str) -> str:
    """Lines between empty lines as paragraphs, line ends as breaks, around what is a block already."""
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found[0])
        return f"<pre>\x02{len(held) - 1}\x03</pre>"

    text = _PRESERVED.sub(hold, text)
    text = _BREAKS.sub("\n\n", text)
    text = _OPENING.sub(r"\n\n\1", text)
    text = _CLOSING.sub(r"\1\n\n", text)
    parts = [part.strip("\n") for part in re.split(r"\n\s*\n", text)]
    rendered = "\n".join(_paragraph(part) for part in parts if part.strip())
    return _HELD.sub(lambda found: held[int(found[1])], rendered)


def _paragraph(part: str) -> str:
    if _BEGINS_AS_BLOCK.match(part):
        return _with_breaks(part) if _HOLDS_LINES.match(part) else part
    found = re.match(rf"(.*?)((?:\s*</(?:{_BLOCKS})>)*)\Z", part, re.IGNORECASE | re.DOTALL)
    body, closing = found.groups() if found else (part, "")
    return f"<p>{_with_breaks(body)}</p>{closing}"


def _with_breaks(text: str) -> str:
    return re.sub(r"(?<!<br />)\s*\n", "<br />\n", text.strip())


def _replace_shortcodes(text: str) -> str:
    text = _CAPTION.sub(_caption, text)
    text = _EMBED.sub("", text)
    return _MEDIA.sub("", text)


def _caption(found: re.Match[str]) -> str:
    named = re.search(r'caption="([^"]*)"', found[1])
    inside = _CAPTION_TEXT.match(found[2].strip())
    image, words = (inside[1], inside[2].strip()) if inside else (found[2], "")
    words = words or (named[1] if named else "")
    return f"<figure>{image}<figcaption>{words}</figcaption></figure>" if words else image
