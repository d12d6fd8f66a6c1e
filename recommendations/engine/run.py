"""The whole recipe on one screen: from source pages to link candidates.

Pure: the encoder and the index of page vectors come in as protocols; nothing is read or written.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from embeddings.types import Encoder, TokenVectors
from recommendations.engine.anchors import Target, WordVectors, rank_spans, target_of
from recommendations.engine.eligibility import eligible_targets
from recommendations.engine.features import SourceFeatures, source_features
from recommendations.engine.placement import sentence_scores
from recommendations.engine.ranking import score_candidates
from recommendations.engine.reasons import reasons_for
from recommendations.engine.retrieval import candidate_pages
from recommendations.engine.selection import Choice, choose_links
from recommendations.engine.site_model import SiteModel
from recommendations.engine.source_text import ReadPage, read_source
from recommendations.engine.types import AnchorSpan, FloatArray, IntArray, LinkCandidate, SourcePage

NEIGHBOURS = 20
NEAREST = 200
_CONTEXT = 120  # characters on either side
_SPARE = 1.5  # candidates prepared beyond `top`, for those that find no place


class NearestPages(Protocol):
    """An index of page vectors."""

    def query(self, vectors: FloatArray, count: int) -> tuple[NDArray[np.int64], FloatArray]:
        """(m, count) positions, nearest first, and their cosines."""
        ...


class _Draft:
    """A source page between ranking and anchors: its candidates from the best down, with their best sentences."""

    def __init__(
        self, recommender: "Recommender", source: SourcePage, neighbours: IntArray, cosines: FloatArray
    ) -> None:
        model = recommender.model
        options = model.options
        self.page: ReadPage = read_source(model, source)
        self.eligible = eligible_targets(source.page, model.pages, model.graph, options, model.language_codes)
        candidates = candidate_pages(model, self.page, self.eligible, neighbours, cosines)
        self.features: SourceFeatures = source_features(
            model, self.page, source.vectors, candidates, neighbours[:NEIGHBOURS]
        )
        self.scores = score_candidates(self.features)
        order = np.argsort(-self.scores, kind="stable")[: int(options.top * _SPARE) + 2]
        self.order = order[self.scores[order] >= options.threshold] if len(order) else order
        fitness = sentence_scores(self.features, self.page.is_linkable, self.order)
        self.rows = [
            [int(row) for row in np.argsort(-fitness[:, column], kind="stable") if np.isfinite(fitness[row, column])]
            for column in range(len(self.order))
        ]

    def likely_rows(self) -> set[int]:
        """Sentences that will probably be needed: the best of each candidate."""
        return {rows[0] for rows in self.rows if rows}


class Recommender:
    """Ranks and places links for one page after another on a prepared site."""

    def __init__(self, model: SiteModel, encoder: Encoder, nearest: NearestPages) -> None:
        self.model = model
        self._encoder = encoder
        self._nearest = nearest
        self._words = WordVectors(encoder)

    def recommend(self, sources: Sequence[SourcePage]) -> list[list[LinkCandidate]]:
        """The link candidates of each source page, best first; one forward pass over the sentences of all of them."""
        vectors = self.model.pages.page_vectors[[source.page for source in sources]]
        positions, cosines = self._nearest.query(vectors, min(NEAREST + 1, len(self.model.pages)))
        drafts = []
        for source, row, similar in zip(sources, positions, cosines, strict=True):
            others = row != source.page
            drafts.append(_Draft(self, source, row[others].astype(np.int64), similar[others]))
        tokens = self._encode_likely(drafts)
        return [self._finish(draft, tokens) for draft in drafts]

    def _encode_likely(self, drafts: Sequence[_Draft]) -> dict[str, TokenVectors]:
        reads = [draft.page.sentences[row] for draft in drafts for row in sorted(draft.likely_rows())]
        self._words.add([word.text for read in reads for word in read.words])
        texts = sorted({read.sentence.text for read in reads})
        return dict(zip(texts, self._encoder.encode_tokens(texts), strict=True)) if texts else {}

    def _finish(self, draft: _Draft, tokens: dict[str, TokenVectors]) -> list[LinkCandidate]:
        model, page = self.model, draft.page
        language = model.pages.languages[page.page]
        targets: dict[int, Target] = {}

        def spans_of(candidate: int, row: int) -> list[AnchorSpan]:
            read = page.sentences[row]
            text = read.sentence.text
            if text not in tokens:
                tokens[text] = self._encoder.encode_tokens([text])[0]
                self._words.add([word.text for word in read.words])
            if candidate not in targets:
                position = int(draft.features.candidates[candidate])
                targets[candidate] = target_of(
                    position, model.names[position], language, model.name_vectors[position], model.weights
                )
            return rank_spans(read, tokens[text], self._words, targets[candidate], page.page, model.weights, language)

        ranked = [
            (int(candidate), model.pages.urls[int(draft.features.candidates[candidate])], rows)
            for candidate, rows in zip(draft.order, draft.rows, strict=True)
        ]
        choices = choose_links(
            page, ranked, spans_of, model.pages.urls[page.page], model.options, model.is_code_linkable
        )
        return [self._candidate(draft, choice, rank) for rank, choice in enumerate(choices, 1)]

    def _candidate(self, draft: _Draft, choice: Choice, rank: int) -> LinkCandidate:
        read = draft.page.sentences[choice.sentence]
        anchor, block = choice.spans[0], read.block
        start, end = read.sentence.start + anchor.start, read.sentence.start + anchor.end
        return LinkCandidate(
            source=draft.page.page,
            target=int(draft.features.candidates[choice.candidate]),
            score=round(float(draft.scores[choice.candidate]), 6),
            rank=rank,
            sentence=choice.sentence,
            anchor=anchor,
            alternatives=choice.spans[1:],
            match_index=choice.match_index,
            context_before=block.text[max(0, start - _CONTEXT) : start],
            context_after=block.text[end : end + _CONTEXT],
            reasons=reasons_for(self.model, draft.features, choice.candidate, choice.sentence, anchor.text),
        )
