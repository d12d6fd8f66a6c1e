"""A measured page's best candidates, in the order in which they are tried, and the scores of those that found a place.

Leaves sentences and words to `run`: all that is here is worked out anew for every page, since one changed page moves
the scores of all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from recommendations.engine.learning import Learned
from recommendations.engine.measuring import MeasuredSource
from recommendations.engine.ranking import rank_candidates
from recommendations.engine.reasons import reasons_for
from recommendations.engine.selection import keep_best
from recommendations.engine.site_model import SiteModel
from recommendations.engine.target_choice import choose_targets
from recommendations.engine.types import FloatArray, IntArray, LinkCandidate

_SPARE = 1.5  # candidates prepared beyond `top`, for those that find no place


@dataclass(frozen=True, slots=True)
class Shortlist:
    """order: candidate numbers from the best down. tried: those of them that take part, in the order to be tried.

    targets: the pages of `tried`. probabilities: by candidate number. bonus: by candidate number of `order`.
    """

    order: IntArray
    tried: list[int]
    targets: list[int]
    probabilities: FloatArray
    bonus: dict[int, float]


def make_shortlist(model: SiteModel, learned: Learned, measured: MeasuredSource) -> Shortlist:
    """Who may get a link at all."""
    ranking, candidates = rank_candidates(model, learned, measured), measured.features.candidates
    order = ranking.order[: int(model.options.top * _SPARE) + 2]
    order = order[ranking.probabilities[order] >= model.options.threshold]
    targets = candidates[order]
    places, bonus = choose_targets(model, measured.page, targets, ranking.probabilities[order])
    tried = [int(order[place]) for place in places]
    return Shortlist(
        order=order,
        tried=tried,
        targets=[int(targets[place]) for place in places],
        probabilities=ranking.probabilities,
        bonus=dict(zip(order.tolist(), bonus.tolist(), strict=True)),
    )


def score_links(
    model: SiteModel, measured: MeasuredSource, shortlist: Shortlist, placed: Sequence[LinkCandidate], n_words: int
) -> list[LinkCandidate]:
    """The links that are proposed of those that found a place, with score, rank and reasons. n_words: of the page."""
    number = dict(zip(shortlist.targets, shortlist.tried, strict=True))
    scored = [
        (float(shortlist.probabilities[number[link.target]]), shortlist.bonus[number[link.target]], link)
        for link in placed
    ]
    return [
        replace(
            link,
            score=round(score, 6),
            rank=rank,
            reasons=reasons_for(model, measured.features, number[link.target], link.sentence, link.anchor.text),
        )
        for rank, (score, link) in enumerate(keep_best(scored, n_words, model.options), 1)
    ]


def rounded_order(fitness: FloatArray) -> list[int]:
    """Numbers of the finite values, highest first. Values that differ by rounding alone keep their order."""
    rounded = np.round(fitness.astype(np.float64), 5)
    return [int(row) for row in np.argsort(-rounded, kind="stable") if np.isfinite(fitness[row])]
