"""Straight quotes, apostrophes, dashes and dots to the typographic ones that WordPress shows its readers. Pure.

English rules, as WordPress applies them where no translation brings others. Text in tags, code, pre, script, style and
shortcodes stays as it is. Leaves paragraphs to `wordpress_rendering`.
"""

import re

#: Shortcodes that WordPress has by itself; those of plugins are text to it where the plugin is not there.
_SHORTCODES = "caption|wp_caption|gallery|playlist|audio|video|embed"
_TOKENS = re.compile(rf"(<!--.*?-->|<[^>]*>|\[/?(?:{_SHORTCODES})(?:\s[^\[\]<>]*)?\])", re.DOTALL)
_VERBATIM = ("pre", "code", "kbd", "style", "script", "tt")

_PLAIN = (
    ("...", "\u2026"),
    ("``", "\u201c"),
    ("''", "\u201d"),
    (" (tm)", " \u2122"),
)
_COCKNEY = re.compile(r"'(tain't|twere|twas|tis|twill|til|bout|nuff|round|cause|em)(?!\w)")
#: Applied in this order wherever a text holds a single quote: '99 is an abbreviated year, 9' a foot.
_SINGLE = (
    (re.compile(r"'(\d\d)(?:'|&#8217;)(?=\Z|[.,:;!?)}\-\]]|&gt;|\s|\xa0)"), "\u2019\\1\u2019"),
    (re.compile(r"(?<![^\s(\[{\"\-\xa0])'(\d[.,\d]*)'"), "\u2018\\1\u2019"),
    (re.compile(r"'(?=\d\d(?:\Z|(?![%\d]|[.,]\d)))"), "\u2019"),
)
_OPENING_SINGLE = re.compile(r"(^|[(\[{\"\-\u2013\u2014\u201c]|&lt;|[\r\n\t \xa0]|&nbsp;)'")
_OPENING_DOUBLE = re.compile(r"(^|[(\[{\-\u2013\u2014\u2018]|&lt;|[\r\n\t \xa0]|&nbsp;)\"(?!\s|\xa0)")
_EM_DASH = re.compile(r"(^|[\s\xa0])--(?=\Z|[\s\xa0])")
_TIMES = re.compile(r"\b(\d[\d.,]*(?:&#0*39;|&#8217;|')?)x(\d[\d.,]*)\b")
_BARE_AMPERSAND = re.compile(r"&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)", re.IGNORECASE)


def typeset(text: str) -> str:
    """The text with typographic marks, tags and shortcodes untouched."""
    depth: list[str] = []
    out: list[str] = []
    for token in _TOKENS.split(text):
        if not token:
            continue
        if _TOKENS.fullmatch(token):
            _follow(token, depth)
            out.append(token)
        else:
            out.append(token if depth else _typeset_text(token))
    return "".join(out)


def _follow(tag: str, depth: list[str]) -> None:
    """Keep track of the elements in which nothing is set."""
    found = re.match(r"<(/?)([A-Za-z]+)", tag)
    if found is None or found[2].lower() not in _VERBATIM or tag.endswith("/>"):
        return
    name = found[2].lower()
    if not found[1]:
        depth.append(name)
    elif depth and depth[-1] == name:
        depth.pop()


def _close_double(text: str) -> str:
    """Each double quote that is left closes one, or is the sign for inches or seconds where none is open."""
    out: list[str] = []
    open_quotes = 0
    for place, letter in enumerate(text):
        if letter == "\u201c":
            open_quotes += 1
        elif letter == '"':
            is_prime = not open_quotes and place > 0 and text[place - 1].isdigit()
            open_quotes = max(0, open_quotes - 1)
            letter = "\u2033" if is_prime else "\u201d"
        out.append(letter)
    return "".join(out)


def _typeset_text(text: str) -> str:
    for plain, typographic in _PLAIN:
        text = text.replace(plain, typographic)
    if "'" in text:
        text = _COCKNEY.sub("\u2019\\1", text)
        for expression, replacement in _SINGLE:
            text = expression.sub(replacement, text)
        text = _OPENING_SINGLE.sub("\\1\u2018", text)
        text = text.replace("'", "\u2019")
    if '"' in text:
        text = _OPENING_DOUBLE.sub("\\1\u201c", text)
        text = _close_double(text)
    if "-" in text:
        text = text.replace("---", "\u2014")
        text = _EM_DASH.sub("\\1\u2014", text)
        text = re.sub(r"(?<!xn)--", "\u2013", text)
        text = re.sub(r"(^|[\s\xa0])-(?=[\s\xa0])", "\\1\u2013", text)
    text = _TIMES.sub("\\1\u00d7\\2", text)
    return _BARE_AMPERSAND.sub("&#038;", text)
