"""Which sentence of the source page should carry the link to a target. Leaves the words in it to `anchors`."""

import numpy as np
from numpy.typing import NDArray

from recommendations.engine.features import SourceFeatures, standardize
from recommendations.engine.types import FloatArray

_ANCHOR_WEIGHT = 3.0
_MENTION_WEIGHT = 1.5


def sentence_scores(features: SourceFeatures, is_linkable: NDArray[np.bool_], columns: NDArray[np.int64]) -> FloatArray:
    """(n_sentences, len(columns)) fitness of each sentence for each of these candidates; -inf where no link may stand.

    Every signal is standardized over the page's linkable sentences; a known anchor or the name itself counts on top,
    since only one sentence in many has it.
    """
    scores = np.full((len(is_linkable), len(columns)), -np.inf, dtype=np.float32)
    if not is_linkable.any():
        return scores

    def rows(matrix: FloatArray) -> FloatArray:
        return matrix[np.ix_(is_linkable, columns)]

    scores[is_linkable] = (
        standardize(rows(features.name_cosines))
        + 0.5 * standardize(rows(features.page_cosines))
        + standardize(rows(features.covers))
        + _ANCHOR_WEIGHT * rows(features.anchors)
        + _MENTION_WEIGHT * rows(features.mentions)
    )
    return scores
