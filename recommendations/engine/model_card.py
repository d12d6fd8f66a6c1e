"""What a run was ranked with, as plain JSON that people can read: kept with the run.

Leaves storing it to the caller.
"""

from typing import Any

from recommendations.engine.calibration import MISSING_SHARE, SIGNALS
from recommendations.engine.features import FEATURES
from recommendations.engine.learning import Learned
from recommendations.engine.near_shipped import FittedWeights


def model_card(learned: Learned) -> dict[str, Any]:
    """Ranker, calibration and editors' preferences, each with its weights and where they come from."""
    calibration, preferences = learned.calibration, learned.preferences
    return {
        "ranker": {
            "kind": "conditional logit over a page's candidates, on standardized signals",
            **_fitted(learned.ranker, "pages_learned_from", FEATURES),
        },
        "calibration": {
            "kind": "logistic regression near shipped weights",
            "origin": "site" if calibration.links else "shipped",
            "links_learned_from": calibration.links,
            "assumed_share_of_missing_links": MISSING_SHARE,
            "weights": _named(SIGNALS, calibration.weights.tolist()),
        },
        "preferences": {
            "kind": "logistic regression on accepted and rejected links",
            "decisions_learned_from": preferences.decisions,
            "weights": _named(FEATURES, preferences.signals.tolist()),
        },
    }


def _fitted(fit: FittedWeights, lists: str, names: tuple[str, ...]) -> dict[str, Any]:
    """lists: what the lists that it was learned from are called."""
    shipped, chosen = fit.losses
    return {
        "origin": "site" if fit.is_site_trained else "shipped",
        lists: fit.lists,
        "ridge": fit.strength,
        "held_out_loss_shipped": round(shipped, 4),
        "held_out_loss": round(chosen, 4),
        "weights": _named(names, fit.weights.tolist()),
    }


def _named(names: tuple[str, ...], weights: list[float]) -> dict[str, float]:
    return {name: round(weight, 4) for name, weight in zip(names, weights, strict=True)}
