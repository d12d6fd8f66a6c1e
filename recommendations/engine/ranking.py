"""From a source page's signals to one score per candidate, 0 to 1.

The prior is a plain weighted sum of standardized signals: the same on every site, and hard to beat by training on few
links. Leaves features to `features` and what is shown to `selection`.
"""

import numpy as np

from recommendations.engine.features import FEATURES, SourceFeatures, standardize
from recommendations.engine.types import FloatArray

#: Weight of each standardized signal. Halves where two signals say nearly the same.
PRIOR_WEIGHTS = {
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
_WEIGHTS = np.array([PRIOR_WEIGHTS.get(name, 0.0) for name in FEATURES], dtype=np.float32)

#: Score = 1 / (1 + exp(-(SLOPE * standardized sum + log(wanted / candidates) - SLOPE² / 2))): with about `wanted` links
#: per page expected, never more than a share of the candidates.
_SLOPE = 0.95
_WANTED, _WANTED_SHARE = 6.0, 0.25

#: What a target is worth whose anchor shares nothing with its name nor with known anchors.
_WORDLESS_WORTH = 0.35

#: Below these scores the product proposes nothing unless asked to; each model has its own scale.
DEFAULT_THRESHOLDS = {"all-MiniLM-L6-v2": 0.27, "multilingual-e5-small": 0.27}


def prior_sums(features: SourceFeatures) -> FloatArray:
    """(n_candidates,) weighted sum of standardized signals."""
    return (features.z @ _WEIGHTS).astype(np.float32)


def score_candidates(features: SourceFeatures) -> FloatArray:
    """(n_candidates,) scores, 0 to 1, in the order of the prior sums."""
    count = len(features.candidates)
    if not count:
        return np.zeros(0, dtype=np.float32)
    sums = standardize(prior_sums(features)[:, None])[:, 0]
    offset = np.log(min(_WANTED, _WANTED_SHARE * count) / count) - _SLOPE**2 / 2
    return (1.0 / (1.0 + np.exp(-(_SLOPE * sums + offset)))).astype(np.float32)


def link_score(target_score: float, anchor_fitness: float) -> float:
    """The score of a whole link: a fitting target counts less where no words of the page name it.

    Both inputs and the result are 0 to 1. The order of targets chosen stays that of target_score.
    """
    return target_score * (_WORDLESS_WORTH + (1 - _WORDLESS_WORTH) * anchor_fitness)


def default_threshold(model_name: str) -> float:
    """The product's own choice for a model; the middle of the known ones for a model that it was not measured with."""
    known = sorted(DEFAULT_THRESHOLDS.values())
    return DEFAULT_THRESHOLDS.get(model_name, known[len(known) // 2])
