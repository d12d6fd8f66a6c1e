"""Real links for the anchor measurement: a sentence, its target's title, and the words that an editor linked.

From the corpora's hidden links where they are present, else from the demo site's own links.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from benchmarks.corpora import CorporaMissing, find_corpora, unpacked

SEED = 20240607
LONGEST_ANCHOR = 8  # words
LONGEST_SENTENCE = 60  # words


@dataclass(frozen=True, slots=True)
class RealLink:
    """`anchor` stands in `sentence`; `group` is the site, whose links share their words' weights."""

    group: str
    language: str
    sentence: str
    title: str
    anchor: str


def links_of_corpora(names: Sequence[str], *, is_english: bool, count: int) -> list[RealLink]:
    """Up to `count` links, drawn evenly from the corpora, one of each pair of pages."""
    per_site = []
    for path in find_corpora(names):
        with unpacked(path) as corpus:
            links = [link for link in _links_of(corpus.name, corpus.truth()) if (link.language == "en") == is_english]
        random.Random(SEED).shuffle(links)
        per_site.append(links)
    mixed = [links[number] for number in range(max(map(len, per_site))) for links in per_site if number < len(links)]
    return mixed[:count]


def _links_of(group: str, rows: Sequence[dict[str, Any]]) -> list[RealLink]:
    links: dict[tuple[str, str], RealLink] = {}
    for row in rows:
        is_usable = (
            not row.get("generic_anchor")
            and row.get("target_title")
            and row["anchor"] in row["sentence"]
            and len(row["anchor"].split()) <= LONGEST_ANCHOR
            and len(row["sentence"].split()) <= LONGEST_SENTENCE
        )
        if is_usable:
            language = str(row.get("lang") or "en").split("-")[0]
            link = RealLink(group, language, row["sentence"], row["target_title"], row["anchor"])
            links.setdefault((row["source"], row["target"]), link)
    return list(links.values())


def links_of_demo() -> list[RealLink]:
    """Every editorial link of the demo site, as the product's own extraction reads it."""
    from crawler.extraction import extract_page
    from demo.site import DemoSite

    site, base = DemoSite(), "http://demo.invalid"
    contents = {
        path: extract_page(site.answer(path).body.encode(), base + path, {"content-type": "text/html; charset=utf-8"})
        for path in site.pages
    }
    links = []
    for content in contents.values():
        for link in content.links:
            target = contents.get(urlsplit(link.url).path)
            if not link.is_editorial or target is None or link.start is None or link.end is None:
                continue
            for sentence in content.sentences:
                is_within = sentence.start <= link.start and link.end <= sentence.end
                if sentence.block_ordinal == link.block_ordinal and is_within:
                    links.append(RealLink("demo", "en", sentence.text, target.h1 or target.title, link.anchor_text))
    return links


def find_links(names: Sequence[str], *, is_english: bool, count: int) -> tuple[str, list[RealLink]]:
    """Where the links come from, in words, and the links."""
    try:
        links = links_of_corpora(names, is_english=is_english, count=count)
        return f"{len(links)} hidden links of {', '.join(sorted({link.group for link in links}))}", links
    except CorporaMissing:
        links = links_of_demo()[:count]
        return f"{len(links)} links of the demo site (the corpora are absent)", links
