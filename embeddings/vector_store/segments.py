"""Rows of several arrays of vectors as one: found by key, taken by number. Knows no files."""

import numpy as np
from numpy.typing import NDArray

from embeddings.vector_store.types import Keys


class Segments:
    """Arrays in the order they were added; a row's number is its position in all of them together."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._key_parts: list[Keys] = []
        self._vector_parts: list[NDArray[np.float16]] = []
        self._ends: list[int] = []
        self._sorted: tuple[Keys, NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @property
    def keys(self) -> Keys:
        """(n,) the key of each row."""
        return np.concatenate([np.zeros(0, "S16"), *self._key_parts])

    def append(self, keys: Keys, vectors: NDArray[np.float16]) -> None:
        """Add rows at the end."""
        self._key_parts.append(keys)
        self._vector_parts.append(vectors)
        self._ends.append(len(self) + len(keys))
        self._sorted = None

    def find(self, keys: Keys) -> NDArray[np.int64]:
        """(n,) row of each key, the first where there are several, -1 where there is none."""
        if not len(self):
            return np.full(len(keys), -1, np.int64)
        if self._sorted is None:
            all_keys = self.keys
            order = np.argsort(all_keys, kind="stable")
            self._sorted = all_keys[order], order
        ordered, rows = self._sorted
        at = np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)
        return np.where(ordered[at] == keys, rows[at], -1).astype(np.int64)

    def take(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """(n, dim) float32. Raises IndexError for a row that is not there."""
        rows = np.asarray(rows, np.int64)
        if len(rows) and (rows.min() < 0 or rows.max() >= len(self)):
            raise IndexError(f"Rows {rows.min()} to {rows.max()} are not all among the {len(self)} stored.")
        taken = np.empty((len(rows), self._dimension), np.float32)
        part_of = np.searchsorted(self._ends, rows, side="right")
        for part in np.unique(part_of):
            members = part_of == part
            start = self._ends[part] - len(self._vector_parts[part])
            taken[members] = self._vector_parts[part][rows[members] - start]
        return taken
