"""Measures extraction on real pages, in one run beside trafilatura, resiliparse and readability-lxml: text, CPU time.

    python -m benchmarks.extraction [CORPUS ...] [--pages N]      # folders, archives or names; all by default

Text is compared with each site's own main element (corpora/main_content.json), page by page, text that repeats on more
than 2 % of a site's pages counting on neither side; hidden links with the sentences found. Exit status 1 where a bound
is missed. Slices of a corpus that is measured whole are left out of the sums.
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lxml import html

from benchmarks.corpora import CorporaMissing, Corpus, find_corpora, load_measure, shared_directory, unpacked
from benchmarks.extraction_methods import (
    PLAIN,
    PRODUCT,
    Method,
    MethodRun,
    find_rivals,
    parse,
    plain_lines,
    run_methods,
)
from benchmarks.extraction_quality import (
    LinkFigures,
    TextFigures,
    compare_texts,
    html_files,
    main_lines,
    measure_links,
    url_of,
)
from benchmarks.tables import format_ratio, format_table

_TEXT_HEADER = ("corpus", "method", "pages", "precision", "recall", "F1", "F1 below .5", "pages/CPU s", "product's")
_LINK_HEADER = (
    *("corpus", "parsing alone, pages/CPU s", "sentence found", "stands", "editorial pairs", "visible pairs"),
    *("wrongly linked", "linked in menus"),
)
LOWEST_F1 = 0.97
MOST_POOR = 0.01
LOWEST_SPEED = 150
LOWEST_COVERED = 0.97
LOWEST_STANDS = 0.9999


@dataclass(frozen=True, slots=True)
class Measured:
    """One corpus: each method's figures by its name, pages and CPU seconds; and how its links were read."""

    corpus: str
    site: str
    texts: dict[str, TextFigures]
    runs: dict[str, MethodRun]
    links: LinkFigures
    parsed_per_second: float


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS")
    parser.add_argument("--pages", type=int, default=0, metavar="N", help="only every so many, N of each corpus")
    options = parser.parse_args(arguments)
    try:
        paths = find_corpora(options.corpora)
        mains = json.loads((shared_directory() / "corpora" / "main_content.json").read_text("utf-8"))
        load_measure("score")
    except (CorporaMissing, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    others, missing = find_rivals()
    if missing:
        print(f"Not measured, as not installed (see requirements-dev.txt): {', '.join(missing)}", file=sys.stderr)
    measured = []
    for path in paths:
        with unpacked(path) as corpus:
            measured.append(measure(corpus, mains.get(corpus.name, "//main"), options.pages, others))
    print_tables(measured)
    faults = find_faults(measured)
    print("\n" + ("\n".join(faults) if faults else "Every bound is kept."))
    return 1 if faults else 0


def measure(
    corpus: Corpus, main_xpath: str, most_pages: int = 0, rivals: Mapping[str, Method] | None = None
) -> Measured:
    """The product, the plain method and `rivals` on one corpus, or on pages of it that lie evenly apart."""
    files = html_files(corpus)
    step = max(len(files) // most_pages, 1) if most_pages else 1
    bodies = {url_of(corpus, file): file.read_bytes() for file in files[::step]}
    pages, runs = run_methods(bodies, {**(rivals or {}), PLAIN: plain_lines})
    start = time.process_time()
    documents = {url: parse(body) for url, body in bodies.items()}
    seconds = time.process_time() - start
    truths = _truths(documents, main_xpath)
    return Measured(
        corpus=corpus.name,
        site=corpus.site(),
        texts={run.name: _text_figures(run.lines, truths) for run in runs},
        runs={run.name: run for run in runs},
        links=measure_links(corpus, pages, corpus.meta(), load_measure("score")),
        parsed_per_second=len(documents) / seconds,
    )


def print_tables(measured: Sequence[Measured]) -> None:
    rows = []
    for one in measured:
        own = one.runs[PRODUCT].pages_per_second
        for name, texts in one.texts.items():
            speed = one.runs[name].pages_per_second
            row = [one.corpus, name, len(one.runs[name].lines), texts.precision, texts.recall, texts.f1, texts.poor]
            rows.append([*row, round(speed), format_ratio(own, speed)])
    whole = whole_sites(measured)
    if len(whole) > 1:
        own = _speed_over(whole, PRODUCT)
        for name in whole[0].texts:
            texts_of = [one.texts[name] for one in whole]
            means = [sum(getattr(t, f) for t in texts_of) / len(whole) for f in ("precision", "recall", "f1", "poor")]
            speed = _speed_over(whole, name)
            pages = sum(len(one.runs[name].lines) for one in whole)
            rows.append([f"mean of {len(whole)} sites", name, pages, *means, round(speed), format_ratio(own, speed)])
    print(format_table(_TEXT_HEADER, rows) + "\n")
    print(format_table(_LINK_HEADER, [_link_row(one) for one in measured]))


def find_faults(measured: Sequence[Measured]) -> list[str]:
    """A sentence for each bound that is missed."""
    faults = []
    for one in measured:
        own = one.texts[PRODUCT]
        others = [(texts.f1, name) for name, texts in one.texts.items() if name not in (PRODUCT, PLAIN)]
        best = max(others, default=(0.0, "nothing"))
        if own.f1 < LOWEST_F1 or own.f1 <= best[0]:
            faults.append(f"{one.corpus}: F1 {own.f1:.3f}, wanted {LOWEST_F1} and more than {best[1]}'s {best[0]:.3f}.")
        if one.links.covered < LOWEST_COVERED or one.links.stands < LOWEST_STANDS:
            faults.append(f"{one.corpus}: sentences found {one.links.covered:.3f}, standing {one.links.stands:.5f}.")
    whole = whole_sites(measured)
    pages = sum(len(one.runs[PRODUCT].lines) for one in whole)
    poor = sum(one.texts[PRODUCT].poor * len(one.runs[PRODUCT].lines) for one in whole) / pages
    if poor >= MOST_POOR:
        faults.append(f"{poor:.1%} of all pages have an F1 below .5, wanted below {MOST_POOR:.0%}.")
    speed = _speed_over(whole, PRODUCT)
    if speed < LOWEST_SPEED:
        faults.append(f"{speed:.0f} pages per CPU second over all, wanted {LOWEST_SPEED}.")
    return faults


def whole_sites(measured: Sequence[Measured]) -> list[Measured]:
    """Each site once, by its largest corpus: slices share pages with their parent."""
    largest: dict[str, Measured] = {}
    for one in measured:
        known = largest.get(one.site)
        if known is None or len(one.runs[PRODUCT].lines) > len(known.runs[PRODUCT].lines):
            largest[one.site] = one
    return list(largest.values())


def _speed_over(measured: Sequence[Measured], name: str) -> float:
    """All pages by all CPU seconds."""
    seconds = sum(one.runs[name].seconds for one in measured)
    return sum(len(one.runs[name].lines) for one in measured) / seconds if seconds else 0.0


def _link_row(one: Measured) -> list[object]:
    links = one.links
    row: list[object] = [one.corpus, round(one.parsed_per_second), links.covered, f"{links.stands:.5f}"]
    return [*row, links.editorial_pairs, links.visible_pairs, links.wrongly_linked, links.nav_linked]


def _truths(documents: Mapping[str, html.HtmlElement], main_xpath: str) -> dict[str, tuple[list[str], set[str]]]:
    """Lines of the main element, and the page's own titles, of each page that has such an element."""
    truths = {}
    for url, document in documents.items():
        titles = {heading.text_content().strip() for heading in document.iter("h1")}
        lines = main_lines(document, main_xpath)
        if lines is not None:
            truths[url] = (lines, titles)
    return truths


def _text_figures(read: Mapping[str, list[str]], truths: Mapping[str, tuple[list[str], set[str]]]) -> TextFigures:
    return compare_texts([(read[url], lines, titles) for url, (lines, titles) in truths.items()])


if __name__ == "__main__":
    sys.exit(main())
