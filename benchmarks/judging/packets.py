"""Writes what readers see, and the key that they do not: no score, no reason and no mark of what is planted."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.judging.sites import Item, JudgedSite, PageText, Paragraph

PACKET_ITEMS = 28
TARGET_WORDS = 80
NEIGHBOUR_WORDS = 60
INSTRUCTIONS = Path(__file__).with_name("instructions.md")


def sha256(text: str) -> str:
    """Names a text without saying it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def write_packets(items: Sequence[Item], sites: Mapping[str, JudgedSite], folder: Path) -> list[Path]:
    """packet_1.md and so on, of nearly equal size, each with the instructions; items are numbered from 001."""
    folder.mkdir(parents=True, exist_ok=True)
    count = -(-len(items) // PACKET_ITEMS)
    files = []
    for number in range(count):
        first, last = len(items) * number // count, len(items) * (number + 1) // count
        shown = [show_item(f"{place + 1:03}", items[place], sites[items[place].corpus]) for place in range(first, last)]
        file = folder / f"packet_{number + 1}.md"
        file.write_text("\n\n".join([INSTRUCTIONS.read_text("utf-8").strip(), *shown]) + "\n", "utf-8")
        files.append(file)
    return files


def write_key(items: Sequence[Item], sites: Mapping[str, JudgedSite], file: Path, about: Mapping[str, Any]) -> None:
    """What each number was: paths, hashes, score, planted or not. None of the sites' text."""
    entries = {}
    for number, item in enumerate(items, 1):
        site = sites[item.corpus]
        entries[f"{number:03}"] = {
            "corpus": item.corpus,
            "source": item.source,
            "target": item.target,
            "paragraph_sha256": sha256(site.pages[item.source].paragraphs[item.paragraph].text),
            "anchor_sha256": sha256(site.anchor(item)),
            "score": item.score,
            "planted": item.planted,
        }
    file.write_text(json.dumps({**about, "items": entries}, indent=1, ensure_ascii=False), "utf-8")


def show_item(number: str, item: Item, site: JudgedSite) -> str:
    """One item as its reader sees it."""
    source, target = site.pages[item.source], site.pages[item.target]
    before, paragraph, after = _around(source, item)
    lines = [
        f"---\n\n## {number}",
        f"**On the page** {source.title} — `{source.path}`",
        *([f"(before) {before}"] if before else []),
        f"(here: {_kind(paragraph)})",
        f"> {mark_anchor(paragraph, item.start, item.end)}",
        *([f"(after) {after}"] if after else []),
        f"**The words in [[ ]] would lead to** {target.title} — `{target.path}`",
        f"(it begins) {first_words(' '.join(block.text for block in target.paragraphs), TARGET_WORDS)}",
    ]
    return "\n\n".join(lines)


def mark_anchor(paragraph: Paragraph, start: int, end: int) -> str:
    """The whole paragraph: the suggested words in [[ ]], links that it has already in ‹ ›."""
    marks = [(start, 1, "[["), (end, 0, "]]")]
    for first, last in paragraph.links:
        if last <= start or first >= end:
            marks += [(first, 1, "‹"), (last, 0, "›")]
    text = paragraph.text
    for place, _, mark in sorted(marks, reverse=True):
        text = text[:place] + mark + text[place:]
    return text


def first_words(text: str, count: int) -> str:
    """The first words, and as many characters as those would have where a script writes no spaces."""
    words = text.split()
    shown = " ".join(words[:count])
    longest = count * 8
    is_whole = len(words) <= count and len(shown) <= longest
    return shown[:longest] + ("" if is_whole else " …")


def _kind(block: Paragraph) -> str:
    return block.kind.replace("_", " ")


def _around(page: PageText, item: Item) -> tuple[str, Paragraph, str]:
    def neighbour(number: int) -> str:
        if not 0 <= number < len(page.paragraphs):
            return ""
        block = page.paragraphs[number]
        return f"({_kind(block)}) {first_words(block.text, NEIGHBOUR_WORDS)}"

    return neighbour(item.paragraph - 1), page.paragraphs[item.paragraph], neighbour(item.paragraph + 1)
