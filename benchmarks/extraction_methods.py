"""The product's extraction and three well-known libraries, each as one call from a page's bytes to lines of text.

Leaves comparing lines to `extraction_quality`. What each call includes is said at its function; a library that is not
installed (requirements-dev.txt pins them) is left out, and the table says so.
"""

import gc
import importlib
import logging
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lxml import html

from benchmarks.extraction_quality import lines_of
from crawler.extraction import extract_page
from crawler.extraction.charset import decode_html
from crawler.extraction.types import PageContent

PRODUCT = "product"
PLAIN = "body without nav, header, footer"
_PLAINLY_DROPPED = ("script", "style", "noscript", "nav", "header", "footer")
#: Pages that a method reads before the next one's turn.
_TURN = 50
_BULLET = re.compile(r"^\s*(?:[-•*+]|\d+\.)\s+")

#: (bytes, url) -> lines of the main content.
Method = Callable[[bytes, str], list[str]]


@dataclass(slots=True)
class MethodRun:
    """What one method read of each page, and the CPU seconds that it took for all of them."""

    name: str
    lines: dict[str, list[str]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def pages_per_second(self) -> float:
        return len(self.lines) / self.seconds if self.seconds else 0.0


def find_rivals() -> tuple[dict[str, Method], list[str]]:
    """The libraries that are installed, by name, and the names of those that are not."""
    found: dict[str, Method] = {}
    missing = []
    for name, module, make in (
        ("trafilatura", "trafilatura", _trafilatura),
        ("resiliparse", "resiliparse.extract.html2text", _resiliparse),
        ("readability-lxml", "readability", _readability),
    ):
        try:
            importlib.import_module(module)
        except ImportError:
            missing.append(name)
        else:
            found[name] = make()
    return found, missing


def run_methods(bodies: dict[str, bytes], methods: dict[str, Method]) -> tuple[dict[str, PageContent], list[MethodRun]]:
    """What the product says of each page, and each method's lines and CPU time.

    The methods take turns every few pages, so that other work on the machine troubles all of them alike. The product's
    time is that of `extract_page` whole: bytes to text, parsing, metadata, main content as blocks with spans,
    sentences, links, language, purpose, fingerprint.
    """
    product, runs = MethodRun(PRODUCT), [MethodRun(name) for name in methods]
    first = next(iter(bodies))
    extract_page(bodies[first], first, {})  # models load on first use
    for method in methods.values():
        method(bodies[first], first)
    pages: dict[str, PageContent] = {}
    urls = list(bodies)
    for at in range(0, len(urls), _TURN):
        turn = urls[at : at + _TURN]
        gc.freeze()  # what was read before is kept for comparing: going through it again is no method's burden
        start = time.process_time()
        read = [extract_page(bodies[url], url, {}) for url in turn]
        product.seconds += time.process_time() - start
        pages |= zip(turn, read, strict=True)
        product.lines |= {url: [block.text for block in page.blocks] for url, page in zip(turn, read, strict=True)}
        for run, method in zip(runs, methods.values(), strict=True):
            start = time.process_time()
            run.lines |= {url: method(bodies[url], url) for url in turn}
            run.seconds += time.process_time() - start
    gc.unfreeze()
    return pages, [product, *runs]


def parse(body: bytes) -> html.HtmlElement:
    """The page as lxml reads it, which is the least that any of them has to do."""
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    return html.document_fromstring(decode_html(body, {}).encode("utf-8", "replace"), parser=parser)


def plain_lines(body: bytes, _: str = "") -> list[str]:
    """The plain method: everything but scripts, navigation, headers and footers, named so by their tags."""
    element = parse(body).find("body")
    if element is None:
        return []
    for dropped in list(element.iter(*_PLAINLY_DROPPED)):
        if dropped.getparent() is not None:
            dropped.drop_tree()
    return lines_of(element)


def _trafilatura() -> Method:
    trafilatura = importlib.import_module("trafilatura")
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)

    def read(body: bytes, url: str) -> list[str]:
        """Bytes to text, fast and with recall favoured, tables included, comments not."""
        text = decode_html(body, {})
        return _lines(trafilatura.extract(text, fast=True, favor_recall=True, include_comments=False) or "")

    return read


def _resiliparse() -> Method:
    extract: Callable[..., str] = importlib.import_module("resiliparse.extract.html2text").extract_plain_text

    def read(body: bytes, url: str) -> list[str]:
        """Bytes to text of the main content, one line per block."""
        return _lines(extract(decode_html(body, {}), main_content=True, alt_texts=False, list_bullets=False))

    return read


def _readability() -> Method:
    document: Callable[[str], object] = importlib.import_module("readability").Document
    logging.getLogger("readability").setLevel(logging.CRITICAL)

    def read(body: bytes, url: str) -> list[str]:
        """Bytes to the article's HTML, and that to lines."""
        try:
            summary = document(decode_html(body, {})).summary()  # type: ignore[attr-defined]
        except Exception:  # whatever it stumbles over: the page is lost to it
            return []
        return lines_of(html.fromstring(summary)) if summary.strip() else []

    return read


def _lines(text: str) -> list[str]:
    lines: Sequence[str] = [" ".join(_BULLET.sub("", line).split()) for line in text.split("\n")]
    return [line for line in lines if line]
