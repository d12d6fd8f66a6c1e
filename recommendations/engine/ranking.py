"""From a source page's signals to one score per candidate, 0 to 1.

The prior is the plain sum of standardized signals: untrained, the same on every site, and hard to beat by training on
few links. Leaves features to `features` and what is shown to `selection`.
"""

import numpy as np

from recommendations.engine.features import FEATURES, SourceFeatures
from recommendations.engine.types import FloatArray

#: Weight of each standardized signal in the prior.
PRIOR_WEIGHTS = {
    "page_cosine": 1.0,
    "sentence_name_cosine": 1.0,
    "sentence_name_cover": 1.0,
    "page_name_cover": 1.0,
    "known_anchor": 1.0,
    "inlinks": 1.0,
    "neighbour_links": 1.0,
}
_WEIGHTS = np.array([PRIOR_WEIGHTS.get(name, 0.0) for name in FEATURES], dtype=np.float32)


def prior_scores(features: SourceFeatures) -> FloatArray:
    """(n_candidates,) weighted sum of standardized signals; its scale is that of a sum of z-scores."""
    return (features.z @ _WEIGHTS).astype(np.float32)


#: Logistic link from the prior sum to a score.
_SLOPE, _OFFSET = 0.6, -5.0


def score_candidates(features: SourceFeatures) -> FloatArray:
    """(n_candidates,) scores, 0 to 1: 1 / (1 + exp(-(slope * sum + offset)))."""
    return (1.0 / (1.0 + np.exp(-(_SLOPE * prior_scores(features) + _OFFSET)))).astype(np.float32)


#: Below these scores the product proposes nothing unless asked to; each model has its own scale.
DEFAULT_THRESHOLDS = {"all-MiniLM-L6-v2": 0.3, "multilingual-e5-small": 0.3}


def default_threshold(model_name: str) -> float:
    """The product's own choice for a model; the middle of the known ones for a model that it was not measured with."""
    known = sorted(DEFAULT_THRESHOLDS.values())
    return DEFAULT_THRESHOLDS.get(model_name, known[len(known) // 2])
