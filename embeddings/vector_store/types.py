"""What a store of vectors is to the rest of the project; `local_files` is one, a database may be another."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

#: (n,) "S16": the 16 bytes of text hashes, which sort and compare as one value.
Keys = NDArray[np.bytes_]


def keys_of(hashes: Sequence[str]) -> Keys:
    """Text hashes (32 hex digits each) as keys. Raises ValueError for anything else."""
    wrong = next((text_hash for text_hash in hashes if len(text_hash) != 32), None)
    if wrong is not None:
        raise ValueError(f"{wrong!r} is no text hash of 32 hex digits.")
    return np.frombuffer(bytes.fromhex("".join(hashes)), "S16")


class SiteVectors(Protocol):
    """One site's vectors of one model, to read. Sentences are found by the hash of their text."""

    model_name: str
    fingerprint: str
    dimension: int

    @property
    def page_ids(self) -> NDArray[np.int64]:
        """(n_pages,) ids of the pages embedded last, ascending."""
        ...

    @property
    def page_vectors(self) -> NDArray[np.float32]:
        """(n_pages, dim) L2-normalized; zero for pages without sentences."""
        ...

    def rows_of(self, hashes: Sequence[str]) -> NDArray[np.int64]:
        """(n,) row of each text hash; -1 where it was never embedded."""
        ...

    def find(self, keys: Keys) -> NDArray[np.int64]:
        """As rows_of, for keys."""
        ...

    def take(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """(n, dim) float32, L2-normalized as far as float16 goes. Raises IndexError for a row that is not there."""
        ...


class SiteVectorWriter(SiteVectors, Protocol):
    """The same, while a site is being embedded. What was added stays, whatever happens to the process after."""

    def add(self, keys: Keys, vectors: NDArray[np.float32]) -> None:
        """Store sentence vectors; they are found at once."""
        ...

    def set_pages(self, page_ids: NDArray[np.int64], page_vectors: NDArray[np.float32]) -> None:
        """Replace the page vectors. From here on readers find this model's vectors."""
        ...

    def sweep(self, live: Keys) -> None:
        """Drop what no sentence of the site needs any more, and every other model's vectors."""
        ...


class VectorStore(Protocol):
    """Where sites' vectors are kept."""

    def open_site(self, site_id: int, model_name: str, fingerprint: str | None = None) -> SiteVectors:
        """To read. Raises VectorsMissing, also when `fingerprint` is given and another's vectors are there."""
        ...

    def open_writer(self, site_id: int, model_name: str, fingerprint: str, dimension: int) -> SiteVectorWriter:
        """To embed into; goes on with what an earlier, unfinished embedding left."""
        ...

    def forget_site(self, site_id: int) -> None:
        """Drop all vectors of the site."""
        ...


def check_shapes(keys: NDArray[Any], vectors: NDArray[Any], dimension: int) -> None:
    """Raises ValueError unless there is one vector of that dimension for each key."""
    if vectors.shape != (len(keys), dimension):
        raise ValueError(f"Vectors of shape {vectors.shape} do not fit {len(keys)} keys of {dimension} dimensions.")
