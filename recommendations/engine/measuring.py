"""One source page read, its candidates found and measured: the same for ranking and for learning from existing links.

Leaves scores to `ranker` and `calibration`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recommendations.engine.eligibility import eligible_targets
from recommendations.engine.features import MeasuredText, SourceFeatures, source_features
from recommendations.engine.retrieval import candidate_pages
from recommendations.engine.site_model import SiteModel
from recommendations.engine.source_text import ReadPage, read_source
from recommendations.engine.types import EngineOptions, FloatArray, Rejections, SourcePage

NEIGHBOURS = 20
NEAREST = 200
_NOTHING: frozenset[int] = frozenset()


class NearestPages(Protocol):
    """An index of page vectors."""

    def query(self, vectors: FloatArray, count: int) -> tuple[NDArray[np.int64], FloatArray]:
        """(m, count) positions, nearest first, and their cosines."""
        ...


@dataclass(frozen=True, slots=True)
class MeasuredSource:
    """links_left: the page's editorial links that count as standing. is_eligible: (n_pages,) who may be a target."""

    page: int
    n_sentences: int
    features: SourceFeatures
    links_left: int
    is_eligible: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MeasuredPage(MeasuredSource):
    """The same, with the text that was measured."""

    source: SourcePage
    read: ReadPage


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
    options = replace(model.options, rejections=Rejections()) if are_refused_kept else model.options
    measured = []
    for number, source in enumerate(sources):
        unlinked = freed[number] if freed is not None else _NOTHING
        read = read_source(model, source)
        found = measure_text(model, nearest, read, source.vectors, options, unlinked)
        measured.append(
            MeasuredPage(
                found.page, found.n_sentences, found.features, found.links_left, found.is_eligible, source, read
            )
        )
    return measured


def measure_text(
    model: SiteModel,
    nearest: NearestPages,
    text: MeasuredText,
    vectors: FloatArray,
    options: EngineOptions | None = None,
    unlinked: frozenset[int] = _NOTHING,
) -> MeasuredSource:
    """Find and measure the candidates of one page. vectors: (n_sentences, dim) of its sentences.

    Pages are looked up one at a time: which pages are measured together must not move a bit of the result.
    """
    pages = model.pages
    positions, cosines = nearest.query(pages.page_vectors[[text.page]], min(NEAREST + 1, len(pages)))
    others = positions[0] != text.page
    neighbours, similar = positions[0][others].astype(np.int64), cosines[0][others]
    eligible = eligible_targets(
        text.page, pages, model.graph, options or model.options, model.language_codes, model.signatures, unlinked
    )
    candidates = candidate_pages(model, text, eligible, neighbours, similar)
    features = source_features(model, text, vectors, candidates, neighbours[:NEIGHBOURS])
    left = sum(target not in unlinked for target in model.graph.linked_from(text.page).tolist())
    return MeasuredSource(text.page, len(vectors), features, left, eligible)
