"""Weights near the shipped ones: moved by a rule, not by chance, and never below an order."""

from dataclasses import replace

import numpy as np
import pytest

from recommendations.engine.near_shipped import LEAST_LISTS, LabelledList, fit_near_shipped

_SHIPPED = np.array([1.0, 0.0, 0.0], dtype=np.float32)
_STRENGTHS = (20.0, 200.0)


def _lists(count: int, rule: int | None, seed: int = 4) -> list[LabelledList]:
    """Lists of eight rows whose chosen row is the highest in column `rule`, or drawn by lot."""
    random = np.random.default_rng(seed)
    lists = []
    for page in range(count):
        x = random.standard_normal((8, 3)).astype(np.float32)
        is_chosen = np.zeros(8, dtype=bool)
        is_chosen[random.integers(8) if rule is None else np.argmax(x[:, rule])] = True
        lists.append(LabelledList(page, x, is_chosen))
    return lists


def _found(weights: np.ndarray, lists: list[LabelledList]) -> float:
    return float(np.mean([item.is_chosen[np.argmax(item.x @ weights)] for item in lists]))


def test_a_rule_that_the_shipped_weights_lack_is_learned() -> None:
    fit = fit_near_shipped(_lists(100, rule=1), _SHIPPED, _STRENGTHS)
    assert fit.is_site_trained
    assert fit.losses[1] < fit.losses[0]
    unseen = _lists(100, rule=1, seed=9)
    assert _found(fit.weights, unseen) > _found(_SHIPPED, unseen) + 0.4


@pytest.mark.parametrize("seed", range(5))
def test_choices_by_lot_leave_the_shipped_order(seed: int) -> None:
    """The shipped weights are far too sure here: doubt alone is no reason to leave them."""
    fit = fit_near_shipped(_lists(60, rule=None, seed=seed), 5 * _SHIPPED, _STRENGTHS)
    assert not fit.is_site_trained
    assert _found(fit.weights, _lists(60, rule=0)) == 1.0


def test_few_lists_teach_nothing() -> None:
    fit = fit_near_shipped(_lists(LEAST_LISTS - 1, rule=1), _SHIPPED, _STRENGTHS)
    assert np.array_equal(fit.weights, _SHIPPED)
    assert fit.lists == 0


def test_pages_that_cannot_be_held_out_from_each_other_teach_nothing() -> None:
    """Pages 0 and 5 fall into one fold: nothing is left to learn from when it is held out."""
    lists = [replace(item, page=5 * (item.page % 2)) for item in _lists(40, rule=1)]
    fit = fit_near_shipped(lists, _SHIPPED, _STRENGTHS)
    assert np.array_equal(fit.weights, _SHIPPED)
    assert np.isfinite(fit.losses).all()
