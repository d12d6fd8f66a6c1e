"""Which classes and ids the page's own style sheet hides, as far as plain rules tell. Leaves style files unread.

Only rules for one class or id count ("p.note", ".note", "#note"), outside of @media and the like: what a longer
selector hides depends on more than this module knows.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

# Every pattern goes over the text once, whatever stands there: what is not closed ends with the text.
_SHEETS = re.compile(r"<style\b[^<>]*+>(.*?)(</style\s*+>|\Z)", re.DOTALL | re.IGNORECASE)
_COMMENTS_AND_STRINGS = re.compile(
    r"""/\*.*?(?:\*/|\Z) | "(?:[^"\\\n]|\\.)*+"? | '(?:[^'\\\n]|\\.)*+'?""", re.DOTALL | re.VERBOSE
)
_BRACES = re.compile(r"[{}]")
_PLAIN_SELECTOR = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9]*)?([.#])([\w\u0080-\U0010ffff-]+)")
_HIDING = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_SHOWING = re.compile(r"(?:^|;)\s*(?:display|visibility)\s*:", re.IGNORECASE)
_MOST_CSS = 300_000


@dataclass(frozen=True, slots=True)
class HiddenNames:
    """Names whose elements are not shown."""

    classes: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.classes or self.ids)

    def hide(self, element: etree._Element) -> bool:
        """Whether the element's class or id is among them."""
        return element.get("id", "") in self.ids or not self.classes.isdisjoint(element.get("class", "").split()[:50])


def find_hidden_names(html: str) -> HiddenNames:
    """Names that the style elements of a page hide and do not show again."""
    css = "\n".join(match[1] for match in _SHEETS.finditer(html) if match[2])[:_MOST_CSS]
    if not _HIDING.search(css.replace("{", ";")):
        return HiddenNames()
    hidden: dict[str, set[str]] = {".": set(), "#": set()}
    for selectors, declarations in _plain_rules(_COMMENTS_AND_STRINGS.sub("", css)):
        is_hiding, is_showing = _HIDING.search(declarations), _SHOWING.search(declarations)
        if not is_showing:
            continue
        for selector in selectors.split(","):
            if plain := _PLAIN_SELECTOR.fullmatch(selector.strip()):
                (hidden[plain[1]].add if is_hiding else hidden[plain[1]].discard)(plain[2])
    return HiddenNames(frozenset(hidden["."]), frozenset(hidden["#"]))


def _plain_rules(css: str) -> Iterator[tuple[str, str]]:
    """Selectors and declarations of each rule that is closed, stands in no other and holds none."""
    depth = deepest = start = opened = 0
    for brace in _BRACES.finditer(css):
        if brace[0] == "{":
            depth += 1
            deepest = max(deepest, depth)
            opened = brace.start() if depth == 1 else opened
            continue
        depth = max(depth - 1, 0)
        if depth:
            continue
        selectors = css[start:opened].rpartition(";")[2].strip()
        if deepest == 1 and not selectors.startswith("@"):
            yield selectors, css[opened + 1 : brace.start()]
        deepest, start = 0, brace.end()
