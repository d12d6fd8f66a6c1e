"""Measures extraction on real pages: speed beside parsing alone, text beside "body without nav, header and footer".

    python -m benchmarks.extraction [CORPUS ...]      # folders, archives or names; all by default

Text is compared with each site's own main element (corpora/main_content.json), hidden links with the sentences found.
Exit status 1 where a bound is missed.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence

from lxml import html

from benchmarks.corpora import CorporaMissing, Corpus, find_corpora, load_measure, shared_directory, unpacked
from benchmarks.extraction_quality import (
    LinkFigures,
    TextFigures,
    compare_texts,
    html_files,
    lines_of,
    main_lines,
    measure_links,
    url_of,
)
from benchmarks.tables import format_table
from crawler.extraction import extract_page
from crawler.extraction.charset import decode_html
from crawler.extraction.types import PageContent

_HEADER = (
    *("corpus", "pages/CPU s", "parsing alone", "precision", "recall", "F1", "pages that lose half", "plain F1"),
    *("sentence found", "stands", "editorial pairs", "visible pairs", "wrongly linked", "linked in menus"),
)
LOWEST_F1 = 0.95
LOWEST_COVERED = 0.97
LOWEST_STANDS = 0.9999
_PLAINLY_DROPPED = ("script", "style", "noscript", "nav", "header", "footer")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS")
    options = parser.parse_args(arguments)
    try:
        paths = find_corpora(options.corpora)
        mains = json.loads((shared_directory() / "corpora" / "main_content.json").read_text("utf-8"))
        load_measure("score")
    except (CorporaMissing, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    rows, is_good = [], True
    for path in paths:
        with unpacked(path) as corpus:
            row, is_within = measure(corpus, mains.get(corpus.name, "//main"))
        rows.append(row)
        is_good = is_good and is_within
    print(
        format_table(
            _HEADER,
            rows,
        )
    )
    return 0 if is_good else 1


def measure(corpus: Corpus, main_xpath: str) -> tuple[list[object], bool]:
    """One row of the table, and whether its bounds hold."""
    bodies = {url_of(corpus, file): file.read_bytes() for file in html_files(corpus)}
    first = next(iter(bodies))
    extract_page(bodies[first], first, {})  # models load on first use
    pages, seconds = _extract(bodies)
    documents, plain_seconds = _parse(bodies)
    texts = _text_figures(pages, documents, main_xpath)
    plain = _text_figures(None, documents, main_xpath)
    meta = json.loads((corpus.directory / "meta.json").read_text("utf-8"))
    links = measure_links(corpus, pages, meta, load_measure("score"))
    row: list[object] = [corpus.name, round(len(pages) / seconds), round(len(pages) / plain_seconds)]
    row += [texts.precision, texts.recall, texts.f1, texts.halved, plain.f1]
    row += [links.covered, f"{links.stands:.5f}", links.editorial_pairs, links.visible_pairs]
    row += [links.wrongly_linked, links.nav_linked]
    return row, _is_within_bounds(texts, links)


def _is_within_bounds(texts: TextFigures, links: LinkFigures) -> bool:
    return texts.f1 >= LOWEST_F1 and links.covered >= LOWEST_COVERED and links.stands >= LOWEST_STANDS


def _extract(bodies: dict[str, bytes]) -> tuple[dict[str, PageContent], float]:
    start = time.process_time()
    pages = {url: extract_page(body, url, {}) for url, body in bodies.items()}
    return pages, time.process_time() - start


def _parse(bodies: dict[str, bytes]) -> tuple[dict[str, html.HtmlElement], float]:
    texts = {url: decode_html(body, {}) for url, body in bodies.items()}
    start = time.process_time()
    documents = {url: html.document_fromstring(text.encode(), parser=_parser()) for url, text in texts.items()}
    return documents, time.process_time() - start


def _parser() -> html.HTMLParser:
    return html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)


def _text_figures(
    pages: dict[str, PageContent] | None, documents: dict[str, html.HtmlElement], main_xpath: str
) -> TextFigures:
    """Of the pages as extracted, or with None of the plain method."""
    pairs = []
    for url, document in documents.items():
        lines = main_lines(document, main_xpath)
        if lines is None:
            continue
        titles = {heading.text_content().strip() for heading in document.iter("h1")}
        read = [block.text for block in pages[url].blocks] if pages is not None else _plain_lines(document)
        pairs.append((read, lines, titles))
    return compare_texts(pairs)


def _plain_lines(document: html.HtmlElement) -> list[str]:
    body = document.find("body")
    if body is None:
        return []
    for element in list(body.iter(*_PLAINLY_DROPPED)):
        if element.getparent() is not None:
            element.drop_tree()
    return lines_of(body)


if __name__ == "__main__":
    sys.exit(main())
