"""How telling a term is on this site: inverse document frequency over its pages.

idf(t) = log(1 + (N - df + 0.5) / (df + 0.5)), as in BM25 (Robertson and Zaragoza, 2009).
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any


class TermWeights:
    """Document frequencies of a site's terms, per language so that a small language's words are not all rare."""

    def __init__(self) -> None:
        self._pages: Counter[str] = Counter()
        self._frequencies: dict[str, Counter[str]] = {}
        self._known: dict[tuple[str, str], float] = {}

    def add_page(self, language: str, terms: Iterable[str]) -> None:
        """Count one page; `terms` are its distinct terms."""
        self._pages[language] += 1
        self._frequencies.setdefault(language, Counter()).update(terms)
        self._known.clear()

    def idf(self, language: str, term: str) -> float:
        """At least 0; highest for terms that no page of the language holds."""
        known = self._known.get((language, term))
        if known is None:
            total = self._pages[language]
            frequency = self._frequencies[language][term] if language in self._frequencies else 0
            known = math.log(1 + max(0.0, total - frequency + 0.5) / (frequency + 0.5))
            self._known[language, term] = known
        return known

    def pages_with(self, language: str, term: str) -> int:
        """On how many pages of the language the term stands."""
        return self._frequencies[language][term] if language in self._frequencies else 0

    def pages_of(self, language: str) -> int:
        """How many pages of the language there are."""
        return self._pages[language]

    def rarity(self, language: str, term: str) -> float:
        """idf as a share of the highest that the language's pages allow, 0 to 1."""
        return self.idf(language, term) / math.log(2 * self._pages[language] + 2)

    def to_json(self) -> dict[str, Any]:
        """The counts, by language."""
        return {
            language: {"pages": pages, "terms": dict(self._frequencies.get(language, {}))}
            for language, pages in self._pages.items()
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "TermWeights":
        """What to_json gave."""
        weights = cls()
        for language, counts in data.items():
            weights._pages[language] = counts["pages"]
            weights._frequencies[language] = Counter(counts["terms"])
        return weights
