"""Which sentence of the source page should carry the link to a target. Leaves the words in it to `anchors`."""

import numpy as np
from numpy.typing import NDArray

from recommendations.engine.features import SourceFeatures, standardize
from recommendations.engine.types import FloatArray

#: Weight of each signal, standardized over the page's linkable sentences. A known anchor that stands in one sentence of
#: many has a high standardized value and so decides.
_WEIGHTS = {"name_cosines": 1.0, "page_cosines": 0.8, "covers": 1.0, "anchors": 1.0, "mentions": 0.4}


def sentence_scores(features: SourceFeatures, is_linkable: NDArray[np.bool_], columns: NDArray[np.int64]) -> FloatArray:
    """(n_sentences, len(columns)) fitness of each sentence for each candidate; -inf where no link may stand."""
    scores = np.full((len(is_linkable), len(columns)), -np.inf, dtype=np.float32)
    if is_linkable.any():
        rows = np.ix_(is_linkable, columns)
        scores[is_linkable] = sum(
            weight * standardize(getattr(features, name)[rows]) for name, weight in _WEIGHTS.items()
        )
    return scores
