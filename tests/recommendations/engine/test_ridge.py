"""The two regressions, against answers known beforehand."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from recommendations.engine.ridge import ListRows, fit_lists, fit_logistic, list_losses


def test_logistic_weights_are_those_of_an_independent_implementation() -> None:
    random = np.random.default_rng(1)
    x = random.standard_normal((400, 3))
    y = (random.random(400) < 1 / (1 + np.exp(-(x @ [1.5, -1.0, 0.0])))).astype(float)
    ours = fit_logistic(x, y, np.ones(400), np.zeros(3), np.full(3, 2.0))
    theirs = LogisticRegression(C=0.5, fit_intercept=False, tol=1e-8).fit(x, y).coef_[0]
    assert np.allclose(ours, theirs, atol=1e-3)


def test_weights_stay_at_their_centre_without_evidence_and_leave_it_with_much() -> None:
    random = np.random.default_rng(2)
    centre = np.array([2.0, -1.0])
    nothing = fit_logistic(np.zeros((5, 2)), np.ones(5), np.ones(5), centre, np.ones(2))
    assert np.allclose(nothing, centre, atol=1e-5)
    x = random.standard_normal((20_000, 2))
    y = (random.random(20_000) < 1 / (1 + np.exp(-(x @ [-1.0, 1.0])))).astype(float)
    assert np.allclose(fit_logistic(x, y, np.ones(20_000), centre, np.ones(2)), [-1.0, 1.0], atol=0.1)


def _lists(n_lists: int, weights: np.ndarray) -> ListRows:
    random = np.random.default_rng(3)
    x = random.standard_normal((n_lists * 10, len(weights)))
    # Gumbel noise makes the highest of a list a draw from its softmax.
    scores = (x @ weights + random.gumbel(size=len(x))).reshape(n_lists, 10)
    chosen = np.zeros((n_lists, 10), dtype=bool)
    chosen[np.arange(n_lists), scores.argmax(axis=1)] = True
    return ListRows(x, chosen.ravel(), np.arange(n_lists) * 10)


def test_list_weights_are_found_again_from_the_choices_that_they_made() -> None:
    true = np.array([1.0, -0.5, 0.0])
    found = fit_lists(_lists(4_000, true), np.zeros(3), 1.0)
    assert np.allclose(found, true, atol=0.08)


def test_a_lists_loss_is_that_of_its_softmax() -> None:
    rows = ListRows(
        np.array([[0.0], [np.log(3.0)], [0.0], [0.0]]), np.array([False, True, True, True]), np.array([0, 2])
    )
    losses = list_losses(rows, np.array([1.0]))
    assert np.allclose(losses, [-np.log(0.75), 2 * np.log(2) / np.sqrt(2)])
