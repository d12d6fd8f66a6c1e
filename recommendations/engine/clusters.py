"""Pages grouped by meaning: HDBSCAN on page vectors, language by language, the same every time.

Density-based: pages that resemble nothing belong to no group, and nobody has to say how many groups there are. After
Campello, Moulavi, Sander, "Density-Based Clustering Based on Hierarchical Density Estimates" (2013). It takes time by
the square of the pages, so large languages are first cut into regions by k-means, each of which is then grouped alone:
a group on the border of two regions may come out as two. Leaves names to `cluster_names`.
"""

from collections.abc import Callable, Sequence

import numpy as np

from recommendations.engine.types import FloatArray, IntArray

#: Pages that are grouped at once; more are cut into regions of about half as many first.
MOST_AT_ONCE = 20_000
_REGION = 4_000
#: Components kept where there are more pages than this: distances of many dimensions tell little, and cost much.
_COMPONENTS, _REDUCED_FROM = 32, 100
_SEED = 20_250_601
_FEWEST = 3


def smallest_cluster(n_pages: int) -> int:
    """Pages that make a cluster: three on a small site, more where there are many to choose from."""
    return int(np.clip(round(np.sqrt(n_pages) / 4), _FEWEST, 15))


def cluster_pages(
    page_vectors: FloatArray, languages: Sequence[str], beat: Callable[[], None] = lambda: None
) -> IntArray:
    """(n_pages,) number of each page's cluster from 0 on, -1 for pages in none.

    page_vectors: (n_pages, dim), L2-normalized; zero vectors are pages without text, and in no cluster.
    """
    labels = np.full(len(languages), -1, dtype=np.int64)
    has_text = np.linalg.norm(page_vectors, axis=1) > 0 if len(languages) else np.zeros(0, dtype=bool)
    following = 0
    for language in sorted(set(languages)):
        members = np.flatnonzero(has_text & (np.array(languages) == language))
        for region in _regions(page_vectors[members], beat):
            found = _group(page_vectors[members[region]], smallest_cluster(len(members)))
            labels[members[region[found >= 0]]] = found[found >= 0] + following
            following += int(found.max(initial=-1)) + 1
            beat()
    return labels


def _regions(vectors: FloatArray, beat: Callable[[], None]) -> list[IntArray]:
    """Positions of the vectors that are grouped together: all of them, or regions by k-means where they are many."""
    if len(vectors) <= MOST_AT_ONCE:
        return [np.arange(len(vectors))]
    from sklearn.cluster import MiniBatchKMeans

    count = -(-len(vectors) // _REGION)
    means = MiniBatchKMeans(count, batch_size=4_096, n_init=1, max_iter=20, random_state=_SEED).fit(vectors)
    beat()
    return [np.flatnonzero(means.labels_ == region) for region in range(count)]


def _group(vectors: FloatArray, smallest: int) -> IntArray:
    """(n,) cluster of each vector, -1 for none."""
    if len(vectors) < 2 * _FEWEST:
        return np.full(len(vectors), -1, dtype=np.int64)
    from sklearn.cluster import HDBSCAN

    points = _reduced(vectors.astype(np.float64))
    # One core: worker processes would load everything again, and the queue's worker is one of several.
    # Leaves of the hierarchy: its most stable branches put three quarters of a site into one group. One neighbour as
    # the measure of density left fewest pages out, and most linked pairs together, on the sites that were tried.
    found = HDBSCAN(
        smallest, min_samples=1, cluster_selection_method="leaf", metric="euclidean", n_jobs=1, copy=True
    ).fit_predict(points)
    return found.astype(np.int64)


def _reduced(vectors: FloatArray) -> FloatArray:
    """Principal components, L2-normalized again: what all pages share is taken away first."""
    if len(vectors) < _REDUCED_FROM:
        return vectors
    from sklearn.decomposition import PCA

    components = min(_COMPONENTS, vectors.shape[1], len(vectors) - 1)
    points = PCA(components, svd_solver="randomized", random_state=_SEED).fit_transform(vectors)
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return np.divide(points, lengths, out=np.zeros_like(points), where=lengths > 0)
