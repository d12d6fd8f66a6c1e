"""Which words of a sentence become the anchor text: spans of 1 to 8 words, scored from one forward pass.

A span's vector is the mean of its token vectors (one pass over the sentence serves all spans), beside the mean of its
words' own vectors, which are encoded once for the whole site. Leaves the choice of sentence to `placement`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import regex
from numpy.typing import NDArray

from embeddings.types import Encoder, TokenVectors
from recommendations.engine.anchor_vetoes import SpanWords, is_vetoed, phrases_by_span
from recommendations.engine.features import standardize
from recommendations.engine.mentions import Mention
from recommendations.engine.name_spans import TELLING, name_shares
from recommendations.engine.rivals import PlaceMeaning, bearers_of
from recommendations.engine.source_text import ReadSentence
from recommendations.engine.term_weights import TermWeights
from recommendations.engine.types import AnchorSpan, FloatArray
from recommendations.engine.words import Word, is_generic_anchor

LONGEST_ANCHOR = 8  # words
_SPANS_KEPT = 25  # of a sentence, more than any page can use up
#: One standard deviation of meaning against a whole overlap of 0.5 and a certain known anchor of 1.
_MEANING_WEIGHT = 0.1
#: Measured on real English links: both lift F1 (.52 to .58 together) on every site tried but one.
_RARITY_WEIGHT, _CAPITALS_WEIGHT = 0.4, 0.12
#: Editors prefer short anchors: what a span of 1, 2, ... words has to make good.
_LENGTH_COSTS = (0.0, 0.0, 0.0, 0.02, 0.05, 0.08, 0.11, 0.14)
#: Each stop word inside a span: "hub bearings and the bottom" is no phrase.
_STOP_WORD_COST = 0.01
_WHOLE_NAME_BONUS = 0.05
#: What is left of the fitness of a run with stop words inside, and of one word, that are neither name nor known anchor.
_FRAGMENT_WORTH, _LONE_WORTH = 0.4, 0.3
#: Certainty and overlap from which on words are a known anchor, or the target's name.
_CERTAIN, _SPELLED = 0.4, 0.9
_ONLY_NUMBERS = regex.compile(r"[\p{N}\p{P}\p{S}\s]+")
_SPACE = regex.compile(r"\s*")


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

    def take(self, words: Sequence[str]) -> FloatArray:
        """(len(words), dim); every word must have been added."""
        return np.stack([self._vectors[word] for word in words])


@dataclass(frozen=True, slots=True)
class Target:
    """What an anchor should say: the target's names (whole, and without subtitle) as vectors and weighted terms.

    name_vectors: (n_names, dim). name_shares: per name, its terms with their shares of its idf.
    """

    page: int
    name_vectors: FloatArray
    name_shares: tuple[dict[str, float], ...]


def target_of(page: int, names: Sequence[str], language: str, name_vectors: FloatArray, weights: TermWeights) -> Target:
    """Weigh the names' terms once for all sentences."""
    return Target(page, name_vectors, name_shares(names, language, weights))


def allowed_spans(read: ReadSentence) -> list[tuple[int, int]]:
    """(first, last) word positions, inclusive, of every span that may be an anchor text.

    No stop word or punctuation at an edge, nothing but space between its words, not a number, no part of inline code,
    nothing across an inline element's edge, nothing that touches an existing link.
    """
    words, text = read.words, read.sentence.text
    spans = []
    for first in range(len(words)):
        if not read.is_free[first] or words[first].is_stop or _touches_link(read, words[first].start, before=True):
            continue
        for last in range(first, min(first + LONGEST_ANCHOR, len(words))):
            if not read.is_free[last]:
                break
            if last > first and _SPACE.fullmatch(text, words[last - 1].end, words[last].start) is None:
                break
            if words[last].is_stop or _touches_link(read, words[last].end, before=False):
                continue
            if _ONLY_NUMBERS.fullmatch(text, words[first].start, words[last].end) is None and not _cuts_element(
                read, words[first].start, words[last].end
            ):
                spans.append((first, last))
    return spans


def _touches_link(read: ReadSentence, offset: int, before: bool) -> bool:
    """Whether only space lies between the offset in the sentence and an existing link."""
    block, place = read.block, read.sentence.start + offset
    for start, end in block.link_spans:
        gap = block.text[end:place] if before else block.text[place:start]
        is_beside = end <= place if before else start >= place
        if is_beside and not gap.strip():
            return True
    return False


def _cuts_element(read: ReadSentence, start: int, end: int) -> bool:
    """Whether the span takes a part of inline code, or starts in an inline element and ends outside or the reverse."""
    start, end = start + read.sentence.start, end + read.sentence.start
    text = read.block.text
    for begin, finish in read.block.code_spans:
        if begin < end and finish > start:
            outside = text[begin : max(begin, start)] + text[min(finish, end) : finish]
            if any(character.isalnum() for character in outside):
                return True
    return any(
        begin < end
        and finish > start
        and not ((begin <= start and end <= finish) or (start <= begin and finish <= end))
        for begin, finish in read.block.inline_spans
    )


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
    for shares in target.name_shares:
        recall = sum(shares.get(term, 0.0) for term in terms)
        if recall > 0:
            precision = sum(idf[term] for term in terms if term in shares) / max(sum(idf.values()), 1e-6)
            best = max(best, 2 * precision * recall / max(precision + recall, 1e-6))
    return best


def _rarity_sum(words: Sequence[Word], weights: TermWeights, language: str) -> float:
    return sum(weights.rarity(language, term) for word in words if not word.is_stop for term in word.terms)


def _style(words: Sequence[Word], rarity_sum: float) -> float:
    """What words are worth as a link whatever the target: short, rare, one phrase, a name (capitals within)."""
    n_terms = sum(len(word.terms) for word in words if not word.is_stop)
    capitals = sum(word.start > 0 and word.text[0].isupper() for word in words) / len(words)
    stops = sum(word.is_stop for word in words)
    value = _RARITY_WEIGHT * rarity_sum / max(1, n_terms) + _CAPITALS_WEIGHT * capitals
    return value - _LENGTH_COSTS[len(words) - 1] - _STOP_WORD_COST * stops


def _known_share(mentions: Sequence[Mention], source: int, target: int) -> dict[tuple[int, int], float]:
    """Spans that are anchor texts of the target elsewhere on the site, with how surely, 0 to 1."""
    known: dict[tuple[int, int], float] = {}
    for mention in mentions:
        for page, certainty in mention.phrase.certainties(source):
            if page == target:
                known[mention.first, mention.last] = max(known.get((mention.first, mention.last), 0.0), certainty)
    return known


def _phrase_worth(span: SpanWords, rarity_sum: float) -> float:
    """0 to 1: less for words that are no name and no phrase: "domain to see", or one everyday word alone."""
    if span.certainty >= _CERTAIN or span.overlap > _SPELLED:
        return 1.0
    if any(word.is_stop for word in span.words):
        return _FRAGMENT_WORTH
    is_alone = sum(not word.is_stop for word in span.words) == 1
    return min(1.0, _LONE_WORTH + rarity_sum / TELLING) if is_alone else 1.0


def rank_spans(
    read: ReadSentence,
    tokens: TokenVectors,
    word_vectors: WordVectors,
    target: Target,
    source: int,
    weights: TermWeights,
    language: str,
    place: PlaceMeaning | None = None,
) -> list[AnchorSpan]:
    """The best allowed spans of the sentence for this target, best first; no two with the same text.

    place: what the sentence is about, where the candidates are known.
    """
    bounds = allowed_spans(read)
    if not bounds:
        return []
    spans = np.array(bounds, dtype=np.int64)
    pooled = (_pooled_spans(read.words, tokens, spans) @ target.name_vectors.T).max(axis=1)
    alone = (_mean_words(read.words, word_vectors, spans) @ target.name_vectors.T).max(axis=1)
    overlap = np.array(
        [name_overlap(read.words[first : last + 1], target, weights, language) for first, last in bounds]
    )
    known = _known_share(read.mentions, source, target.page)
    certain = np.array([known.get(bound, 0.0) for bound in bounds])
    # Cosines are standardized, since each model has its own scale; overlaps and certainties have one already.
    meaning = standardize(np.stack([pooled, alone], axis=1)).mean(axis=1)
    rarity = np.array([_rarity_sum(read.words[first : last + 1], weights, language) for first, last in bounds])
    style = np.array(
        [_style(read.words[first : last + 1], value) for (first, last), value in zip(bounds, rarity, strict=True)]
    )
    naming = 0.5 * overlap + _WHOLE_NAME_BONUS * (overlap > 0.99)
    scores = _MEANING_WEIGHT * meaning + naming + certain + style
    # A common word names nothing for sure, even where it is a page's whole name.
    fitness = 1 - (1 - overlap * np.minimum(1.0, rarity / TELLING)) * (1 - np.minimum(certain, 1.0))
    phrases = phrases_by_span(read.mentions)
    ranked: list[AnchorSpan] = []
    seen: set[str] = set()
    for index in np.argsort(-scores, kind="stable"):
        if len(ranked) == _SPANS_KEPT:
            break
        first, last = bounds[index]
        start, end = read.words[first].start, read.words[last].end
        text, words = read.sentence.text[start:end], read.words[first : last + 1]
        span = SpanWords(text, words, overlap[index], certain[index], phrases.get(bounds[index]))
        if text in seen or is_generic_anchor(text, words):
            continue
        if not is_vetoed(span, source, target.page, language):
            seen.add(text)
            sure = place.certainty(target.page, bearers_of(span.phrase)) if place else 1.0
            worth = float(fitness[index]) * sure * _phrase_worth(span, rarity[index])
            ranked.append(AnchorSpan(start, end, text, float(scores[index]), worth))
    return ranked
