"""Two small regressions whose weights stay near given ones unless the data say otherwise. Arrays in, arrays out.

scikit-learn's LogisticRegression shrinks weights towards zero only; here they shrink towards shipped weights, so that
a site with few links keeps those. Leaves features and examples to the callers.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ListRows:
    """Candidates of several lists below one another.

    x: (n, k). is_chosen: (n,) bool. starts: (n_lists,) position of each list's first row; every list has a chosen row.
    """

    x: Array
    is_chosen: NDArray[np.bool_]
    starts: NDArray[np.int64]

    def numbers(self) -> NDArray[np.int64]:
        """(n,) the list of each row."""
        lengths = np.diff(np.append(self.starts, len(self.x)))
        return np.repeat(np.arange(len(self.starts)), lengths)


def list_losses(rows: ListRows, weights: Array) -> Array:
    """(n_lists,) negative log likelihood of each list's choices under a softmax over the list, per root of choices.

    The conditional logit (McFadden, 1974). A list with many choices counts for the root of their number, so that a
    page of a hundred links does not speak for all.
    """
    scores = rows.x @ weights
    number = rows.numbers()
    highest = np.maximum.reduceat(scores, rows.starts)
    logs = scores - highest[number] - np.log(np.add.reduceat(np.exp(scores - highest[number]), rows.starts))[number]
    chosen = np.add.reduceat(rows.is_chosen.astype(float), rows.starts)
    return np.asarray(-np.add.reduceat(np.where(rows.is_chosen, logs, 0.0), rows.starts) / np.sqrt(chosen))


def fit_lists(rows: ListRows, centre: Array, strength: float) -> Array:
    """(k,) weights of the conditional logit with a ridge penalty of `strength` / 2 around `centre`."""
    number = rows.numbers()
    chosen = np.add.reduceat(rows.is_chosen.astype(float), rows.starts)
    worth = np.where(rows.is_chosen, 1.0 / np.sqrt(chosen)[number], 0.0)
    total = np.add.reduceat(worth, rows.starts)

    def loss(weights: Array) -> tuple[float, Array]:
        scores = rows.x @ weights
        highest = np.maximum.reduceat(scores, rows.starts)
        powers = np.exp(scores - highest[number])
        sums = np.add.reduceat(powers, rows.starts)
        value = -(worth * (scores - highest[number] - np.log(sums)[number])).sum()
        slope = -(rows.x.T @ (worth - powers / sums[number] * total[number]))
        away = weights - centre
        return float(value + strength / 2 * away @ away), slope + strength * away

    return np.asarray(minimize(loss, centre, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x)


def fit_logistic(x: Array, y: Array, worth: Array, centre: Array, strength: Array) -> Array:
    """(k,) weights of a logistic regression, each with a ridge penalty of strength[k] / 2 around centre[k].

    x: (n, k), a constant column for the intercept included. y: (n,) 0 to 1. worth: (n,) weight of each row.
    """

    def loss(weights: Array) -> tuple[float, Array]:
        logits = x @ weights
        value = (worth * (np.logaddexp(0.0, logits) - y * logits)).sum()
        slope = x.T @ (worth * (1.0 / (1.0 + np.exp(-np.clip(logits, -40, 40))) - y))
        away = weights - centre
        return float(value + (strength * away * away).sum() / 2), slope + strength * away

    return np.asarray(minimize(loss, centre, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x)
