"""A source page's sentences as words: where a link may stand, which terms and which names occur. No scoring."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from crawler.extraction.types import Block, ExtractedSentence
from recommendations.engine.mentions import Mention
from recommendations.engine.site_model import SiteModel
from recommendations.engine.types import FloatArray, IntArray, SourcePage
from recommendations.engine.words import Word, split_words
from recommendations.linkable_text import taken_spans

#: A phrase with more meanings than this leads to nobody.
_MOST_MEANINGS = 120


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence with its words; `is_free[i]` tells whether word i may be part of a new anchor."""

    sentence: ExtractedSentence
    block: Block
    words: Sequence[Word]
    is_free: NDArray[np.bool_]
    mentions: Sequence[Mention]
    is_linkable: bool


@dataclass(frozen=True, slots=True)
class PhraseHits:
    """What the phrases in a page's linkable text say of their targets, one row a sentence and target.

    rows, targets: (n,) sentence and page. values: (n,) 0 to 1. is_title: (n,) named so; else linked so elsewhere.
    """

    rows: IntArray
    targets: IntArray
    values: FloatArray
    is_title: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ReadPage:
    """terms: (n_sentences, n_name_terms) float32, 1 where the term of some page's name occurs.

    mentioned: pages that phrases of the text name or link to, common phrases left out.
    """

    page: int
    sentences: Sequence[ReadSentence]
    terms: sparse.csr_matrix
    is_linkable: NDArray[np.bool_]
    hits: PhraseHits
    mentioned: IntArray

    @property
    def n_words(self) -> int:
        return sum(len(read.words) for read in self.sentences)


def free_words(
    sentence: ExtractedSentence, block: Block, words: Sequence[Word], is_code_linkable: bool
) -> NDArray[np.bool_]:
    """(n_words,) True for words outside of links, barred text and, unless allowed, code.

    A word that touches a link with nothing but space between is free, but `anchors` keeps spans off it.
    """
    free = np.ones(len(words), dtype=bool)
    for start, end in taken_spans(block, is_code_linkable):
        for index, word in enumerate(words):
            if word.start + sentence.start < end and word.end + sentence.start > start:
                free[index] = False
    return free


def read_source(model: SiteModel, source: SourcePage) -> ReadPage:
    """Split, fold and look up every sentence of the page once."""
    language = model.pages.languages[source.page]
    read: list[ReadSentence] = []
    rows: list[int] = []
    columns: list[int] = []
    for row, sentence in enumerate(source.sentences):
        block = source.blocks[sentence.block_ordinal]
        words = split_words(sentence.text, language)
        free = (
            free_words(sentence, block, words, model.is_code_linkable)
            if block.is_linkable
            else np.zeros(len(words), bool)
        )
        can_hold = block.is_linkable and bool(free.any())
        read.append(ReadSentence(sentence, block, words, free, model.mentions.find(words), can_hold))
        numbers = {
            model.term_numbers.get(f"{language} {term}", -1)
            for index, word in enumerate(words)
            if free[index] or not block.is_linkable
            for term in word.terms
        }
        numbers.discard(-1)
        rows += [row] * len(numbers)
        columns += numbers
    shape = (len(read), model.name_terms.shape[0])
    terms = sparse.csr_matrix((np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=shape)
    is_linkable = np.array([item.is_linkable for item in read], dtype=bool)
    return ReadPage(source.page, read, terms, is_linkable, _phrase_hits(source.page, read), _mentioned(read))


def _phrase_hits(page: int, sentences: Sequence[ReadSentence]) -> PhraseHits:
    found: list[tuple[int, int, float, bool]] = []
    for row, sentence in enumerate(sentences):
        if not sentence.is_linkable:
            continue
        for mention in sentence.mentions:
            if sentence.is_free[mention.first : mention.last + 1].all():
                titles = mention.phrase.titles
                found += ((row, target, 1.0 / len(titles), True) for target in titles)
                found += ((row, target, value, False) for target, value in mention.phrase.certainties(page))
    return PhraseHits(
        np.array([hit[0] for hit in found], dtype=np.int64),
        np.array([hit[1] for hit in found], dtype=np.int64),
        np.array([hit[2] for hit in found], dtype=np.float32),
        np.array([hit[3] for hit in found], dtype=bool),
    )


def _mentioned(sentences: Sequence[ReadSentence]) -> IntArray:
    found: set[int] = set()
    for sentence in sentences:
        for mention in sentence.mentions:
            if len(mention.phrase.titles) <= _MOST_MEANINGS:
                found |= mention.phrase.titles
            if len(mention.phrase.anchors) <= _MOST_MEANINGS:
                found |= set(mention.phrase.anchors)
    return np.array(sorted(found), dtype=np.int64)
