"""Sentence vectors -> page vectors: the normalized mean, gathered in a stream. Pure."""

import numpy as np
from numpy.typing import NDArray


class PagePooler:
    """Sums sentence vectors by page as they come, so that a site's vectors are never in memory together."""

    def __init__(self, page_count: int, dimension: int) -> None:
        self._sums = np.zeros((page_count, dimension), np.float32)

    def add(self, pages: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """`vectors[i]`, (n, dim) float32, is a sentence of the page at position `pages[i]`."""
        if len(pages) != len(vectors):
            raise ValueError(f"{len(pages)} page positions do not fit {len(vectors)} sentence vectors.")
        if not len(pages):
            return
        order = np.argsort(pages, kind="stable")
        starts = np.flatnonzero(np.r_[True, np.diff(pages[order]) != 0])
        self._sums[pages[order][starts]] += np.add.reduceat(vectors[order], starts, axis=0)

    def page_vectors(self) -> NDArray[np.float32]:
        """(page_count, dim) float32, L2-normalized; zero for pages without sentences."""
        return normalize_rows(self._sums)


def normalize_rows(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Every row of length 1; zero rows stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
