"""What goes into the engine and what comes out: frozen values and arrays, no rows.

Indices: a page is known by its position in SitePages (0-based), a sentence by its position in its SourcePage.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from crawler.extraction.types import Block, ExtractedSentence

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SitePages:
    """Every page of a site that was read, one position each.

    page_vectors: (n_pages, dim) float32, L2-normalized. translation_groups: (n_pages,) int64, equal for pages that
    are each other's translations. depths: (n_pages,) clicks from the start page, -1 where unknown.
    """

    urls: Sequence[str]
    titles: Sequence[str]
    h1s: Sequence[str]
    headings: Sequence[Sequence[str]]
    languages: Sequence[str]
    is_target: NDArray[np.bool_]
    translation_groups: IntArray
    page_vectors: FloatArray
    depths: IntArray | None = None

    def __len__(self) -> int:
        return len(self.urls)


@dataclass(frozen=True, slots=True)
class SiteLinks:
    """Existing links between pages, one position a link. Positions of pages, anchor texts and where they stand.

    places: (n_links, 3) int64, each link's block ordinal, start and end in its block; -1 where it stands in none.
    """

    sources: IntArray
    targets: IntArray
    anchor_texts: Sequence[str]
    is_editorial: NDArray[np.bool_]
    is_in_code: NDArray[np.bool_]
    places: IntArray | None = None


@dataclass(frozen=True, slots=True)
class SourcePage:
    """The text of one page: its sentences with their vectors, and the blocks in which they stand.

    vectors: (n_sentences, dim) float32, L2-normalized, zero rows where a sentence has none. Boilerplate sentences are
    left out before.
    """

    page: int
    sentences: Sequence[ExtractedSentence]
    vectors: FloatArray
    blocks: dict[int, Block]


@dataclass(frozen=True, slots=True)
class Rejections:
    """What editors refused: never proposed again. Keys hold normalized URLs, folded anchors, sentence hashes."""

    pairs: frozenset[tuple[str, str]] = frozenset()
    anchors: frozenset[tuple[str, str, str]] = frozenset()
    places: frozenset[tuple[str, str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What may be set per site or run. `threshold` is the lowest score (0 to 1) that is proposed.

    least_fitness: how surely an anchor's words must name its target (`AnchorSpan.fitness`) to be proposed.
    links_per_1000_words: of the source, 0 for no limit; holds only where there is a threshold. orphan_favour: 0 to 1,
    see `target_choice`.
    """

    top: int = 10
    threshold: float = 0.0
    least_fitness: float = 0.0
    links_per_paragraph: int | None = None  # None: learned from the site's own links
    links_per_1000_words: int = 0
    orphan_favour: float = 0.0
    is_inline_code_linkable: bool | None = None  # None: learned from the site's own links
    is_cross_language_allowed: bool = False
    alternatives: int = 5
    rejections: Rejections = field(default_factory=Rejections)


@dataclass(frozen=True, slots=True)
class AnchorSpan:
    """Words of a sentence: `text == sentence.text[start:end]`.

    `score` ranks the spans of one sentence; `fitness` (0 to 1) tells how surely the words alone name the target.
    """

    start: int
    end: int
    text: str
    score: float
    fitness: float = 0.0


@dataclass(frozen=True, slots=True)
class LinkCandidate:
    """The engine's proposal: `anchor` in the source's sentence number `sentence` should link to `target`."""

    source: int
    target: int
    score: float
    rank: int
    sentence: int
    anchor: AnchorSpan
    alternatives: tuple[AnchorSpan, ...]
    match_index: int
    context_before: str
    context_after: str
    reasons: tuple[str, ...]
