"""How well each candidate page fits a source page: one raw signal per column, and the same standardized.

The columns are named in FEATURES. Standardizing every signal over the candidates of one source page (z-score) is what
lets signals of different spread and models of different scale be added. Leaves the adding to `ranking`.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from recommendations.engine.site_model import SiteModel
from recommendations.engine.source_text import PhraseHits
from recommendations.engine.types import FloatArray, IntArray

FEATURES = (
    "page_cosine",  # cosine of the two page vectors
    "sentence_name_cosine",  # best linkable sentence to the target's name
    "sentence_page_cosine",  # best linkable sentence to the target's page vector
    "sentence_name_cover",  # idf-weighted share of the name's terms in the best linkable sentence
    "page_name_cover",  # the same share in the whole page
    "known_anchor",  # how surely a phrase of the page is an anchor text of the target elsewhere
    "name_mention",  # the target's name or heading stands in a linkable sentence word for word
    "inlinks",  # log of the target's inlinks
    "neighbour_links",  # share of similar pages that link to the target
    "links_back",  # the target links to the source
    "path",  # shared leading part of the two addresses
    "best_sentence",  # best sum, within one linkable sentence, of name cosine, cover, known anchor and mention
)


class MeasuredText(Protocol):
    """What measuring needs to know of a page's text: a ReadPage, or what is remembered of one."""

    @property
    def page(self) -> int: ...

    @property
    def terms(self) -> sparse.csr_matrix: ...

    @property
    def is_linkable(self) -> NDArray[np.bool_]: ...

    @property
    def hits(self) -> PhraseHits: ...

    @property
    def mentioned(self) -> IntArray: ...


@dataclass(frozen=True, slots=True)
class SourceFeatures:
    """candidates: (n,) page positions. raw, z: (n, len(FEATURES)) float32.

    Per sentence and candidate, (n_sentences, n) float32: name_cosines, page_cosines, covers, anchors (known-anchor
    certainty), mentions (0 or 1).
    """

    candidates: IntArray
    raw: FloatArray
    z: FloatArray
    name_cosines: FloatArray
    page_cosines: FloatArray
    covers: FloatArray
    anchors: FloatArray
    mentions: FloatArray


#: A name without its subtitle says a little less than the whole.
SHORT_NAME_WORTH = 0.9


def standardize(values: FloatArray) -> FloatArray:
    """Columns to mean 0 and standard deviation 1; constant columns to 0. values: (n, k)."""
    if not len(values):
        return values.astype(np.float32)
    spread = values.std(axis=0)
    return np.where(spread > 1e-6, (values - values.mean(axis=0)) / np.maximum(spread, 1e-6), 0.0).astype(np.float32)


def _phrase_signals(model: SiteModel, page: MeasuredText, candidates: IntArray) -> tuple[FloatArray, FloatArray]:
    """(n_sentences, n_candidates) known-anchor certainty and name mentions."""
    column = np.full(len(model.pages), -1, dtype=np.int64)
    column[candidates] = np.arange(len(candidates))
    anchors = np.zeros((page.terms.shape[0], len(candidates)), dtype=np.float32)
    mentions = np.zeros_like(anchors)
    hits, columns = page.hits, column[page.hits.targets]
    for signal, is_meant in ((mentions, hits.is_title), (anchors, ~hits.is_title)):
        chosen = is_meant & (columns >= 0)
        np.maximum.at(signal, (hits.rows[chosen], columns[chosen]), hits.values[chosen])
    return anchors, mentions


def _cover(terms: sparse.csr_matrix, name_terms: sparse.csr_matrix) -> FloatArray:
    """(n_texts, n_candidates) idf-weighted share of each name's terms that the text holds."""
    return np.asarray((terms @ name_terms).todense(), dtype=np.float32)


def _best_sentence(
    name_cosines: FloatArray, page_cosines: FloatArray, covers: FloatArray, anchors: FloatArray, mentions: FloatArray
) -> FloatArray:
    """(n_candidates,) the best linkable sentence's joint fitness: what one sentence must have at once."""

    def even(matrix: FloatArray) -> FloatArray:
        return (matrix - matrix.mean()) / max(float(matrix.std()), 1e-6)

    joint = even(name_cosines) + 0.5 * even(page_cosines) + even(covers) + 3.0 * anchors + 1.5 * mentions
    return joint.max(axis=0)


def _shared_path(model: SiteModel, source: int, candidates: IntArray) -> FloatArray:
    """(n_candidates,) length of the folders that both addresses begin with, as a share of the longer one's."""
    folders = model.folders
    own, others = folders[source], folders[candidates]
    same = np.cumprod((others == own) & (own >= 0), axis=1).sum(axis=1)
    longest = np.maximum((others >= 0).sum(axis=1), (own >= 0).sum())
    return (same / np.maximum(longest, 1)).astype(np.float32)


def source_features(
    model: SiteModel, page: MeasuredText, vectors: FloatArray, candidates: IntArray, neighbours: IntArray
) -> SourceFeatures:
    """Every signal of one source page. vectors: (n_sentences, dim); neighbours: pages similar to the source."""
    pages = model.pages
    name_cosines = vectors @ model.name_vectors[candidates].T
    page_cosines = vectors @ pages.page_vectors[candidates].T
    whole, short = model.name_terms[:, candidates], model.short_terms[:, candidates]
    covers = _cover(page.terms, whole)
    either = np.maximum(covers, SHORT_NAME_WORTH * _cover(page.terms, short))
    anchors, mentions = _phrase_signals(model, page, candidates)
    all_terms = page.terms.max(axis=0) if page.terms.shape[0] else page.terms
    similarities = pages.page_vectors[candidates] @ pages.page_vectors[page.page]
    neighbour_similarities = pages.page_vectors[neighbours] @ pages.page_vectors[page.page]
    free = page.is_linkable

    def best(matrix: FloatArray) -> FloatArray:
        return matrix[free].max(axis=0) if free.any() else np.zeros(len(candidates), dtype=np.float32)

    joint = np.zeros(len(candidates), dtype=np.float32)
    if free.any() and len(candidates):
        joint = _best_sentence(name_cosines[free], page_cosines[free], either[free], anchors[free], mentions[free])
    raw = np.stack(
        [
            similarities,
            best(name_cosines),
            best(page_cosines),
            best(either),
            np.maximum(_cover(all_terms, whole), SHORT_NAME_WORTH * _cover(all_terms, short)).ravel(),
            best(anchors),
            best(mentions),
            np.log1p(model.graph.inlink_counts(page.page)[candidates]),
            model.graph.linked_by_neighbours(neighbours, neighbour_similarities)[candidates],
            model.graph.links_back(page.page)[candidates],
            _shared_path(model, page.page, candidates),
            joint,
        ],
        axis=1,
    ).astype(np.float32)
    return SourceFeatures(candidates, raw, standardize(raw), name_cosines, page_cosines, covers, anchors, mentions)
