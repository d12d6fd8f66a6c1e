"""From rank scores to the probability that an editor would make the link.

A logistic regression over the candidates that could be shown, near shipped weights and corrected by the site's own
links: how many links its pages carry, and how well the ranking finds them, differ from site to site. What it predicts
are links that are missing, where as many are missing as MISSING_SHARE says. Leaves the order to `ranker`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from recommendations.engine.features import FEATURES
from recommendations.engine.ranker import RankerWeights
from recommendations.engine.ridge import Array, fit_logistic
from recommendations.engine.training import HIDDEN_SHARE, Example
from recommendations.engine.types import FloatArray

#: Share of the links that editors would make which a site lacks. Nobody knows a site's; the benchmark hides as many.
MISSING_SHARE = 0.3
#: Links to be found as a share of a page's own links: in the examples, and where MISSING_SHARE are missing.
_EXAMPLE_RATIO, _MISSING_RATIO = HIDDEN_SHARE, MISSING_SHARE / (1 - MISSING_SHARE)
#: Of the page's own links this share stands in the examples.
_STANDING_SHARE = 1 - HIDDEN_SHARE
_LEAST = 1e-6  # no link is certain, and none impossible
SIGNALS = (
    "constant",
    "log_share",  # log of the candidate's share in a softmax over the page's candidates
    "log_links",  # log of 1 + the links that stand on an example, or would stand if the page were one
    "log_sentences",  # log of 1 + its sentences, less 3
    "known_anchor",
    "sentence_name_cover",
    "name_mention",
    "entropy",  # of that softmax: whether some candidates stand out
)
#: Learned from eight sites of different kinds, each weighing the same; see docs/quality.md.
_SHIPPED = (-2.0, 0.79, 1.0, 0.09, 1.2, 0.43, 0.1, 0.0)
_STRENGTHS = np.array([1.0, *[20.0] * (len(SIGNALS) - 1)])
#: Candidates of each page that the regression sees: those that could be shown, and as many again.
_SEEN = 20
_RAW = [FEATURES.index(name) for name in ("known_anchor", "sentence_name_cover", "name_mention")]


@dataclass(frozen=True, slots=True)
class Calibration:
    """weights: (len(SIGNALS),). links: examples that it was learned from, 0 for the shipped one."""

    weights: FloatArray
    links: int = 0

    def probabilities(self, scores: FloatArray, raw: FloatArray, links: int, n_sentences: int) -> FloatArray:
        """(n,) for all candidates of one page. scores: (n,) of the ranker; raw: (n, len(FEATURES)).

        links: the page's own editorial links, of which the examples left only a part standing.
        """
        if not len(scores):
            return np.zeros(0, dtype=np.float32)
        logits = _signals(scores, raw, links * _STANDING_SHARE, n_sentences) @ self.weights
        return np.clip(1.0 / (1.0 + np.exp(-np.clip(logits, -30, 30))), _LEAST, 1 - _LEAST).astype(np.float32)


def _signals(scores: FloatArray, raw: FloatArray, links_left: float, n_sentences: int) -> Array:
    """(n, len(SIGNALS)) of one page's candidates."""
    logs = scores.astype(np.float64) - scores.max()
    logs -= np.log(np.exp(logs).sum())
    entropy = -float((np.exp(logs) * logs).sum())
    same = (1.0, np.log1p(links_left), np.log1p(n_sentences) - 3.0, entropy)
    columns = [np.full(len(scores), value) for value in same]
    return np.column_stack([columns[0], logs, columns[1], columns[2], raw[:, _RAW], columns[3]])


def shipped_calibration() -> Calibration:
    """What a site without links gets."""
    return _for_missing_links(np.array(_SHIPPED), 0)


def _for_missing_links(weights: Array, links: int) -> Calibration:
    """Moves the odds from the examples' share of hidden links to the assumed share of missing ones."""
    shifted = weights.copy()
    shifted[0] += np.log(_MISSING_RATIO / _EXAMPLE_RATIO)
    return Calibration(shifted.astype(np.float32), links)


def fit_calibration(examples: Sequence[Example], ranker: RankerWeights) -> Calibration:
    """The shipped calibration, moved by the site's own examples as far as they are many."""
    parts: list[tuple[Array, Array, float]] = []
    for example in examples:
        if not len(example.candidates):
            continue
        scores = ranker.scores(example.z)
        seen = np.argsort(-scores, kind="stable")[:_SEEN]
        signals = _signals(scores, example.raw, example.links_left, example.n_sentences)[seen]
        parts.append((signals, example.is_link[seen].astype(np.float64), example.worth))
    links = int(sum(part[1].sum() for part in parts))
    if not links:
        return shipped_calibration()
    x, y = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    worth = np.concatenate([np.full(len(part[1]), part[2]) for part in parts])
    return _for_missing_links(fit_logistic(x, y, worth / max(1.0, worth.mean()), np.array(_SHIPPED), _STRENGTHS), links)
