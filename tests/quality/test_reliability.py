"""Calibration error, Brier score and skill against figures worked out by hand."""

import numpy as np
import pytest

from benchmarks.reliability import measure_reliability, precision_by_score


def test_figures_of_four_suggestions_by_hand() -> None:
    found = measure_reliability([0.1, 0.3, 0.6, 0.8], [False, True, False, True], bands=2)
    assert [(band.count, band.lowest, band.highest) for band in found.bands] == [(2, 0.1, 0.3), (2, 0.6, 0.8)]
    assert [band.predicted for band in found.bands] == pytest.approx([0.2, 0.7])
    assert [band.observed for band in found.bands] == [0.5, 0.5]
    assert found.calibration_error == pytest.approx((2 * 0.3 + 2 * 0.2) / 4)
    assert found.brier == pytest.approx((0.01 + 0.49 + 0.36 + 0.04) / 4)
    assert found.base_rate == 0.5
    assert found.base_brier == 0.25
    assert found.skill == pytest.approx(1 - 0.225 / 0.25)


def test_scores_that_mean_what_they_say_are_told_from_those_that_do_not() -> None:
    generator = np.random.default_rng(1)
    chances = generator.beta(0.5, 3, 20_000)
    outcomes = (generator.random(20_000) < chances).tolist()
    honest = measure_reliability(chances.tolist(), outcomes)
    assert len(honest.bands) == 10
    assert {band.count for band in honest.bands} == {2000}
    assert honest.calibration_error < 0.01
    boastful = measure_reliability(np.sqrt(chances).tolist(), outcomes)
    assert boastful.calibration_error > 0.1
    assert boastful.brier > honest.brier
    constant = measure_reliability([float(np.mean(outcomes))] * len(outcomes), outcomes)
    assert constant.skill == pytest.approx(0, abs=1e-9)


def test_uneven_counts_weigh_by_what_they_hold_and_nothing_is_no_error() -> None:
    found = measure_reliability([0.0, 0.0, 0.5], [False, False, False], bands=2)
    assert [band.count for band in found.bands] == [2, 1]
    assert found.calibration_error == pytest.approx(0.5 / 3)
    assert found.skill is None
    assert measure_reliability([], []).bands == ()
    with pytest.raises(ValueError, match="2 scores have 1 outcomes"):
        measure_reliability([0.1, 0.2], [True])


def test_precision_by_score_keeps_each_score_in_its_band() -> None:
    bands = precision_by_score([1.0, 0.95, 0.3, 0.31, 0.05], [True, False, True, False, False])
    assert [(band.lowest, band.highest, band.count, band.observed) for band in bands] == [
        (0.9, 1.0, 2, 0.5),
        (0.3, 0.4, 2, 0.5),
        (0.0, 0.1, 1, 0.0),
    ]
