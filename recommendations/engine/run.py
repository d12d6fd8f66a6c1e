"""The whole recipe on one screen: from source pages to link candidates.

Pure: the encoder and the index of page vectors come in as protocols; nothing is read or written.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from embeddings.types import Encoder, TokenVectors
from recommendations.engine.anchor_naming import NameIndex
from recommendations.engine.anchors import Target, WordVectors, rank_spans, target_of
from recommendations.engine.learning import Learned
from recommendations.engine.measuring import MeasuredPage, NearestPages, measure_pages
from recommendations.engine.placement import sentence_scores
from recommendations.engine.ranking import rank_candidates
from recommendations.engine.reasons import reasons_for
from recommendations.engine.rivals import PlaceMeaning
from recommendations.engine.selection import Choice, choose_links, keep_best
from recommendations.engine.site_model import SiteModel
from recommendations.engine.source_text import ReadSentence
from recommendations.engine.target_choice import choose_targets
from recommendations.engine.types import AnchorSpan, IntArray, LinkCandidate, SourcePage

_CONTEXT = 120  # characters on either side
_SPARE = 1.5  # candidates prepared beyond `top`, for those that find no place


class _Draft:
    """A source page between ranking and anchors: its candidates from the best down, with their best sentences."""

    def __init__(self, model: SiteModel, learned: Learned, page: MeasuredPage) -> None:
        options = self._options = model.options
        self._links_per_paragraph = model.links_per_paragraph
        self._targets: dict[int, Target] = {}
        self._places: dict[int, PlaceMeaning] = {}
        self.page, self.features = page.read, page.features
        self._sentence_vectors = page.source.vectors
        self._page_vectors = model.pages.page_vectors[self.features.candidates]
        self.ranking = rank_candidates(model, learned, page)
        order = self.ranking.order[: int(options.top * _SPARE) + 2]
        self.order = order[self.ranking.probabilities[order] >= options.threshold]
        fitness = sentence_scores(model, self.page, page.source.vectors, self.features, self.order)
        self.rows = [
            [int(row) for row in np.argsort(-fitness[:, column], kind="stable") if np.isfinite(fitness[row, column])]
            for column in range(len(self.order))
        ]

    def likely_sentences(self) -> list[ReadSentence]:
        """Sentences that will probably be needed: each candidate's best that the paragraph cap leaves."""
        cap = self._links_per_paragraph
        used: Counter[int] = Counter()
        likely = []
        for rows in self.rows[: self._options.top]:
            for row in rows:
                read = self.page.sentences[row]
                if used[read.block.ordinal] < cap:
                    used[read.block.ordinal] += 1
                    likely.append(read)
                    break
        return likely

    def target(self, model: SiteModel, candidate: int, language: str) -> Target:
        """The candidate as anchors see it, weighed once."""
        if candidate not in self._targets:
            position = int(self.features.candidates[candidate])
            names = (model.names[position], model.short_names[position])
            vectors = np.stack([model.name_vectors[position], model.short_vectors[position]])
            self._targets[candidate] = target_of(position, names, language, vectors, model.weights)
        return self._targets[candidate]

    def place(self, row: int) -> PlaceMeaning:
        """What sentence number `row` is about, among all candidates."""
        if row not in self._places:
            features, vectors = self.features, self._sentence_vectors
            others = vectors.sum(axis=0) - vectors[row]
            rest = self._page_vectors @ (others / max(float(np.linalg.norm(others)), 1e-6))
            self._places[row] = PlaceMeaning(features.candidates, features.page_cosines[row], rest, self._page_vectors)
        return self._places[row]


class Recommender:
    """Ranks and places links for one page after another on a prepared site."""

    def __init__(
        self, model: SiteModel, encoder: Encoder, nearest: NearestPages, learned: Learned | None = None
    ) -> None:
        self.model = model
        self.learned = learned or Learned()
        self._encoder = encoder
        self._nearest = nearest
        self._words = WordVectors(encoder)
        self._names = NameIndex(model.names, model.short_names, model.pages.languages, model.weights)

    def recommend(self, sources: Sequence[SourcePage]) -> list[list[LinkCandidate]]:
        """The link candidates of each source page, best first.

        Sentences are encoded for all pages together; a page whose caps send a target to another sentence than expected
        waits for the next round.
        """
        self._words.forget_many()
        drafts = self._drafts(sources)
        tokens: dict[str, TokenVectors] = {}
        found: dict[int, list[LinkCandidate]] = {}
        wanted = [read for draft in drafts for read in draft.likely_sentences()]
        while len(found) < len(drafts):
            self._encode(wanted, tokens)
            wanted = []
            for number, draft in enumerate(drafts):
                if number not in found:
                    links, missing = self._finish(draft, tokens)
                    wanted += missing
                    if not missing:
                        found[number] = links
        return [found[number] for number in range(len(drafts))]

    def rank_targets(self, sources: Sequence[SourcePage]) -> list[IntArray]:
        """Every candidate of each source page, best first, as page positions: what retrieval and ranking alone find."""
        pages = measure_pages(self.model, self._nearest, sources)
        return [page.features.candidates[rank_candidates(self.model, self.learned, page).order] for page in pages]

    def _drafts(self, sources: Sequence[SourcePage]) -> list[_Draft]:
        return [_Draft(self.model, self.learned, page) for page in measure_pages(self.model, self._nearest, sources)]

    def _encode(self, reads: Sequence[ReadSentence], tokens: dict[str, TokenVectors]) -> None:
        self._words.add([word.text for read in reads for word in read.words])
        texts = sorted({read.sentence.text for read in reads} - tokens.keys())
        if texts:
            tokens.update(zip(texts, self._encoder.encode_tokens(texts), strict=True))

    def _finish(self, draft: _Draft, tokens: dict[str, TokenVectors]) -> tuple[list[LinkCandidate], list[ReadSentence]]:
        """The page's links, and the sentences that must be encoded first, if any."""
        model, page = self.model, draft.page
        language = model.pages.languages[page.page]
        missing: dict[int, ReadSentence] = {}

        def spans_of(candidate: int, row: int) -> list[AnchorSpan]:
            read = page.sentences[row]
            # The same text may stand on a page of another language, cut into other words.
            is_encoded = read.sentence.text in tokens and self._words.knows(read.words)
            if candidate in missing or not is_encoded:
                missing.setdefault(candidate, read)
                return []
            return rank_spans(
                read,
                tokens[read.sentence.text],
                self._words,
                draft.target(model, candidate, language),
                page.page,
                model.weights,
                language,
                draft.place(row),
                self._names,
            )

        targets = draft.features.candidates[draft.order]
        probabilities = draft.ranking.probabilities
        places, bonus = choose_targets(model, page.page, targets, probabilities[draft.order])
        ranked = [
            (int(draft.order[place]), model.pages.urls[int(targets[place])], draft.rows[place]) for place in places
        ]
        bonus_of = dict(zip(draft.order.tolist(), bonus.tolist(), strict=True))
        url = model.pages.urls[page.page]
        choices = choose_links(
            page, ranked, spans_of, url, model.options, model.is_code_linkable, model.links_per_paragraph
        )
        scored = [(float(probabilities[item.candidate]), bonus_of[item.candidate], item) for item in choices]
        kept = keep_best(scored, page, model.options)
        links = [self._candidate(draft, choice, score, rank) for rank, (score, choice) in enumerate(kept, 1)]
        return links, list(missing.values())

    def _candidate(self, draft: _Draft, choice: Choice, score: float, rank: int) -> LinkCandidate:
        read = draft.page.sentences[choice.sentence]
        anchor, block = choice.spans[0], read.block
        start, end = read.sentence.start + anchor.start, read.sentence.start + anchor.end
        return LinkCandidate(
            source=draft.page.page,
            target=int(draft.features.candidates[choice.candidate]),
            score=round(score, 6),
            rank=rank,
            sentence=choice.sentence,
            anchor=anchor,
            alternatives=choice.spans[1:],
            match_index=choice.match_index,
            context_before=block.text[max(0, start - _CONTEXT) : start],
            context_after=block.text[end : end + _CONTEXT],
            reasons=reasons_for(self.model, draft.features, choice.candidate, choice.sentence, anchor.text),
        )
