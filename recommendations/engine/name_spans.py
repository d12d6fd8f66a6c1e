"""How well the words of each sentence spell a target's name: the best run of words, without any vectors.

Leaves which run becomes the anchor to `anchors`.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from recommendations.engine.source_text import ReadPage
from recommendations.engine.term_weights import TermWeights
from recommendations.engine.types import FloatArray
from recommendations.engine.words import content_terms_of

LONGEST_RUN = 8  # words
_MOST_HITS = 12  # of one name in one sentence; a sentence with more is a list
#: Summed rarity of a run's terms from which on it is telling: two uncommon words, or nearly one unique one.
TELLING = 1.0


def name_shares(names: Sequence[str], language: str, weights: TermWeights) -> tuple[dict[str, float], ...]:
    """Per name, its telling terms with their shares of its idf."""
    shares = []
    for name in names:
        terms = sorted(set(content_terms_of(name, language)))
        idf = [max(weights.idf(language, term), 1e-3) for term in terms]
        shares.append({term: weight / sum(idf) for term, weight in zip(terms, idf, strict=True)})
    return tuple(shares)


class NameSpans:
    """The words of one page by term, so that a name looks at the sentences that hold its terms only."""

    def __init__(self, page: ReadPage, language: str, weights: TermWeights) -> None:
        self._page, self._language, self._weights = page, language, weights
        self._places: defaultdict[str, dict[int, list[int]]] = defaultdict(dict)
        self._idf: dict[int, FloatArray] = {}
        for row, read in enumerate(page.sentences):
            if not read.is_linkable:
                continue
            for index, word in enumerate(read.words):
                if read.is_free[index] and not word.is_stop:
                    for term in word.terms:
                        self._places[term].setdefault(row, []).append(index)

    def fitness(self, name_shares: Sequence[Mapping[str, float]]) -> FloatArray:
        """(n_sentences,) the best run's overlap with the nearest name, 0 to 1, less where its words are common."""
        best = np.zeros(len(self._page.sentences), dtype=np.float32)
        hits: defaultdict[int, set[int]] = defaultdict(set)
        for term in {term for shares in name_shares for term in shares}:
            for row, indices in self._places.get(term, {}).items():
                hits[row].update(indices)
        for row, found in hits.items():
            places = sorted(found)[:_MOST_HITS]
            for start, first in enumerate(places):
                for stop, last in enumerate(places[start:], start + 1):
                    if last - first >= LONGEST_RUN or not self._page.sentences[row].is_free[first : last + 1].all():
                        break
                    best[row] = max(best[row], self._run_fitness(row, places[start:stop], name_shares))
        return best

    def _run_fitness(self, row: int, hits: Sequence[int], name_shares: Sequence[Mapping[str, float]]) -> float:
        words = self._page.sentences[row].words
        terms = {term for index in hits for term in words[index].terms}
        total = self._content_idf(row)
        everything = float(total[hits[-1] + 1] - total[hits[0]])
        best = 0.0
        for shares in name_shares:
            own = [term for term in terms if term in shares]
            if not own:
                continue
            recall = sum(shares[term] for term in own)
            precision = sum(self._weights.idf(self._language, term) for term in own) / max(everything, 1e-6)
            rarity = sum(self._weights.rarity(self._language, term) for term in own)
            best = max(best, 2 * precision * recall / max(precision + recall, 1e-6) * min(1.0, rarity / TELLING))
        return min(1.0, best)

    def _content_idf(self, row: int) -> FloatArray:
        """Running sums of the idf of a sentence's content words, one more than it has words."""
        if row not in self._idf:
            each = [
                0.0 if word.is_stop else sum(self._weights.idf(self._language, term) for term in word.terms)
                for word in self._page.sentences[row].words
            ]
            self._idf[row] = np.concatenate([[0.0], np.cumsum(each)]).astype(np.float32)
        return self._idf[row]
