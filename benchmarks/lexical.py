"""Two plain methods without vectors, on the product's own rows: BM25, and mentions of titles alone.

BM25: the source's words as the query over the target pages; the sentence where the target's title scores highest; the
longest run of title words in it as the anchor. Mentions: targets whose whole title stands in a sentence of the source,
the rarest words first; the title as it stands there is the anchor.

    LINKREC_DATA_DIR=... python -m benchmarks.lexical URL --output OUT.json --method bm25|mentions [--top 10]
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import bm25s
import numpy as np

from benchmarks.site_rows import SitePage, SiteRows, parse_arguments, read_site, start_django, write_rows

WORD = re.compile(r"\w+(?:['’-]\w+)*")
LONGEST_TITLE = 12  # words


def words_of(text: str) -> list[str]:
    """Folded words in order."""
    return [word.casefold() for word in WORD.findall(text)]


def _may_link(site: SiteRows, source: SitePage, target: SitePage) -> bool:
    is_other = source.page_id != target.page_id
    return is_other and target.is_target and target.page_id not in site.linked.get(source.page_id, set())


def _row(source: SitePage, target: SitePage, sentence: str, anchor: str, score: float, rank: int) -> dict[str, Any]:
    return {
        "source": source.url,
        "target": target.url,
        "anchor_text": anchor,
        "sentence": sentence,
        "score": score,
        "rank": rank,
    }


def longest_run(sentence: str, title: str) -> str:
    """The longest run of the sentence's words that are words of the title; without any, its longest word."""
    matches, wanted = list(WORD.finditer(sentence)), set(words_of(title))
    runs, start = [(0, 0, 0)], None
    for number, match in enumerate([*matches, None]):
        is_inside = match is not None and match[0].casefold() in wanted
        if is_inside and start is None:
            start = number
        if not is_inside and start is not None:
            runs.append((number - start, matches[start].start(), matches[number - 1].end()))
            start = None
    length, begin, end = max(runs)
    return sentence[begin:end] if length else max((match[0] for match in matches), key=len, default="")


def _index(texts: Sequence[list[str]]) -> bm25s.BM25:
    index = bm25s.BM25()
    index.index([words or [""] for words in texts], show_progress=False)
    return index


def recommend_by_bm25(site: SiteRows, top: int = 10) -> list[dict[str, Any]]:
    """Rows in the product's JSON form, per source in descending order."""
    pages = [page for page in site.pages if any(WORD.search(sentence.text) for sentence in page.sentences)]
    page_words = [words_of(" ".join([page.title, *(s.text for s in page.sentences)])) for page in pages]
    page_index = _index(page_words)
    sentences = [sentence.text for page in pages for sentence in page.sentences]
    sentence_index = _index([words_of(text) for text in sentences])
    title_scores = [np.asarray(sentence_index.get_scores(words_of(page.title) or [""])) for page in pages]
    rows, first = [], 0
    for page, words in zip(pages, page_words, strict=True):
        last = first + len(page.sentences)
        scores = page_index.get_scores(sorted(set(words)))
        order = [target for target in np.argsort(-scores, kind="stable") if _may_link(site, page, pages[target])]
        for rank, target in enumerate(order[:top], 1):
            sentence = sentences[first + int(np.argmax(title_scores[target][first:last]))]
            anchor = longest_run(sentence, pages[target].title)
            rows.append(_row(page, pages[target], sentence, anchor, float(scores[target]), rank))
        first = last
    return rows


def _mentions(sentence: str, titles: dict[tuple[str, ...], list[SitePage]]) -> Iterator[tuple[SitePage, str]]:
    matches = list(WORD.finditer(sentence))
    words = tuple(match[0].casefold() for match in matches)
    for first in range(len(words)):
        for last in range(first + 1, min(first + LONGEST_TITLE, len(words)) + 1):
            for page in titles.get(words[first:last], ()):
                yield page, sentence[matches[first].start() : matches[last - 1].end()]


def recommend_by_mentions(site: SiteRows, top: int = 10) -> list[dict[str, Any]]:
    """Rows in the product's JSON form, per source in descending order."""
    titles: dict[tuple[str, ...], list[SitePage]] = defaultdict(list)
    counts: Counter[str] = Counter()
    for page in site.pages:
        if words := tuple(words_of(page.title)):
            titles[words].append(page)
        counts.update({word for sentence in page.sentences for word in words_of(sentence.text)})
    rows = []
    for source in site.pages:
        found: dict[int, tuple[float, SitePage, str, str]] = {}
        for sentence in source.sentences:
            for target, anchor in _mentions(sentence.text, titles):
                if _may_link(site, source, target) and target.page_id not in found:
                    weight = sum(math.log(len(site.pages) / counts[word]) for word in words_of(anchor))
                    found[target.page_id] = (weight, target, sentence.text, anchor)
        best = sorted(found.values(), key=lambda entry: -entry[0])[:top]
        rows += [
            _row(source, target, sentence, anchor, weight, rank)
            for rank, (weight, target, sentence, anchor) in enumerate(best, 1)
        ]
    return rows


METHODS = {"bm25": recommend_by_bm25, "mentions": recommend_by_mentions}


def main() -> None:
    """Read the site that LINKREC_DATA_DIR holds and write what the method recommends."""
    arguments = parse_arguments(__doc__ or "", methods=tuple(METHODS))
    start_django()
    site = read_site(arguments.url)
    write_rows(arguments.output, arguments.url, METHODS[arguments.method](site, arguments.top))


if __name__ == "__main__":
    main()
