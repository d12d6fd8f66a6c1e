"""Weights of a list order that a site's own examples may move away from the shipped ones, but never to their harm.

The correction enters only where it orders lists that it has not learned from better than the shipped weights do.
Leaves the fitting to `ridge`, and what a list holds to the callers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from recommendations.engine.ridge import Array, ListRows, fit_lists, list_losses
from recommendations.engine.types import FloatArray

#: How far the shipped order may be less or more sure on a site than elsewhere. While learned weights are tried it may
#: be not sure at all, so that they cannot win by mere doubt; where it stays, it stays an order.
_LEAST_FACTOR, _MOST_FACTOR = 0.1, 3.0
#: Fewer lists than this teach nothing.
LEAST_LISTS = 8
_FOLDS = 5
_LEAST_GAIN = 0.01  # of the held-out loss


@dataclass(frozen=True, slots=True)
class LabelledList:
    """x: (n, k), what is known of the list's rows. is_chosen: (n,), of some but not all. page: where it comes from."""

    page: int
    x: FloatArray
    is_chosen: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class FittedWeights:
    """weights: (k,). lists, strength, losses tell how they were found.

    losses: held-out loss per list of the shipped weights and of the chosen ones; equal where the shipped ones stay.
    """

    weights: FloatArray
    is_site_trained: bool = False
    lists: int = 0
    strength: float = 0.0
    losses: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def from_fit(cls, fit: "FittedWeights") -> Self:
        """The same weights as one kind of them."""
        return cls(fit.weights, fit.is_site_trained, fit.lists, fit.strength, fit.losses)


def _rows_of(lists: Sequence[LabelledList]) -> ListRows:
    lengths = [len(item.x) for item in lists]
    return ListRows(
        np.concatenate([item.x for item in lists]).astype(np.float64),
        np.concatenate([item.is_chosen for item in lists]),
        np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64),
    )


def _scaled(lists: Sequence[LabelledList], shipped: Array, least: float = 0.0) -> Array:
    """The shipped weights times the factor that fits the lists best: how sure the same order may be here."""
    rows = _rows_of(lists)
    order = ListRows((rows.x @ shipped)[:, None], rows.is_chosen, rows.starts)
    factor = float(fit_lists(order, np.ones(1), 1.0)[0])
    return shipped * float(np.clip(factor, least, _MOST_FACTOR))


def _held_out_losses(lists: Sequence[LabelledList], shipped: Array, strength: float | None) -> Array:
    """(n_lists,) each under weights learned from pages of other folds; a page is never in two folds.

    The lists come from two folds at least. strength: of the ridge around the scaled shipped weights; None: these
    weights themselves.
    """
    folds = np.array([item.page % _FOLDS for item in lists])
    losses = np.zeros(len(lists))
    for fold in np.unique(folds):
        inside = [item for item, own in zip(lists, folds, strict=True) if own == fold]
        outside = [item for item, own in zip(lists, folds, strict=True) if own != fold]
        weights = _scaled(outside, shipped)
        if strength is not None:
            weights = fit_lists(_rows_of(outside), weights, strength)
        losses[folds == fold] = list_losses(_rows_of(inside), weights)
    return losses


def fit_near_shipped(lists: Sequence[LabelledList], shipped: FloatArray, strengths: Sequence[float]) -> FittedWeights:
    """The shipped weights, or weights learned around them where these do better on pages that were held out.

    Better by a standard error of the difference and a hundredth: what luck alone would give does not count. That the
    shipped order is less sure on this site than elsewhere is no reason to leave it.

    strengths: of the ridge, those to try, from trusting the site's lists to hardly hearing them.
    """
    if len(lists) < LEAST_LISTS or len({item.page % _FOLDS for item in lists}) < 2:
        return FittedWeights(shipped)
    weights = shipped.astype(np.float64)
    plain = _held_out_losses(lists, weights, None)
    tried = {strength: _held_out_losses(lists, weights, strength) for strength in strengths}
    strength = min(tried, key=lambda item: float(tried[item].mean()))
    gain = plain - tried[strength]
    least = max(float(gain.std() / np.sqrt(len(gain))), _LEAST_GAIN * float(plain.mean()))
    if not gain.mean() > least:
        centre, loss = _scaled(lists, weights, _LEAST_FACTOR), float(plain.mean())
        return FittedWeights(centre.astype(np.float32), lists=len(lists), losses=(loss, loss))
    learned = fit_lists(_rows_of(lists), _scaled(lists, weights), strength).astype(np.float32)
    return FittedWeights(learned, True, len(lists), strength, (float(plain.mean()), float(tried[strength].mean())))
