"""Bad links of our own, mixed in to see whether readers look: stray words, words cut out of a phrase, a wrong page."""

import random
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from benchmarks.judging.sites import WORD, Item, JudgedSite, PageText

TRIES = 400
LINKABLE = ("paragraph", "list_item")
LEAST_WORDS = 12
LONG_WORD = re.compile(r"\w{3,}")


def plant(sites: Sequence[JudgedSite], drawn: Collection[Item], count: int, lot: random.Random) -> list[Item]:
    """`count` bad links, kinds and sites in turn; fewer where the sites have too little text to make them from."""
    kinds: tuple[Callable[[JudgedSite, random.Random], Item | None], ...] = (stray_words, cut_words, wrong_page)
    used = {(item.corpus, item.source, item.paragraph) for item in drawn}
    planted: list[Item] = []
    for number in range(TRIES):
        if len(planted) == count or not sites:
            break
        item = kinds[len(planted) % len(kinds)](sites[number % len(sites)], lot)
        if item is not None and (item.corpus, item.source, item.paragraph) not in used:
            used.add((item.corpus, item.source, item.paragraph))
            planted.append(item)
    return planted


def stray_words(site: JudgedSite, lot: random.Random) -> Item | None:
    """Two or three words from anywhere in a paragraph, leading to a page that has nothing to do with it."""
    page = lot.choice(sorted(site.pages.values(), key=lambda page: page.path))
    long_enough = [
        number
        for number, paragraph in enumerate(page.paragraphs)
        if paragraph.kind in LINKABLE and not paragraph.links and len(WORD.findall(paragraph.text)) >= LEAST_WORDS
    ]
    if not long_enough:
        return None
    number = lot.choice(long_enough)
    text = page.paragraphs[number].text
    words = list(WORD.finditer(text))
    first = lot.randrange(len(words) - 3)
    last = first + lot.randint(1, 2)
    target = unrelated_page(site, page, text, lot)
    if target is None:
        return None
    return Item(
        site.corpus, page.path, target.path, number, words[first].start(), words[last].end(), planted="stray words"
    )


def cut_words(site: JudgedSite, lot: random.Random) -> Item | None:
    """A real suggestion whose words begin inside of its phrase and end inside of the next one."""
    if not site.suggestions:
        return None
    item = lot.choice(site.suggestions)
    text = site.pages[item.source].paragraphs[item.paragraph].text
    inside = [match for match in WORD.finditer(text) if item.start <= match.start() and match.end() <= item.end]
    after = [match for match in WORD.finditer(text) if match.start() >= item.end][:2]
    if len(inside) < 2 or len(after) < 2 or text[inside[-1].end() : after[-1].start()].strip(" ").count(".") > 0:
        return None
    between = text[inside[-1].end() : after[0].start()] + text[after[0].end() : after[1].start()]
    if between.strip(" "):
        return None  # a comma between would leave the cut half right
    return replace(item, start=inside[-1].start(), end=after[-1].end(), score=None, planted="cut words")


def wrong_page(site: JudgedSite, lot: random.Random) -> Item | None:
    """A real suggestion that leads to another page, which has nothing to do with its paragraph."""
    if not site.suggestions:
        return None
    item = lot.choice(site.suggestions)
    page = site.pages[item.source]
    target = unrelated_page(site, page, page.paragraphs[item.paragraph].text, lot, site.anchor(item))
    return None if target is None else replace(item, target=target.path, score=None, planted="wrong page")


def unrelated_page(
    site: JudgedSite, source: PageText, text: str, lot: random.Random, anchor: str = ""
) -> PageText | None:
    """A page of the same language whose title shares no word with the text, and which nowhere says the anchor.

    The source neither links to it nor is told to.
    """
    near = {item.target for item in site.suggestions if item.source == source.path} | source.linked | {source.path}
    words = _long_words(text) | _long_words(source.title)
    others = [
        page
        for page in sorted(site.pages.values(), key=lambda page: page.path)
        if page.is_target and page.language == source.language and page.path not in near and page.paragraphs
    ]
    for page in lot.sample(others, min(len(others), 50)):
        says_anchor = bool(anchor) and any(anchor.casefold() in block.text.casefold() for block in page.paragraphs)
        if not says_anchor and not _long_words(page.title) & words:
            return page
    return None


def _long_words(text: str) -> set[str]:
    return {word.casefold() for word in LONG_WORD.findall(text)}
