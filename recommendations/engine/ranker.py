"""The weights that turn a page's signals into one rank order: shipped ones, corrected by the site's own links.

Leaves examples to `training`, the correction to `near_shipped`, probabilities to `calibration`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from recommendations.engine.features import FEATURES
from recommendations.engine.near_shipped import FittedWeights, LabelledList, fit_near_shipped
from recommendations.engine.training import Example
from recommendations.engine.types import FloatArray

#: Weight of each standardized signal; halves where two signals say nearly the same.
SHIPPED_WEIGHTS = {
    "page_cosine": 1.0,
    "sentence_name_cosine": 1.0,
    "sentence_page_cosine": 0.5,
    "sentence_name_cover": 0.5,
    "page_name_cover": 0.5,
    "known_anchor": 1.0,
    "inlinks": 0.5,
    "neighbour_links": 1.0,
    "path": 0.7,
    "best_sentence": 0.5,
}
#: Brings the shipped sum to the scale of log odds among one page's candidates.
_SCALE = 0.35
#: Ridge strengths tried.
_STRENGTHS = (20.0, 60.0, 200.0)


@dataclass(frozen=True, slots=True)
class RankerWeights(FittedWeights):
    """weights: (len(FEATURES),), on standardized signals."""

    def scores(self, z: FloatArray) -> FloatArray:
        """(n,) rank scores: log odds up to a constant of the page. z: (n, len(FEATURES))."""
        return (z @ self.weights).astype(np.float32)


def shipped_ranker() -> RankerWeights:
    """What a site without links gets."""
    weights = [_SCALE * SHIPPED_WEIGHTS.get(name, 0.0) for name in FEATURES]
    return RankerWeights(np.array(weights, dtype=np.float32))


def train_ranker(examples: Sequence[Example]) -> RankerWeights:
    """The shipped weights, or the site's own where these find hidden links of other pages better."""
    lists = [
        LabelledList(example.page, example.z, example.is_link)
        for example in examples
        if example.is_link.any() and not example.is_link.all()
    ]
    return RankerWeights.from_fit(fit_near_shipped(lists, shipped_ranker().weights, _STRENGTHS))
