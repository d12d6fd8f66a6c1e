"""Whether a score means what it says: predicted against observed, in bands. Pure; leaves who observed to the callers.

Calibration error: the mean over bands of |mean score - observed share|, weighted by the bands' counts (expected
calibration error: Naeini, Cooper and Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian Binning",
AAAI 2015; bands of equal count as in Nguyen and O'Connor, "Posterior calibration and exploratory analysis for natural
language processing models", EMNLP 2015). Brier score: the mean of (score - outcome)² (Brier, "Verification of forecasts
expressed in terms of probability", Monthly Weather Review 78, 1950). Skill: 1 - Brier / Brier of the constant base
rate, which is p(1 - p): 0 is no better than telling everybody the average, 1 is perfect.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

BANDS = 10


@dataclass(frozen=True, slots=True)
class Band:
    """Suggestions of neighbouring scores: how many, their mean score, and the share of them that came true."""

    count: int
    lowest: float
    highest: float
    predicted: float
    observed: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """Bands of equal count from the lowest scores up, and what they add up to."""

    bands: tuple[Band, ...]
    count: int
    base_rate: float
    calibration_error: float
    brier: float
    base_brier: float

    @property
    def skill(self) -> float | None:
        """How much better than the constant base rate; None where everything or nothing came true."""
        return 1 - self.brier / self.base_brier if self.base_brier > 0 else None


def measure_reliability(scores: Sequence[float], outcomes: Sequence[bool], bands: int = BANDS) -> Reliability:
    """Predicted against observed. Raises ValueError where the two differ in length."""
    if len(scores) != len(outcomes):
        raise ValueError(f"{len(scores)} scores have {len(outcomes)} outcomes: give one outcome for each score.")
    predicted, came_true = np.asarray(scores, dtype=float), np.asarray(outcomes, dtype=float)
    if not len(predicted):
        return Reliability((), 0, 0.0, 0.0, 0.0, 0.0)
    order = np.argsort(predicted, kind="stable")
    parts = [part for part in np.array_split(order, bands) if len(part)]
    found = tuple(_band(predicted[part], came_true[part]) for part in parts)
    base_rate = float(came_true.mean())
    return Reliability(
        bands=found,
        count=len(predicted),
        base_rate=base_rate,
        calibration_error=sum(band.count * abs(band.predicted - band.observed) for band in found) / len(predicted),
        brier=float(np.mean((predicted - came_true) ** 2)),
        base_brier=base_rate * (1 - base_rate),
    )


def precision_by_score(scores: Sequence[float], outcomes: Sequence[bool], width: float = 0.1) -> list[Band]:
    """Bands of equal width from the highest scores down, empty ones left out: how often each kind of score is right."""
    predicted, came_true = np.asarray(scores, dtype=float), np.asarray(outcomes, dtype=float)
    count = round(1 / width)
    # A score of exactly 1 belongs to the highest band; the small number keeps 0.3 / 0.1 in its own.
    numbers = np.clip(np.floor(predicted / width + 1e-9), 0, count - 1).astype(int)
    bands = []
    for number in sorted(set(numbers.tolist()), reverse=True):
        chosen = numbers == number
        band = _band(predicted[chosen], came_true[chosen])
        bands.append(Band(band.count, number / count, (number + 1) / count, band.predicted, band.observed))
    return bands


def _band(predicted: "np.ndarray", came_true: "np.ndarray") -> Band:
    return Band(
        len(predicted),
        float(predicted.min()),
        float(predicted.max()),
        float(predicted.mean()),
        float(came_true.mean()),
    )
