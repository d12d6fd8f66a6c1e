"""Nearest neighbours among L2-normalized vectors: exact for a few thousand, hnswlib above. Pure.

The same vectors in the same order give the same neighbours: the graph is seeded and built by one thread.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Up to here exact search over all rows takes less time than building a graph.
EXACT_ROWS = 4_000
_LINKS, _BUILD_EFFORT, _SEARCH_EFFORT, _SEED = 16, 200, 100, 20_240_229
_SIMILARITIES_AT_ONCE = 4_000_000

Neighbours = tuple[NDArray[np.int64], NDArray[np.float32]]


class ExactIndex:
    """Compares with every row."""

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self._vectors = vectors

    def __len__(self) -> int:
        return len(self._vectors)

    def query(self, vectors: NDArray[np.float32], k: int) -> Neighbours:
        """((n, k) rows, (n, k) cosines) of the k nearest, nearest first; fewer columns where there are fewer rows.

        Among equals the earlier row comes first.
        """
        vectors = _checked(vectors, self._vectors.shape[1])
        k = min(k, len(self))
        rows = np.empty((len(vectors), k), np.int64)
        cosines = np.empty((len(vectors), k), np.float32)
        step = max(1, _SIMILARITIES_AT_ONCE // max(1, len(self)))
        for start in range(0, len(vectors), step):
            part = slice(start, start + step)
            similarities = vectors[part] @ self._vectors.T
            rows[part] = _best_columns(similarities, k)
            cosines[part] = np.take_along_axis(similarities, rows[part], axis=1)
        return rows, cosines


class GraphIndex:
    """hnswlib's approximate search; measured recall@10 is above .99."""

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        import hnswlib

        self._vectors = vectors
        self._graph: Any = hnswlib.Index(space="ip", dim=vectors.shape[1])
        self._graph.init_index(max_elements=len(vectors), M=_LINKS, ef_construction=_BUILD_EFFORT, random_seed=_SEED)
        # One thread: several would insert in an order of their own, and the graph would differ from run to run.
        self._graph.add_items(vectors, np.arange(len(vectors)), num_threads=1)

    def __len__(self) -> int:
        return len(self._vectors)

    def query(self, vectors: NDArray[np.float32], k: int) -> Neighbours:
        """As ExactIndex.query, save that a true neighbour may rarely be missed."""
        vectors = _checked(vectors, self._vectors.shape[1])
        k = min(k, len(self))
        if not k or not len(vectors):
            return np.empty((len(vectors), k), np.int64), np.empty((len(vectors), k), np.float32)
        self._graph.set_ef(max(_SEARCH_EFFORT, 2 * k))
        try:
            rows, distances = self._graph.knn_query(vectors, k=k)
        except RuntimeError:
            # The graph did not hold k reachable rows, as with many identical vectors.
            return ExactIndex(self._vectors).query(vectors, k)
        cosines = (1 - distances).astype(np.float32)
        order = np.lexsort((rows, -cosines), axis=1)
        return np.take_along_axis(rows, order, 1).astype(np.int64), np.take_along_axis(cosines, order, 1)


def build_index(vectors: NDArray[Any], *, exact: bool | None = None) -> ExactIndex | GraphIndex:
    """An index of (n, dim) L2-normalized vectors. `exact` forces one kind; None: exact up to EXACT_ROWS rows."""
    if vectors.ndim != 2:
        raise ValueError(f"An index needs rows of vectors, not an array of shape {vectors.shape}.")
    values = np.ascontiguousarray(vectors, np.float32)
    is_exact = len(values) <= EXACT_ROWS if exact is None else exact
    return ExactIndex(values) if is_exact or not len(values) else GraphIndex(values)


def _checked(vectors: NDArray[Any], dimension: int) -> NDArray[np.float32]:
    if vectors.ndim != 2 or vectors.shape[1] != dimension:
        raise ValueError(f"Queries of shape {vectors.shape} do not fit an index of {dimension} dimensions.")
    return np.ascontiguousarray(vectors, np.float32)


def _best_columns(similarities: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """The k highest columns of each row; equal values in the order of their columns, also where the cut falls."""
    columns = similarities.shape[1]
    if k == 0:
        return np.empty((len(similarities), 0), np.int64)
    if k < columns:
        cut = np.partition(similarities, columns - k, axis=1)[:, columns - k, None]
        above = similarities > cut
        level = similarities == cut
        room = k - above.sum(axis=1, keepdims=True)
        chosen = above | (level & (np.cumsum(level, axis=1) <= room))
        found = np.nonzero(chosen)[1].reshape(-1, k)
    else:
        found = np.broadcast_to(np.arange(columns), similarities.shape)
    order = np.argsort(-np.take_along_axis(similarities, found, 1), axis=1, kind="stable")
    return np.take_along_axis(found, order, 1).astype(np.int64)
