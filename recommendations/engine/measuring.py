"""One source page read, its candidates found and measured: the same for ranking and for learning from existing links.

Leaves scores to `ranker` and `calibration`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recommendations.engine.eligibility import eligible_targets
from recommendations.engine.features import SourceFeatures, source_features
from recommendations.engine.retrieval import candidate_pages
from recommendations.engine.site_model import SiteModel
from recommendations.engine.source_text import ReadPage, read_source
from recommendations.engine.types import FloatArray, Rejections, SourcePage

NEIGHBOURS = 20
NEAREST = 200
_NOTHING: frozenset[int] = frozenset()


class NearestPages(Protocol):
    """An index of page vectors."""

    def query(self, vectors: FloatArray, count: int) -> tuple[NDArray[np.int64], FloatArray]:
        """(m, count) positions, nearest first, and their cosines."""
        ...


@dataclass(frozen=True, slots=True)
class MeasuredPage:
    """links_left: the page's editorial links that count as standing."""

    source: SourcePage
    read: ReadPage
    features: SourceFeatures
    links_left: int


def measure_pages(
    model: SiteModel,
    nearest: NearestPages,
    sources: Sequence[SourcePage],
    freed: Sequence[frozenset[int]] | None = None,
    are_refused_kept: bool = False,
) -> list[MeasuredPage]:
    """Read and measure source pages. freed: per source, linked pages that count as not linked.

    are_refused_kept: pairs that an editor refused are candidates too, so that one can learn from them.
    """
    if not sources:
        return []
    options = replace(model.options, rejections=Rejections()) if are_refused_kept else model.options
    vectors = model.pages.page_vectors[[source.page for source in sources]]
    positions, cosines = nearest.query(vectors, min(NEAREST + 1, len(model.pages)))
    measured = []
    for number, source in enumerate(sources):
        unlinked = freed[number] if freed is not None else _NOTHING
        others = positions[number] != source.page
        neighbours, similar = positions[number][others].astype(np.int64), cosines[number][others]
        read = read_source(model, source)
        eligible = eligible_targets(
            source.page, model.pages, model.graph, options, model.language_codes, model.signatures, unlinked
        )
        candidates = candidate_pages(model, read, eligible, neighbours, similar)
        features = source_features(model, read, source.vectors, candidates, neighbours[:NEIGHBOURS])
        left = sum(target not in unlinked for target in model.graph.linked_from(source.page).tolist())
        measured.append(MeasuredPage(source, read, features, left))
    return measured
