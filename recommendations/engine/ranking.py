"""From a measured page to its candidates' order and probabilities: what was learned, put together.

The order is the ranker's, the probability the calibration's, and editors' preferences move both. Leaves what is shown
to `selection`.
"""

from dataclasses import dataclass

import numpy as np

from recommendations.engine.learning import Learned
from recommendations.engine.measuring import MeasuredSource
from recommendations.engine.site_model import SiteModel
from recommendations.engine.types import FloatArray, IntArray

#: Below this probability the product proposes nothing unless asked to.
DEFAULT_THRESHOLD = 0.02
#: From that threshold on, words that name their target less surely than this are no anchor: whatever the target is
#: worth, a link under such words is one that editors strike out.
LEAST_FITNESS = 0.5


def least_fitness_at(threshold: float) -> float:
    """0 to LEAST_FITNESS: who asks for less probable links than the default gets looser words too, down to all at 0."""
    return LEAST_FITNESS * min(1.0, threshold / DEFAULT_THRESHOLD)


@dataclass(frozen=True, slots=True)
class Ranking:
    """order: (n,) candidate numbers, best first. probabilities: (n,) by candidate number, 0 to 1."""

    order: IntArray
    probabilities: FloatArray


def rank_candidates(model: SiteModel, learned: Learned, page: MeasuredSource) -> Ranking:
    """Score every candidate of the page."""
    features = page.features
    scores = learned.ranker.scores(features.z)
    probabilities = learned.calibration.probabilities(scores, features.raw, page.links_left, page.n_sentences)
    offsets = learned.preferences.offsets(model, features.candidates, features.z)
    if offsets.any():
        scores = scores + offsets
        odds = probabilities / np.maximum(1.0 - probabilities, 1e-6) * np.exp(offsets)
        probabilities = (odds / (1.0 + odds)).astype(np.float32)
    return Ranking(np.argsort(-scores, kind="stable").astype(np.int64), probabilities)
