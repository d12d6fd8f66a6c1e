"""Which words of a sentence become the anchor text: spans of 1 to 8 words, scored from one forward pass.

A span's vector is the mean of its token vectors (one pass over the sentence serves all spans), beside the mean of its
words' own vectors, which are encoded once for the whole site. Leaves the choice of sentence to `placement`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embeddings.types import Encoder, TokenVectors
from recommendations.engine.anchor_form import (
    CERTAIN,
    SPELLED,
    cuts_name,
    everyday_worth,
    looseness,
    phrase_worth,
    rarity_sum_of,
    style_of,
    telling_worth,
)
from recommendations.engine.anchor_naming import Name, NameIndex, form_worth, names_of, naming, share_of, uniqueness
from recommendations.engine.anchor_spans import allowed_spans
from recommendations.engine.anchor_vetoes import SpanWords, is_vetoed, phrases_by_span
from recommendations.engine.features import standardize
from recommendations.engine.mentions import Mention
from recommendations.engine.rivals import PlaceMeaning, bearers_of
from recommendations.engine.source_text import ReadSentence
from recommendations.engine.term_weights import TermWeights
from recommendations.engine.types import AnchorSpan, FloatArray
from recommendations.engine.words import Word, is_generic_anchor

_SPANS_KEPT = 25  # of a sentence, more than any page can use up
#: One standard deviation of meaning against a whole overlap of 0.5 and a certain known anchor of 1.
_MEANING_WEIGHT = 0.1
_WHOLE_NAME_BONUS = 0.05
#: Words of lower fitness name nothing, whatever they mean.
_UNNAMED = 0.1
#: What is left of the fitness of words that are all that their block says.
_LABEL_WORTH = 0.3
#: How surely a whole name of several words is meant where no other page bears it, whatever stands around it.
_WHOLE_NAME_MEANT = 0.75
#: The least fitness of such a name, where the words are the name's own and not cut; see ranking.LEAST_FITNESS.
_WHOLE_NAME_FITNESS, _NAMED = 0.5, 0.4


class WordVectors:
    """Vectors of single words, (dim,) float32, L2-normalized, encoded once each and kept up to KEPT words."""

    KEPT = 100_000

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, FloatArray] = {}

    def forget_many(self) -> None:
        """Start anew when more than KEPT words are known; call it between pages only."""
        if len(self._vectors) > self.KEPT:
            self._vectors.clear()

    def add(self, words: Sequence[str]) -> None:
        """Encode the words that are not known yet, in one call."""
        missing = sorted({word for word in words if word not in self._vectors})
        if missing:
            self._vectors.update(zip(missing, self._encoder.encode(missing), strict=True))

    def knows(self, words: Sequence[Word]) -> bool:
        """Whether every word has been added."""
        return all(word.text in self._vectors for word in words)

    def take(self, words: Sequence[str]) -> FloatArray:
        """(len(words), dim); every word must have been added."""
        return np.stack([self._vectors[word] for word in words])


@dataclass(frozen=True, slots=True)
class Target:
    """What an anchor should say: the target's names (whole, and without subtitle) as vectors and weighted terms.

    name_vectors: (n_names, dim).
    """

    page: int
    name_vectors: FloatArray
    names: tuple[Name, ...]


def target_of(page: int, names: Sequence[str], language: str, name_vectors: FloatArray, weights: TermWeights) -> Target:
    """Weigh the names' terms once for all sentences."""
    return Target(page, name_vectors, names_of(names, language, weights))


def _pooled_spans(words: Sequence[Word], tokens: TokenVectors, spans: NDArray[np.int64]) -> FloatArray:
    """(n_spans, dim) L2-normalized means of the token vectors that lie in each span; zero rows where none do."""
    starts, ends = tokens.offsets[:, 0], tokens.offsets[:, 1]
    word_starts = np.array([word.start for word in words])
    word_ends = np.array([word.end for word in words])
    first = np.searchsorted(ends, word_starts, side="right")
    last = np.searchsorted(starts, word_ends, side="left")
    sums = np.concatenate([np.zeros((1, tokens.vectors.shape[1]), dtype=np.float32), tokens.vectors.cumsum(axis=0)])
    low, high = first[spans[:, 0]], np.maximum(last[spans[:, 1]], first[spans[:, 0]])
    pooled = sums[high] - sums[low]
    return pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-9)


def _mean_words(words: Sequence[Word], vectors: WordVectors, spans: NDArray[np.int64]) -> FloatArray:
    """(n_spans, dim) L2-normalized means of the words' own vectors."""
    each = vectors.take([word.text for word in words])
    sums = np.concatenate([np.zeros((1, each.shape[1]), dtype=np.float32), each.cumsum(axis=0)])
    means = sums[spans[:, 1] + 1] - sums[spans[:, 0]]
    return means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)


def name_overlap(words: Sequence[Word], target: Target, weights: TermWeights, language: str) -> float:
    """Weighted F1 of a span's content terms with the nearest of the target's names, 0 to 1."""
    terms = {term for word in words if not word.is_stop for term in word.terms}
    idf = {term: weights.idf(language, term) for term in terms}
    best = 0.0
    for shares in (name.shares for name in target.names):
        recall = sum(shares.get(term, 0.0) for term in terms)
        if recall > 0:
            precision = sum(idf[term] for term in terms if term in shares) / max(sum(idf.values()), 1e-6)
            best = max(best, 2 * precision * recall / max(precision + recall, 1e-6))
    return best


def _known_share(mentions: Sequence[Mention], source: int, target: int) -> dict[tuple[int, int], float]:
    """Spans that are anchor texts of the target elsewhere on the site, with how surely, 0 to 1."""
    known: dict[tuple[int, int], float] = {}
    for mention in mentions:
        for page, certainty in mention.phrase.certainties(source):
            if page == target:
                known[mention.first, mention.last] = max(known.get((mention.first, mention.last), 0.0), certainty)
    return known


def _context_of(words: Sequence[Word], vectors: WordVectors, first: int, last: int) -> FloatArray | None:
    """(dim,) L2-normalized mean of the other telling words' own vectors: those that know nothing of the span."""
    others = [word.text for index, word in enumerate(words) if not word.is_stop and not first <= index <= last]
    if not others:
        return None
    mean = vectors.take(others).mean(axis=0)
    return (mean / max(float(np.linalg.norm(mean)), 1e-9)).astype(np.float32)


def _is_in_code(read: ReadSentence, start: int, end: int) -> bool:
    """Whether the span of the sentence stands in inline code."""
    start, end = start + read.sentence.start, end + read.sentence.start
    return any(begin <= start and end <= finish for begin, finish in read.block.code_spans)


def _has_words_beside(read: ReadSentence, start: int, end: int) -> bool:
    """Whether the block says anything but the span: a label over a list or a quotation is no running text."""
    start, end = start + read.sentence.start, end + read.sentence.start
    return any(character.isalnum() for character in read.block.text[:start] + read.block.text[end:])


@dataclass(frozen=True, slots=True)
class _SpanSignals:
    """What the spans of a sentence have for one target, each (n_spans,): all but `scores` as in SpanWords."""

    scores: NDArray[np.float64]
    overlaps: NDArray[np.float64]
    certainties: NDArray[np.float64]
    rarities: NDArray[np.float64]
    cuts: NDArray[np.bool_]


def _measure_spans(
    read: ReadSentence,
    bounds: Sequence[tuple[int, int]],
    cosines: FloatArray,
    target: Target,
    source: int,
    weights: TermWeights,
    language: str,
) -> _SpanSignals:
    """cosines: (n_spans, 2) of the pooled tokens and of the words alone with the target's name."""
    runs = [read.words[first : last + 1] for first, last in bounds]
    overlaps = np.array([name_overlap(words, target, weights, language) for words in runs])
    known = _known_share(read.mentions, source, target.page)
    certainties = np.array([known.get(bound, 0.0) for bound in bounds])
    rarities = np.array([rarity_sum_of(words, weights, language) for words in runs])
    cuts = np.array([cuts_name(read.words, *bound, read.sentence.text, language) for bound in bounds])
    form = np.array([style_of(words, rarity) for words, rarity in zip(runs, rarities, strict=True)])
    loose = np.array([looseness(words, bool(cut)) for words, cut in zip(runs, cuts, strict=True)])
    form -= loose * (overlaps <= SPELLED) * (certainties < CERTAIN)
    naming = 0.5 * overlaps + _WHOLE_NAME_BONUS * (overlaps > 0.99)
    # Cosines are standardized, since each model has its own scale; overlaps and certainties have one already.
    scores = _MEANING_WEIGHT * standardize(cosines).mean(axis=1) + naming + certainties + form
    return _SpanSignals(scores, overlaps, certainties, rarities, cuts)


def rank_spans(
    read: ReadSentence,
    tokens: TokenVectors,
    word_vectors: WordVectors,
    target: Target,
    source: int,
    weights: TermWeights,
    language: str,
    place: PlaceMeaning | None = None,
    names: NameIndex | None = None,
) -> list[AnchorSpan]:
    """The best allowed spans of the sentence for this target, best first; no two with the same text.

    place: what the sentence is about, where the candidates are known. names: of all pages of the site.
    """
    bounds = allowed_spans(read)
    if not bounds:
        return []
    spans = np.array(bounds, dtype=np.int64)
    pooled = (_pooled_spans(read.words, tokens, spans) @ target.name_vectors.T).max(axis=1)
    alone = (_mean_words(read.words, word_vectors, spans) @ target.name_vectors.T).max(axis=1)
    signals = _measure_spans(read, bounds, np.stack([pooled, alone], axis=1), target, source, weights, language)
    phrases = phrases_by_span(read.mentions)
    ranked: list[AnchorSpan] = []
    seen: set[str] = set()
    for index in np.argsort(-signals.scores, kind="stable"):
        if len(ranked) == _SPANS_KEPT:
            break
        first, last = bounds[index]
        start, end = read.words[first].start, read.words[last].end
        text, words = read.sentence.text[start:end], read.words[first : last + 1]
        overlap, certainty, rarity = (
            float(values[index]) for values in (signals.overlaps, signals.certainties, signals.rarities)
        )
        span = SpanWords(text, words, overlap, certainty, phrases.get(bounds[index]))
        if text in seen or is_generic_anchor(text, words) or is_vetoed(span, source, target.page, language):
            continue
        seen.add(text)
        # A common word names nothing for sure, even where it is a page's whole name.
        named = naming(read.words, first, last, target.names, language)
        named *= telling_worth(words, rarity, language)
        if names and named > _UNNAMED:
            terms = {term for word in words if not word.is_stop for term in word.terms}
            named *= uniqueness(share_of(terms, target.names), list(names.others(terms, target.page, language)))
        if span.phrase:
            certainty *= span.phrase.form_worth(text, _is_in_code(read, start, end))
        fitness = (1 - (1 - named) * (1 - min(certainty, 1.0))) * phrase_worth(span, rarity, bool(signals.cuts[index]))
        fitness *= everyday_worth(span, weights, language) * form_worth(words, target.names, language)
        is_label = not _has_words_beside(read, start, end)
        fitness *= _LABEL_WORTH if is_label else 1.0
        if place and fitness > _UNNAMED:
            context, bearers = _context_of(read.words, word_vectors, first, last), bearers_of(span.phrase)
            meant = place.certainty(target.page, bearers, context)
            # Two words that are a page's whole name, and no other's, mean it nearly everywhere.
            is_unmistakable = overlap > SPELLED and sum(not word.is_stop for word in words) > 1
            if is_unmistakable and not is_label and not bearers - {target.page} and named >= _NAMED:
                fitness = max(fitness * max(meant, _WHOLE_NAME_MEANT), _WHOLE_NAME_FITNESS)
            else:
                fitness *= meant
        ranked.append(AnchorSpan(start, end, text, float(signals.scores[index]), fitness))
    return ranked
