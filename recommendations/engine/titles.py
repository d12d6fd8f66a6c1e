"""What a page is called: its title without the site's name, its heading, or the words of its address.

Leaves the comparison of names with texts to `features` and `mentions`.
"""

from collections import Counter
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

import regex

from recommendations.engine.types import SitePages
from recommendations.engine.words import fold, split_words

_SEPARATOR = regex.compile(r"\s+[|–—·»›:•‹«-]\s+|\s*[|»›•]\s*|:\s+")
_SUBTITLE = regex.compile(r"\s*[:：?？!！|(（;；]\s*|\s+[–—-]\s+")
_HEADING_MARKS = regex.compile(r"[¶§#]\s*$")
_COMMON_SHARE = 0.2


def slug_words(url: str) -> str:
    """The last telling part of a URL's path as words: /docs/http_caching.html -> "http caching"."""
    parts = [part for part in unquote(urlsplit(url).path).split("/") if part]
    while parts and regex.fullmatch(r"index(\.\w+)*|default\.\w+", parts[-1]):
        parts.pop()
    if not parts:
        return ""
    stem = regex.sub(r"\.(x?html?|php|aspx?)(\.\w{2}(\.\w+)?)?$", "", parts[-1])
    return " ".join(regex.sub(r"[-_+.]+", " ", stem).split())


def short_name(name: str, language: str) -> str:
    """What stands before a subtitle ("Saddles: width, height and tilt" -> "Saddles"); the name where it has none."""
    head = _SUBTITLE.split(name, maxsplit=1)[0].strip()
    return head if head and any(not word.is_stop for word in split_words(head, language)) else name


def _common_parts(titles: Sequence[str]) -> set[str]:
    """Folded first and last parts that a fifth of the titles share: the site's name and its sections' names."""
    counts: Counter[str] = Counter()
    for title in titles:
        parts = _SEPARATOR.split(title)
        if len(parts) > 1:
            counts.update({fold(parts[0]), fold(parts[-1])})
    least = max(3, _COMMON_SHARE * len(titles))
    return {part for part, count in counts.items() if count >= least}


def _without_common(title: str, common: set[str]) -> str:
    """The title with a common part cut off at either end, as long as something is left."""
    cuts = list(_SEPARATOR.finditer(title))
    if cuts and fold(title[cuts[-1].end() :]) in common:
        return title[: cuts[-1].start()].strip()
    if cuts and fold(title[: cuts[0].start()]) in common:
        return title[cuts[0].end() :].strip()
    return title.strip()


def _cleaned(titles: Sequence[str]) -> list[str]:
    """Common parts cut off again and again: "Tyres | Guide | Shop" has two."""
    current = [title.strip() for title in titles]
    for _ in range(4):
        common = _common_parts(current)
        shorter = [_without_common(title, common) for title in current]
        if shorter == current:
            break
        current = shorter
    return current


def page_names(pages: SitePages) -> list[str]:
    """One name a page, never longer than 200 characters, "" only for pages without title, heading and path."""
    cleaned = _cleaned(pages.titles)
    repeated = {title for title, count in Counter(map(fold, cleaned)).items() if count >= max(3, len(cleaned) * 0.02)}
    names = []
    for title, h1, url in zip(cleaned, pages.h1s, pages.urls, strict=True):
        heading = _HEADING_MARKS.sub("", h1).strip()
        is_telling = bool(title) and fold(title) not in repeated
        name = title if is_telling else heading or slug_words(url) or title
        names.append(_HEADING_MARKS.sub("", name).strip()[:200])
    return names
