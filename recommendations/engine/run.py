"""The whole recipe on one screen: from source pages to link candidates.

Pure: the encoder and the index of page vectors come in as protocols; nothing is read or written.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from embeddings.types import Encoder, TokenVectors
from recommendations.engine.anchor_naming import NameIndex
from recommendations.engine.anchors import Target, WordVectors, rank_spans, target_of
from recommendations.engine.features import MeasuredText
from recommendations.engine.learning import Learned
from recommendations.engine.measuring import MeasuredPage, MeasuredSource, NearestPages, measure_pages, measure_text
from recommendations.engine.placement import sentence_scores
from recommendations.engine.ranking import rank_candidates
from recommendations.engine.rivals import PlaceMeaning
from recommendations.engine.selection import Choice, choose_links
from recommendations.engine.shortlist import Shortlist, make_shortlist, rounded_order, score_links
from recommendations.engine.site_model import SiteModel
from recommendations.engine.source_text import ReadPage, ReadSentence
from recommendations.engine.types import AnchorSpan, FloatArray, IntArray, LinkCandidate, SourcePage

_CONTEXT = 120  # characters on either side


@dataclass(frozen=True, slots=True)
class TriedPair:
    """What one target met on one page, whatever else stands there: its sentences from the best down, and the spans of
    those that were tried."""

    rows: list[int]
    spans: dict[int, list[AnchorSpan]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RankedPage:
    """A source page's links, and how they came about, for a later run to go on with.

    targets: pages in the order in which they were tried. pairs: by target. placed: links that found a place, proposed
    or not.
    """

    links: list[LinkCandidate]
    targets: list[int]
    pairs: dict[int, TriedPair]
    placed: list[LinkCandidate]
    read: ReadPage


#: Pairs that were tried before and are as they were: source page to target page to what it met.
KnownPairs = Mapping[int, Mapping[int, TriedPair]]


class _Draft:
    """A source page between ranking and anchors: its candidates from the best down, with their best sentences."""

    def __init__(self, model: SiteModel, learned: Learned, page: MeasuredPage, known: Mapping[int, TriedPair]) -> None:
        self._options = model.options
        self._links_per_paragraph = model.links_per_paragraph
        self._targets: dict[int, Target] = {}
        self._places: dict[int, PlaceMeaning] = {}
        self.measured, self.page, self.features = page, page.read, page.features
        self._sentence_vectors = page.source.vectors
        self._page_vectors, self._is_eligible = model.pages.page_vectors, page.is_eligible
        self._yardstick = model.yardsticks.of(model.pages.languages[page.page], model.pages.urls[page.page])
        self.shortlist = make_shortlist(model, learned, page)
        tried = np.array(self.shortlist.tried, dtype=np.int64)
        is_new = np.array([target not in known for target in self.shortlist.targets], dtype=bool)
        fitness = sentence_scores(model, self.page, page.source.vectors, self.features, tried[is_new])
        fresh = iter(rounded_order(fitness[:, column]) for column in range(fitness.shape[1]))
        #: By candidate number.
        self.pairs = {
            number: known[target] if target in known else TriedPair(next(fresh))
            for number, target in zip(self.shortlist.tried, self.shortlist.targets, strict=True)
        }

    def likely_sentences(self) -> list[ReadSentence]:
        """Sentences that will probably be needed: each candidate's best that the paragraph cap leaves."""
        cap = self._links_per_paragraph
        used: Counter[int] = Counter()
        likely = []
        for pair in list(self.pairs.values())[: self._options.top]:
            for row in pair.rows:
                read = self.page.sentences[row]
                if used[read.block.ordinal] < cap:
                    used[read.block.ordinal] += 1
                    if row not in pair.spans:
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
        """What sentence number `row` is about, measured by the pages of the site."""
        if row not in self._places:
            vectors = self._sentence_vectors
            others = vectors.sum(axis=0) - vectors[row]
            rest = others / max(float(np.linalg.norm(others)), 1e-6)
            self._places[row] = PlaceMeaning(self._page_vectors, self._is_eligible, self._yardstick, vectors[row], rest)
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
        """The link candidates of each source page, best first."""
        return [page.links for page in self.rank(sources)]

    def rank(self, sources: Sequence[SourcePage], known: KnownPairs | None = None) -> list[RankedPage]:
        """The same, with how they came about. known: pairs that need not be tried again.

        Sentences are encoded for all pages together; a page whose caps send a target to another sentence than expected
        waits for the next round.
        """
        self._words.forget_many()
        known = known or {}
        pages = measure_pages(self.model, self._nearest, sources)
        drafts = [_Draft(self.model, self.learned, page, known.get(page.page, {})) for page in pages]
        tokens: dict[str, TokenVectors] = {}
        found: dict[int, RankedPage] = {}
        wanted = [read for draft in drafts for read in draft.likely_sentences()]
        while len(found) < len(drafts):
            self._encode(wanted, tokens)
            wanted = []
            for number, draft in enumerate(drafts):
                if number not in found:
                    ranked, missing = self._finish(draft, tokens)
                    wanted += missing
                    if ranked:
                        found[number] = ranked
        return [found[number] for number in range(len(drafts))]

    def rank_targets(self, sources: Sequence[SourcePage]) -> list[IntArray]:
        """Every candidate of each source page, best first, as page positions: what retrieval and ranking alone find."""
        pages = measure_pages(self.model, self._nearest, sources)
        return [page.features.candidates[rank_candidates(self.model, self.learned, page).order] for page in pages]

    def remeasure(self, text: MeasuredText, vectors: FloatArray) -> tuple[MeasuredSource, Shortlist]:
        """A page's signals and shortlist as they are now, from what is remembered of its text."""
        measured = measure_text(self.model, self._nearest, text, vectors)
        return measured, make_shortlist(self.model, self.learned, measured)

    def _encode(self, reads: Sequence[ReadSentence], tokens: dict[str, TokenVectors]) -> None:
        self._words.add([word.text for read in reads for word in read.words])
        texts = sorted({read.sentence.text for read in reads} - tokens.keys())
        if texts:
            tokens.update(zip(texts, self._encoder.encode_tokens(texts), strict=True))

    def _spans(self, draft: _Draft, candidate: int, row: int, tokens: dict[str, TokenVectors]) -> list[AnchorSpan]:
        language = self.model.pages.languages[draft.page.page]
        read = draft.page.sentences[row]
        return rank_spans(
            read,
            tokens[read.sentence.text],
            self._words,
            draft.target(self.model, candidate, language),
            draft.page.page,
            self.model.weights,
            language,
            draft.place(row),
            self._names,
        )

    def _finish(self, draft: _Draft, tokens: dict[str, TokenVectors]) -> tuple[RankedPage | None, list[ReadSentence]]:
        """The page's links, or the sentences that must be encoded first."""
        model, page, shortlist = self.model, draft.page, draft.shortlist
        missing: dict[int, ReadSentence] = {}

        def spans_of(candidate: int, row: int) -> list[AnchorSpan]:
            spans = draft.pairs[candidate].spans
            if row not in spans:
                read = page.sentences[row]
                # The same text may stand on a page of another language, cut into other words.
                is_encoded = read.sentence.text in tokens and self._words.knows(read.words)
                if candidate in missing or not is_encoded:
                    missing.setdefault(candidate, read)
                    return []
                spans[row] = self._spans(draft, candidate, row, tokens)
            return spans[row]

        ranked = [
            (number, model.pages.urls[target], draft.pairs[number].rows)
            for number, target in zip(shortlist.tried, shortlist.targets, strict=True)
        ]
        url = model.pages.urls[page.page]
        choices = choose_links(
            page, ranked, spans_of, url, model.options, model.is_code_linkable, model.links_per_paragraph
        )
        if missing:
            return None, list(missing.values())
        placed = [self._placed(draft, choice) for choice in choices]
        links = score_links(model, draft.measured, shortlist, placed, page.n_words)
        pairs = dict(zip(shortlist.targets, draft.pairs.values(), strict=True))
        return RankedPage(links, shortlist.targets, pairs, placed, page), []

    def _placed(self, draft: _Draft, choice: Choice) -> LinkCandidate:
        """The link without score, rank and reasons."""
        read = draft.page.sentences[choice.sentence]
        anchor, block = choice.spans[0], read.block
        start, end = read.sentence.start + anchor.start, read.sentence.start + anchor.end
        return LinkCandidate(
            source=draft.page.page,
            target=int(draft.features.candidates[choice.candidate]),
            score=0.0,
            rank=0,
            sentence=choice.sentence,
            anchor=anchor,
            alternatives=choice.spans[1:],
            match_index=choice.match_index,
            context_before=block.text[max(0, start - _CONTEXT) : start],
            context_after=block.text[end : end + _CONTEXT],
            reasons=(),
        )
