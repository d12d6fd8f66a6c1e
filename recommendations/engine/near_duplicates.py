"""Which pages say nearly the same: MinHash signatures of their word triples (Broder, 1997).

No cosine decides this, since each embedding model has its own scale: with some, every two pages of a site are "alike".
"""

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

N_HASHES = 64
#: Estimated Jaccard similarity of the word triples from which on two pages count as one.
NEAR_DUPLICATE = 0.75
_PRIME = np.uint64((1 << 61) - 1)
_random = np.random.default_rng(20_240_607)
_FACTORS = _random.integers(1, 1 << 31, N_HASHES, dtype=np.uint64)
_SHIFTS = _random.integers(0, 1 << 31, N_HASHES, dtype=np.uint64)


def signature_of(terms: Sequence[str]) -> NDArray[np.uint32]:
    """(N_HASHES,) the page's signature; all zeros, which match nothing, for fewer than three terms."""
    triples = {zlib.crc32(" ".join(terms[i : i + 3]).encode()) for i in range(len(terms) - 2)}
    if not triples:
        return np.zeros(N_HASHES, dtype=np.uint32)
    hashes = np.fromiter(triples, dtype=np.uint64, count=len(triples))
    mixed = (hashes[:, None] * _FACTORS + _SHIFTS) % _PRIME
    return (mixed & np.uint64(0xFFFFFFFF)).min(axis=0).astype(np.uint32)


def near_duplicates_of(page: int, signatures: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """(n_pages,) True where the page's text is nearly the same. signatures: (n_pages, N_HASHES)."""
    if not signatures[page].any():
        return np.zeros(len(signatures), dtype=bool)
    return (signatures == signatures[page]).mean(axis=1) >= NEAR_DUPLICATE
