"""The weights that turn a page's signals into one rank order: shipped ones, corrected by the site's own links.

The correction enters only where it finds links that it has not learned from better than the shipped weights do, so
that links never make a site worse. Leaves examples to `training`, probabilities to `calibration`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from recommendations.engine.features import FEATURES
from recommendations.engine.ridge import Array, ListRows, fit_lists, list_losses
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
#: Ridge strengths tried, from trusting the site's links to hardly hearing them.
_STRENGTHS = (20.0, 60.0, 200.0)
#: How far the shipped order may be less or more sure on a site than elsewhere.
_FACTORS = (0.1, 3.0)
#: Fewer pages with hidden links than this teach nothing.
LEAST_LISTS = 8
_FOLDS = 5
_LEAST_GAIN = 0.01  # of the held-out loss


@dataclass(frozen=True, slots=True)
class RankerWeights:
    """weights: (len(FEATURES),), on standardized signals. lists, strength, losses tell how they were found.

    losses: held-out loss per page of the shipped weights and of the chosen ones; equal where the shipped ones stay.
    """

    weights: FloatArray
    is_site_trained: bool = False
    lists: int = 0
    strength: float = 0.0
    losses: tuple[float, float] = (0.0, 0.0)

    def scores(self, z: FloatArray) -> FloatArray:
        """(n,) rank scores: log odds up to a constant of the page. z: (n, len(FEATURES))."""
        return (z @ self.weights).astype(np.float32)


def shipped_ranker() -> RankerWeights:
    """What a site without links gets."""
    weights = [_SCALE * SHIPPED_WEIGHTS.get(name, 0.0) for name in FEATURES]
    return RankerWeights(np.array(weights, dtype=np.float32))


def _rows_of(examples: Sequence[Example]) -> ListRows:
    lengths = [len(example.candidates) for example in examples]
    return ListRows(
        np.concatenate([example.z for example in examples]).astype(np.float64),
        np.concatenate([example.is_link for example in examples]),
        np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64),
    )


def _scaled(examples: Sequence[Example], shipped: Array) -> Array:
    """The shipped weights times the factor that fits the examples best: how sure the same order may be here."""
    rows = _rows_of(examples)
    order = ListRows((rows.x @ shipped)[:, None], rows.is_chosen, rows.starts)
    factor = float(fit_lists(order, np.ones(1), 1.0)[0])
    return shipped * float(np.clip(factor, *_FACTORS))


def _held_out_losses(examples: Sequence[Example], shipped: Array, strength: float | None) -> Array:
    """(n_examples,) each under weights learned from pages of other folds; a page is never in two folds.

    strength: of the ridge around the scaled shipped weights; None: these weights themselves.
    """
    folds = np.array([example.page % _FOLDS for example in examples])
    losses = np.zeros(len(examples))
    for fold in np.unique(folds):
        inside = [example for example, own in zip(examples, folds, strict=True) if own == fold]
        outside = [example for example, own in zip(examples, folds, strict=True) if own != fold]
        if not outside:
            return np.full(len(examples), np.inf)
        weights = _scaled(outside, shipped)
        if strength is not None:
            weights = fit_lists(_rows_of(outside), weights, strength)
        losses[folds == fold] = list_losses(_rows_of(inside), weights)
    return losses


def train_ranker(examples: Sequence[Example]) -> RankerWeights:
    """The shipped weights, or weights learned around them where these do better on pages that were held out.

    Better by a standard error of the difference and a hundredth: what luck alone would give does not count. That the
    shipped order is less sure on this site than elsewhere is no reason to leave it.
    """
    shipped = shipped_ranker()
    lists = [example for example in examples if example.is_link.any() and not example.is_link.all()]
    if len(lists) < LEAST_LISTS:
        return shipped
    weights = shipped.weights.astype(np.float64)
    plain = _held_out_losses(lists, weights, None)
    tried = {strength: _held_out_losses(lists, weights, strength) for strength in _STRENGTHS}
    strength = min(tried, key=lambda item: float(tried[item].mean()))
    centre, gain = _scaled(lists, weights), plain - tried[strength]
    least = max(float(gain.std() / np.sqrt(len(gain))), _LEAST_GAIN * float(plain.mean()))
    if not (np.isfinite(gain).all() and gain.mean() > least):
        loss = float(plain.mean())
        return RankerWeights(centre.astype(np.float32), lists=len(lists), losses=(loss, loss))
    learned = fit_lists(_rows_of(lists), centre, strength).astype(np.float32)
    return RankerWeights(learned, True, len(lists), strength, (float(plain.mean()), float(tried[strength].mean())))
