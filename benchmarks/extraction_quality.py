"""Compares what extraction reads with what the sites themselves say: their main element, their hidden links.

Leaves printing to `extraction`. Everything here reads the corpora's HTML by itself, not by the product's own rules.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from lxml import html

from benchmarks.corpora import Corpus
from crawler.extraction.site_repetition import PlacedLink, SiteRepetition
from crawler.extraction.types import PageContent

_words_of = str.split
BASE = "http://127.0.0.1:8765"  # the corpora's own placeholder
#: Text on more than this share of the pages is template for both sides.
REPEATED_SHARE = 0.02
_UNSEEN = _words_of("script style noscript template svg button select textarea iframe")
_INLINE = frozenset(
    _words_of(
        "a abbr b bdi cite code del dfn em font i img ins kbd mark q s samp small span strike strong sub sup tt u var "
        "wbr"
    )
)
_WORD = re.compile(r"\w+")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class TextFigures:
    """Words read against words of the main element, over all pages; `poor` is the share of pages with F1 below .5."""

    precision: float
    recall: float
    poor: float

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class LinkFigures:
    """How the hidden links' places and the page's own links were read; see `measure_links`."""

    covered: float
    stands: float
    editorial_pairs: int
    visible_pairs: int
    wrongly_linked: int
    nav_linked: str


def url_of(corpus: Corpus, file: Path) -> str:
    path = "/" + file.relative_to(corpus.directory / "html").as_posix()
    return BASE + (path.removesuffix("index.html") if path.endswith("/index.html") else path)


def html_files(corpus: Corpus) -> list[Path]:
    files = sorted((corpus.directory / "html").rglob("*"))
    return [file for file in files if file.is_file() and file.suffix in (".html", "")]


def lines_of(element: html.HtmlElement) -> list[str]:
    """The element's text, one line per block, by nothing but the tags."""
    parts: list[str] = []
    for event, node in html.etree.iterwalk(element, events=("start", "end")):
        is_inline = node.tag in _INLINE
        if event == "start":
            parts.append(("" if is_inline else "\n") + (node.text or "").replace("\n", " "))
        else:
            tail = node.tail if node is not element and node.tail else ""
            parts.append(("" if is_inline else "\n") + tail.replace("\n", " "))
    lines = (_SPACE.sub(" ", line).strip() for line in "".join(parts).split("\n"))
    return [line for line in lines if _WORD.search(line)]


def main_lines(document: html.HtmlElement, xpath: str) -> list[str] | None:
    """Lines of the site's main element; None on pages without one."""
    found = document.xpath(xpath)
    if not found:
        return None
    for unseen in found[0].xpath("|".join(f".//{tag}" for tag in _UNSEEN)):
        unseen.drop_tree()
    return lines_of(found[0])


def compare_texts(pairs: Sequence[tuple[Sequence[str], Sequence[str], Iterable[str]]]) -> TextFigures:
    """(lines read, lines of the main element, titles) of each page. Repeated lines and titles count on neither side."""
    seen: Counter[str] = Counter()
    for read, main, _ in pairs:
        seen.update({line.casefold() for line in (*read, *main)})
    limit = max(REPEATED_SHARE * len(pairs), 1)
    repeated = {line for line, pages in seen.items() if pages > limit}
    shared = read_total = main_total = poor = 0
    for read, main, titles in pairs:
        skipped = repeated | {title.casefold() for title in titles}
        read_words, main_words = _words(read, skipped), _words(main, skipped)
        both = (read_words & main_words).total()
        shared, read_total, main_total = shared + both, read_total + read_words.total(), main_total + main_words.total()
        poor += 4 * both < read_words.total() + main_words.total()  # F1 is 2 * both / (read + main)
    return TextFigures(shared / max(read_total, 1), shared / max(main_total, 1), poor / max(len(pairs), 1))


def _words(lines: Iterable[str], skipped: set[str]) -> Counter[str]:
    return Counter(word for line in lines if line.casefold() not in skipped for word in _WORD.findall(line.casefold()))


def measure_links(
    corpus: Corpus, pages: Mapping[str, PageContent], meta: Mapping[str, Any], score: ModuleType
) -> LinkFigures:
    """Hidden sentences found whole, sentences that stand in the page, and links counted as an editor's.

    `wrongly_linked` are hidden pairs that the page still seems to link from its content; pairs whose target does
    remain in menus or cards (`nav_linked`) are told apart.
    """
    by_path = {score.path_of(url): (url, page) for url, page in pages.items()}
    words = score.read_pages(corpus.directory)
    sentences = [(score.path_of(url), s.text) for url, page in pages.items() for s in page.sentences]
    stands = sum(" ".join(score.tokens(text)) in words[path] for path, text in sentences)
    truth = [row for row in corpus.truth() if score.path_of(row["source"]) in by_path]
    covered = _count_covered(truth, by_path, score)
    editorial = _editorial_pairs(by_path, pages, score)
    hidden: dict[tuple[str, str], bool] = {}
    for row in truth:
        if not row["generic_anchor"]:
            pair = score.path_of(row["source"]), score.path_of(row["target"])
            hidden[pair] = hidden.get(pair, False) or row["nav_link_remains"]
    nav = [pair for pair, remains in hidden.items() if remains]
    return LinkFigures(
        covered=covered / max(len(truth), 1),
        stands=stands / max(len(sentences), 1),
        editorial_pairs=len(editorial),
        visible_pairs=meta["in_text_pairs"] - meta["hidden_pairs"],
        wrongly_linked=sum(pair in editorial for pair, remains in hidden.items() if not remains),
        nav_linked=f"{sum(pair in editorial for pair in nav)}/{len(nav)}",
    )


def _count_covered(truth: Sequence[dict[str, Any]], by_path: Mapping[str, Any], score: ModuleType) -> int:
    known: dict[tuple[str, str], bool] = {}
    for row in truth:
        key = row["source"], row["sentence"]
        if key not in known:
            _, page = by_path[score.path_of(row["source"])]
            known[key] = any(
                page.blocks[s.block_ordinal].is_linkable and score.same_sentence(s.text, row["sentence"])
                for s in page.sentences
            )
    return sum(known[row["source"], row["sentence"]] for row in truth)


def _editorial_pairs(
    by_path: Mapping[str, Any], pages: Mapping[str, PageContent], score: ModuleType
) -> set[tuple[str, str]]:
    """Links between pages of the corpus that are editorial after the site-wide pass."""
    repetition = SiteRepetition()
    for page in pages.values():
        repetition.count(page.language, page.blocks, (_placed(link) for link in page.links if link.is_editorial))
    pairs: set[tuple[str, str]] = set()
    for path, (_, page) in by_path.items():
        repeated = repetition.repeated_blocks(page.language, page.blocks)
        for link in page.links:
            target = score.path_of(link.url)
            if not link.is_editorial or not link.url.startswith(BASE) or target == path or target not in by_path:
                continue
            if link.block_ordinal in repeated or repetition.is_template_link(_placed(link), page.language, page.blocks):
                continue
            pairs.add((path, target))
    return pairs


def _placed(link: Any) -> PlacedLink:
    return PlacedLink(link.url, link.anchor_text, link.block_ordinal)
