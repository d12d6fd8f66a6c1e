"""What is remembered of a page's text, so that its candidates can be measured again without reading it again.

Terms are kept as hashes, pages as the ids that the caller knows them by, everything in one run of bytes. Leaves where
the bytes are kept, and when they are out of date, to the caller.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from recommendations.engine.mentions import Phrase
from recommendations.engine.rivals import bearers_of
from recommendations.engine.source_text import PhraseHits, ReadPage
from recommendations.engine.types import FloatArray, IntArray

_KINDS = ("<u1", "<i4", "<i8", "<i4", "<i8", "<f4", "<u1", "<i8", "<i8", "<i8")


@dataclass(frozen=True, slots=True)
class RememberedText:
    """is_linkable: (n_sentences,). term_rows, term_hashes: each telling term of each sentence. The hits as PhraseHits,
    with page ids. mentioned as ReadPage's; bearers: all pages that any phrase of the text names or links to.

    vocabulary: sorted hashes of all terms of the text.
    """

    n_words: int
    is_linkable: NDArray[np.bool_]
    term_rows: IntArray
    term_hashes: IntArray
    hit_rows: IntArray
    hit_pages: IntArray
    hit_values: FloatArray
    hit_is_title: NDArray[np.bool_]
    mentioned: IntArray
    bearers: IntArray
    vocabulary: IntArray

    def to_bytes(self) -> bytes:
        """See from_bytes."""
        arrays = self._arrays()
        sizes = struct.pack(f"<{len(arrays) + 1}i", self.n_words, *(len(values) for values in arrays))
        return sizes + b"".join(np.asarray(values, kind).tobytes() for values, kind in zip(arrays, _KINDS, strict=True))

    @classmethod
    def from_bytes(cls, data: bytes) -> "RememberedText":
        """What to_bytes gave."""
        n_words, *sizes = struct.unpack_from(f"<{len(_KINDS) + 1}i", data)
        at = 4 * (len(_KINDS) + 1)
        arrays = []
        for size, kind in zip(sizes, _KINDS, strict=True):
            values = np.frombuffer(data, kind, size, at)
            at += values.nbytes
            arrays.append(values.astype(bool) if kind == "<u1" else values)
        return cls(n_words, *arrays)

    def _arrays(self) -> Sequence[NDArray[np.generic]]:
        return (
            self.is_linkable, self.term_rows, self.term_hashes, self.hit_rows, self.hit_pages, self.hit_values,
            self.hit_is_title, self.mentioned, self.bearers, self.vocabulary,
        )  # fmt: skip

    def holds_all(self, hashes: IntArray) -> bool:
        """Whether every one of these terms stands in the text."""
        if not len(self.vocabulary):
            return False
        at = np.minimum(np.searchsorted(self.vocabulary, hashes), len(self.vocabulary) - 1)
        return bool((self.vocabulary[at] == hashes).all())


@lru_cache(maxsize=400_000)
def term_hash(language: str, term: str) -> int:
    """64 bits that name a term of a language."""
    digest = blake2b(f"{language} {term}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def phrase_hashes(key: str, language: str) -> IntArray:
    """The terms of a phrase, as the mention index names it."""
    return np.array([term_hash(language, term) for term in key.split()], dtype=np.int64)


def remember(read: ReadPage, language: str, page_ids: IntArray) -> RememberedText:
    """page_ids: (n_pages,) the id of each page position."""
    rows: list[int] = []
    hashes: list[int] = []
    vocabulary: set[int] = set()
    bearers: set[int] = set()
    for row, sentence in enumerate(read.sentences):
        telling: set[int] = set()
        for index, word in enumerate(sentence.words):
            own = [term_hash(language, term) for term in word.terms]
            vocabulary.update(own)
            if sentence.is_free[index] or not sentence.block.is_linkable:
                telling.update(own)
        rows += [row] * len(telling)
        hashes += sorted(telling)
        for mention in sentence.mentions:
            bearers |= bearers_of(mention.phrase)
    return RememberedText(
        n_words=read.n_words,
        is_linkable=read.is_linkable,
        term_rows=np.array(rows, dtype=np.int64),
        term_hashes=np.array(hashes, dtype=np.int64),
        hit_rows=read.hits.rows,
        hit_pages=page_ids[read.hits.targets],
        hit_values=read.hits.values,
        hit_is_title=read.hits.is_title,
        mentioned=page_ids[read.mentioned],
        bearers=page_ids[np.array(sorted(bearers), dtype=np.int64)],
        vocabulary=np.array(sorted(vocabulary), dtype=np.int64),
    )


@dataclass(frozen=True, slots=True)
class RecalledText:
    """features.MeasuredText out of what is remembered."""

    page: int
    terms: sparse.csr_matrix
    is_linkable: NDArray[np.bool_]
    hits: PhraseHits
    mentioned: IntArray


class Recall:
    """Brings remembered texts into the numbering of a site as it is now."""

    def __init__(self, term_numbers: Mapping[str, int], page_ids: IntArray) -> None:
        hashes = np.array([term_hash(*key.split(" ", 1)) for key in term_numbers], dtype=np.int64)
        order = np.argsort(hashes)
        self._hashes, self._numbers = hashes[order], np.array(list(term_numbers.values()), dtype=np.int64)[order]
        self._page_ids = page_ids
        self._width = max(1, len(term_numbers))

    def text(self, page: int, remembered: RememberedText) -> RecalledText:
        """page: its position now."""
        targets, is_there = self._positions(remembered.hit_pages)
        mentioned, is_known = self._positions(remembered.mentioned)
        hits = PhraseHits(
            remembered.hit_rows[is_there].astype(np.int64),
            targets[is_there],
            remembered.hit_values[is_there],
            remembered.hit_is_title[is_there],
        )
        return RecalledText(page, self._terms(remembered), remembered.is_linkable, hits, np.sort(mentioned[is_known]))

    def _terms(self, remembered: RememberedText) -> sparse.csr_matrix:
        shape = (len(remembered.is_linkable), self._width)
        if not len(self._hashes):
            return sparse.csr_matrix(shape, dtype=np.float32)
        at = np.minimum(np.searchsorted(self._hashes, remembered.term_hashes), len(self._hashes) - 1)
        is_name = self._hashes[at] == remembered.term_hashes
        rows, columns = remembered.term_rows[is_name], self._numbers[at[is_name]]
        return sparse.csr_matrix((np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=shape)

    def _positions(self, ids: IntArray) -> tuple[IntArray, NDArray[np.bool_]]:
        at = np.minimum(np.searchsorted(self._page_ids, ids), len(self._page_ids) - 1)
        return at.astype(np.int64), self._page_ids[at] == ids


def phrase_state(phrase: Phrase, page_ids: Sequence[int]) -> str:
    """Equal for two phrases that say the same, whatever numbers their pages have."""
    said = (
        sorted(page_ids[page] for page in phrase.titles),
        sorted(
            (page_ids[source], page_ids[target], count)
            for source, targets in phrase.by_source.items()
            for target, count in targets.items()
        ),
        phrase.n_pages,
        sorted(phrase.forms.items()),
        phrase.in_code,
        phrase.is_stop_only,
    )
    return blake2b(repr(said).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
