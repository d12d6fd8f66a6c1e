"""What is judged: a site's pages as text, and suggestions placed in them. Leaves choosing to `draw`."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

WORD = re.compile(r"\w+(?:['’-]\w+)*")


class JudgingError(Exception):
    """Nothing can be judged like this; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A block of a page's main content. `links` are the (start, end) of the links that it already has."""

    kind: str
    text: str
    links: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PageText:
    """A page as a reader sees it. `linked` holds the paths that its content already links to."""

    path: str
    title: str
    language: str
    paragraphs: tuple[Paragraph, ...]
    linked: frozenset[str] = frozenset()
    is_target: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """One link to judge: the characters [start, end) of a paragraph of `source` should lead to `target`.

    `planted` names the kind of mistake where the link is a bad one of ours; those have no score.
    """

    corpus: str
    source: str
    target: str
    paragraph: int
    start: int
    end: int
    score: float | None = None
    planted: str = ""


@dataclass(slots=True)
class JudgedSite:
    """One site: its pages by path, and what the product suggests on it at its default threshold."""

    corpus: str
    pages: dict[str, PageText]
    suggestions: list[Item] = field(default_factory=list)

    def anchor(self, item: Item) -> str:
        """The words that would carry the link."""
        return self.pages[item.source].paragraphs[item.paragraph].text[item.start : item.end]


def path_of(url: str) -> str:
    """The path with its query: what names a page on its site, on whatever port it was served."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def read_pages(file: Path) -> dict[str, PageText]:
    """The pages that `page_texts` wrote."""
    pages = {}
    for row in json.loads(file.read_text("utf-8")):
        paragraphs = tuple(
            Paragraph(block["kind"], block["text"], tuple((start, end) for start, end in block["links"]))
            for block in row["blocks"]
        )
        path = path_of(row["url"])
        linked = frozenset(path_of(url) for url in row["linked"])
        pages[path] = PageText(path, row["title"], row["language"], paragraphs, linked, row["is_target"])
    return pages


def place_suggestions(corpus: str, pages: dict[str, PageText], rows: Sequence[dict[str, Any]]) -> JudgedSite:
    """The exported rows as items, in an order that does not depend on the run. Ten at most a page, the highest."""
    items = []
    for row in rows:
        if row["rank"] > 10:
            continue
        source, target = path_of(row["source"]), path_of(row["target"])
        if source not in pages or target not in pages:
            raise JudgingError(f"{corpus}: the pages {source} and {target} of a suggestion were not read. Run it anew.")
        start, end = _place(row, pages[source])
        items.append(Item(corpus, source, target, row["block"], start, end, float(row["score"])))
    items.sort(key=lambda item: (item.source, item.paragraph, item.start, item.target))
    return JudgedSite(corpus, pages, items)


def _place(row: dict[str, Any], page: PageText) -> tuple[int, int]:
    text, anchor = page.paragraphs[row["block"]].text, row["anchor_text"]
    start = text.find(anchor)
    while start >= 0:
        end = start + len(anchor)
        if text[:start].endswith(row["context_before"]) and text[end:].startswith(row["context_after"]):
            return start, end
        start = text.find(anchor, start + 1)
    raise JudgingError(f"{anchor!r} does not stand where the suggestion on {page.path} says. Read the site anew.")
