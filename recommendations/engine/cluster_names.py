"""What a cluster of pages is called: the terms that its names and headings hold more than those of other clusters.

Class-based TF-IDF: term frequency within the cluster times log(1 + average terms of a cluster / frequency over all),
after Grootendorst, "BERTopic: Neural topic modeling with a class-based TF-IDF procedure" (2022). Words are told in the
form that is written most often, in any script.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from recommendations.engine.types import IntArray
from recommendations.engine.words import split_words

NAME_TERMS = 3
_HEADINGS_READ = 12
_TITLE_COUNTS = 3


def name_clusters(
    labels: IntArray, names: Sequence[str], headings: Sequence[Sequence[str]], languages: Sequence[str]
) -> list[str]:
    """One name a cluster, "wheels, spokes, truing", its strongest term first; "" where no word is left."""
    n_clusters = int(labels.max(initial=-1)) + 1
    counts: list[Counter[str]] = [Counter() for _ in range(n_clusters)]
    pages: list[Counter[str]] = [Counter() for _ in range(n_clusters)]
    written: dict[str, Counter[str]] = {}
    for page in np.flatnonzero(labels >= 0).tolist():
        terms = _terms_of(names[page], headings[page], languages[page], written)
        counts[labels[page]].update(terms)
        pages[labels[page]].update(set(terms))
    overall: Counter[str] = Counter()
    for count in counts:
        overall.update(count)
    mean = sum(overall.values()) / n_clusters if n_clusters else 0.0
    return [_name(count, page, overall, mean, written) for count, page in zip(counts, pages, strict=True)]


def _terms_of(name: str, headings: Sequence[str], language: str, written: dict[str, Counter[str]]) -> Counter[str]:
    terms: Counter[str] = Counter()
    for text, worth in [(name, _TITLE_COUNTS), *((heading, 1) for heading in headings[:_HEADINGS_READ])]:
        for word in split_words(text, language):
            if word.is_stop or not any(map(str.isalpha, word.text)) or (len(word.text) < 2 and word.text.isascii()):
                continue
            key = f"{language} {' '.join(word.terms)}"
            terms[key] += worth
            written.setdefault(key, Counter())[word.text] += worth
    return terms


def _name(
    counts: Counter[str], pages: Counter[str], overall: Counter[str], mean: float, written: dict[str, Counter[str]]
) -> str:
    total = counts.total()
    if not total:
        return ""
    # A word of one page names that page; it names the cluster only where nothing is shared.
    scores = {
        term: count / total * float(np.log1p(mean / overall[term])) * (1.0 if pages[term] > 1 else 0.1)
        for term, count in counts.items()
    }
    best = sorted(scores, key=lambda term: (-scores[term], term))[:NAME_TERMS]
    return ", ".join(min(written[term], key=lambda form: (-written[term][form], form)) for term in best)
