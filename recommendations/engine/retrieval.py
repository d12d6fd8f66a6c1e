"""Candidate targets of a source page: everything eligible on small sites, the union of several searches on large ones.

What retrieval misses no ranking finds, so each search adds its best and none can veto. Leaves scoring to `features`.
"""

import numpy as np
from numpy.typing import NDArray

from recommendations.engine.features import MeasuredText
from recommendations.engine.site_model import SiteModel
from recommendations.engine.types import FloatArray, IntArray

#: Up to this many pages every eligible page is a candidate.
DENSE_PAGES = 3_000
_PER_SEARCH = 120


def _top(scores: FloatArray, count: int) -> IntArray:
    """Positions of the `count` highest positive scores."""
    count = min(count, len(scores))
    best = np.argpartition(-scores, count - 1)[:count] if count else np.zeros(0, dtype=np.int64)
    return best[scores[best] > 0].astype(np.int64)


def candidate_pages(
    model: SiteModel, page: MeasuredText, eligible: NDArray[np.bool_], neighbours: IntArray, similarities: FloatArray
) -> IntArray:
    """Sorted positions of the eligible candidates. neighbours: the pages nearest to the source by page vector."""
    if len(eligible) <= DENSE_PAGES:
        return np.flatnonzero(eligible).astype(np.int64)
    every_term = page.terms.max(axis=0)
    covers = np.asarray((every_term @ model.name_terms).todense(), dtype=np.float32).ravel()
    linked = model.graph.linked_by_neighbours(neighbours, similarities)
    covers[~eligible] = 0
    linked[~eligible] = 0
    union = np.concatenate([neighbours, _top(covers, _PER_SEARCH), _top(linked, _PER_SEARCH), page.mentioned])
    union = np.unique(union)
    return union[eligible[union]]
