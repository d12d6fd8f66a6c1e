"""Whether the words of an anchor mean the target where they stand, or something else: homonyms.

The place (the sentence and its page) is compared with the target's page and with every other candidate's, and above all
with the pages that bear the same words. All cosines are taken among the candidates of one page, since every model has
its own scale. Leaves what a doubtful meaning costs to `anchors`.
"""

import math
from collections.abc import Collection

import numpy as np

from recommendations.engine.mentions import Phrase
from recommendations.engine.types import FloatArray, IntArray

#: Deviations above the mean candidate at which a meaning is half sure, and how fast it becomes surer. Chosen when the
#: words themselves still counted as context, on five sites: nineteen of twenty editorial links stood above 0.4. Today
#: the words are left out, and their form and their links say no as well (see `anchor_form`).
_HALF_SURE, _STEEPNESS = 0.5, 2.5
#: Bearers of the same words that fit the place better by so many deviations make the meaning half as sure.
_RIVAL_LEAD = 0.4
#: With fewer candidates deviations tell nothing.
_FEWEST = 4


def _standardized_row(cosines: FloatArray) -> FloatArray:
    spread = float(cosines.std())
    return (cosines - cosines.mean()) / spread if spread > 1e-6 else np.zeros_like(cosines)


def _sigmoid(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-min(50.0, max(-50.0, value))))


class PlaceMeaning:
    """One sentence of a page as seen by the candidates of the page."""

    def __init__(
        self,
        candidates: IntArray,
        sentence_cosines: FloatArray,
        source_cosines: FloatArray,
        page_vectors: FloatArray | None = None,
    ) -> None:
        """candidates: (n,) page positions; page_vectors: (n, dim) theirs.

        The cosines: (n,) of the sentence and of the source page with the candidates' pages.
        """
        self._numbers = {page: number for number, page in enumerate(candidates.tolist())}
        self._source = _standardized_row(source_cosines)
        self._sentence_cosines = sentence_cosines
        self._page_vectors = page_vectors

    def certainty(self, target: int, bearers: Collection[int] = (), context: FloatArray | None = None) -> float:
        """0 to 1: how surely words that name the `bearers` (pages) as well mean the target in this place.

        context: (dim,) the sentence without the words, since these speak for every meaning that they have.
        """
        if len(self._numbers) < _FEWEST:
            return 1.0
        cosines = self._sentence_cosines
        if context is not None and self._page_vectors is not None:
            cosines = self._page_vectors @ context
        fits = _standardized_row(_standardized_row(cosines) + self._source)
        own = float(fits[self._numbers[target]])
        sure = _sigmoid(_STEEPNESS * (own - _HALF_SURE))
        rivals = [float(fits[self._numbers[page]]) for page in bearers if page != target and page in self._numbers]
        return sure * _sigmoid(2 * _STEEPNESS * (own + _RIVAL_LEAD - max(rivals))) if rivals else sure


def bearers_of(phrase: Phrase | None) -> set[int]:
    """The pages that a phrase names or links to anywhere on the site."""
    return phrase.titles | set(phrase.anchors) if phrase else set()
