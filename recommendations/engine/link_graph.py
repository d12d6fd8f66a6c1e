"""What the site's own editorial links say: how often a page is linked, and which pages similar pages link to.

Every figure about a source page leaves that page's own links out, so that links already made and links still missing
are measured alike.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from recommendations.engine.types import FloatArray, IntArray, SiteLinks


class LinkGraph:
    """Editorial links as a sparse matrix: (n_pages, n_pages), 1 where the row's page links to the column's."""

    def __init__(self, n_pages: int, links: SiteLinks) -> None:
        keep = links.is_editorial & (links.sources != links.targets)
        matrix = sparse.csr_matrix(
            (np.ones(int(keep.sum()), dtype=np.float32), (links.sources[keep], links.targets[keep])),
            shape=(n_pages, n_pages),
        )
        matrix.data[:] = 1.0
        self.matrix = matrix
        self._inlinks = np.asarray(matrix.sum(axis=0)).ravel().astype(np.float32)

    def linked_from(self, source: int) -> IntArray:
        """Positions of the pages that the source links to."""
        row = self.matrix.indices[self.matrix.indptr[source] : self.matrix.indptr[source + 1]]
        return row.astype(np.int64)

    def inlink_counts(self, source: int) -> FloatArray:
        """(n_pages,) number of pages that link to each page, the source not counted."""
        counts = self._inlinks.copy()
        counts[self.linked_from(source)] -= 1
        return counts

    def links_back(self, source: int) -> NDArray[np.float32]:
        """(n_pages,) 1 where the page links to the source."""
        column = self._columns()[:, [source]]
        return np.asarray(column.todense(), dtype=np.float32).ravel()

    def linked_by_neighbours(self, neighbours: IntArray, similarities: FloatArray) -> FloatArray:
        """(n_pages,) similarity-weighted share of the neighbours that link to each page, 0 to 1."""
        weights = np.maximum(similarities, 0).astype(np.float32)
        if not len(neighbours) or weights.sum() <= 0:
            return np.zeros(self.matrix.shape[1], dtype=np.float32)
        row = sparse.csr_matrix(weights / weights.sum())
        return np.asarray((row @ self.matrix[neighbours]).todense(), dtype=np.float32).ravel()

    def _columns(self) -> sparse.csc_matrix:
        if not hasattr(self, "_csc"):
            self._csc = self.matrix.tocsc()
        return self._csc
