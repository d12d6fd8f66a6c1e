"""Whether the words of an anchor mean the target where they stand, or something else: homonyms.

The place (the sentence and its page) is compared with the target's page, with the site's pages at large, and above all
with the pages that bear the same words. Cosines are measured by what the site's pages of that language have (see
`yardsticks`), since every model has its own scale. Leaves what a doubtful meaning costs to `anchors`.
"""

import math
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from recommendations.engine.mentions import Phrase
from recommendations.engine.types import FloatArray

#: Deviations above the mean page at which a meaning is half sure, and how fast it becomes surer. Chosen when the
#: words themselves still counted as context, on five sites: nineteen of twenty editorial links stood above 0.4. Today
#: the words are left out, and their form and their links say no as well (see `anchor_form`).
_HALF_SURE, _STEEPNESS = 0.5, 2.5
#: Bearers of the same words that fit the place better by so many deviations make the meaning half as sure.
_RIVAL_LEAD = 0.4
#: With fewer pages deviations tell nothing.
_FEWEST = 4


class _Scale:
    """Brings cosines to deviations from the mean of what the yardstick's pages have."""

    def __init__(self, cosines: FloatArray) -> None:
        spread = float(cosines.std())
        self._mean, self._spread = float(cosines.mean()), spread if spread > 1e-6 else math.inf

    def of(self, cosines: FloatArray) -> FloatArray:
        return (cosines - self._mean) / self._spread


def _sigmoid(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-min(50.0, max(-50.0, value))))


class PlaceMeaning:
    """One sentence of a page as the pages of the site see it."""

    def __init__(
        self,
        page_vectors: FloatArray,
        is_eligible: NDArray[np.bool_],
        yardstick: FloatArray,
        sentence: FloatArray,
        rest: FloatArray,
    ) -> None:
        """page_vectors: (n_pages, dim); is_eligible: (n_pages,) those that the source may get a link to.

        yardstick: (n, dim) page vectors to measure by. sentence, rest: (dim,) of the sentence and of the rest of its
        page.
        """
        self._page_vectors, self._is_eligible, self._yardstick = page_vectors, is_eligible, yardstick
        self._sentence, self._rest = sentence, rest
        self._is_measured = len(yardstick) >= _FEWEST
        if self._is_measured:
            cosines = yardstick @ rest
            self._rest_scale = _Scale(cosines)
            self._rest_of_yardstick = self._rest_scale.of(cosines)

    def certainty(self, target: int, bearers: Collection[int] = (), context: FloatArray | None = None) -> float:
        """0 to 1: how surely words that name the `bearers` (pages) as well mean the target in this place.

        context: (dim,) the sentence without the words, since these speak for every meaning that they have.
        """
        if not self._is_measured:
            return 1.0
        meaning = self._sentence if context is None else context
        cosines = self._yardstick @ meaning
        scale = _Scale(cosines)
        both = _Scale(scale.of(cosines) + self._rest_of_yardstick)
        rivals = sorted(page for page in bearers if page != target and self._is_eligible[page])
        vectors = self._page_vectors[[target, *rivals]]
        fits = both.of(scale.of(vectors @ meaning) + self._rest_scale.of(vectors @ self._rest))
        own = float(fits[0])
        sure = _sigmoid(_STEEPNESS * (own - _HALF_SURE))
        return sure * _sigmoid(2 * _STEEPNESS * (own + _RIVAL_LEAD - float(fits[1:].max()))) if rivals else sure


def bearers_of(phrase: Phrase | None) -> set[int]:
    """The pages that a phrase names or links to anywhere on the site."""
    return phrase.titles | set(phrase.anchors) if phrase else set()
