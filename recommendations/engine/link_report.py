"""What a site's links amount to, with and without more of them: orphan pages, click depth, internal PageRank.

Arrays in, figures out; nothing is stored. A page is known by its position. Leaves reading rows to `selectors_report`
and words to the people who show it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from recommendations.engine.types import IntArray

DAMPING = 0.85
#: Sum of the changes of all pages at which the iteration has arrived. It shrinks by DAMPING each time: 130 suffice.
_ENOUGH = 1e-9
_MOST_ROUNDS = 200

Flags = NDArray[np.bool_]
Ranks = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SiteGraph:
    """Pages and links of a site as they are.

    start: position of the start page, None where it was not read. is_target: (n_pages,) pages worth finding; search
    results, logins and the like are not asked whether anybody links to them. The others: (n_links,).
    """

    n_pages: int
    start: int | None
    is_target: Flags
    sources: IntArray
    targets: IntArray
    is_editorial: Flags
    is_followed: Flags


@dataclass(frozen=True, slots=True)
class LinkFigures:
    """is_orphan: (n_pages,) no link from another page's content. is_in_menus: (n_pages,) of these, those that a menu,
    card or footer links to; the start page is no orphan. content_inlinks: (n_pages,) pages that link here from their
    content.

    depths: (n_pages,) clicks from the start page, -1 where none lead. page_ranks: (n_pages,) 1.0 for the average page.
    """

    is_orphan: Flags
    is_in_menus: Flags
    content_inlinks: IntArray
    depths: IntArray
    is_target: Flags
    page_ranks: Ranks

    @property
    def orphans(self) -> int:
        return int(self.is_orphan.sum())

    @property
    def orphans_in_menus(self) -> int:
        return int(self.is_in_menus.sum())

    @property
    def unreachable(self) -> int | None:
        """Pages worth finding to which no click leads from the start page; None where there is no start page."""
        if not (self.depths == 0).any():
            return None
        return int(((self.depths < 0) & self.is_target).sum())

    @property
    def mean_depth(self) -> float | None:
        """Of the pages worth finding that can be reached; None where there are none."""
        reached = self.depths[(self.depths >= 0) & self.is_target]
        return float(reached.mean()) if len(reached) else None


def measure_links(graph: SiteGraph, added: Iterable[tuple[int, int]] = ()) -> LinkFigures:
    """The figures of the site with more editorial links, (source, target) each, than it has."""
    more = np.array(list(added), dtype=np.int64).reshape(-1, 2)
    sources = np.concatenate([graph.sources, more[:, 0]])
    targets = np.concatenate([graph.targets, more[:, 1]])
    is_new = np.ones(len(more), dtype=bool)
    is_editorial = np.concatenate([graph.is_editorial, is_new])
    is_followed = np.concatenate([graph.is_followed, is_new])
    is_between = sources != targets
    in_content = is_between & is_editorial
    content_inlinks = _inlinks(_matrix(graph.n_pages, sources[in_content], targets[in_content]))
    clicks = _matrix(graph.n_pages, sources[is_between], targets[is_between])
    is_orphan = graph.is_target & (content_inlinks == 0)
    if graph.start is not None:
        is_orphan[graph.start] = False
    passing = is_between & is_followed
    return LinkFigures(
        is_orphan=is_orphan,
        is_in_menus=is_orphan & (_inlinks(clicks) > 0),
        content_inlinks=content_inlinks,
        depths=click_depths(clicks, graph.start),
        is_target=graph.is_target,
        page_ranks=page_ranks(_matrix(graph.n_pages, sources[passing], targets[passing])),
    )


def _inlinks(links: sparse.csr_matrix) -> IntArray:
    return np.bincount(links.indices, minlength=links.shape[0]).astype(np.int64)


def _matrix(n_pages: int, sources: IntArray, targets: IntArray) -> sparse.csr_matrix:
    """(n_pages, n_pages) float64, 1 where the row's page links to the column's, however often it does."""
    matrix = sparse.csr_matrix((np.ones(len(sources)), (sources, targets)), shape=(n_pages, n_pages))
    matrix.data[:] = 1.0
    return matrix


def click_depths(links: sparse.csr_matrix, start: int | None) -> IntArray:
    """(n_pages,) fewest clicks from the start page, -1 where no chain of links leads; breadth first, level by level."""
    depths = np.full(links.shape[0], -1, dtype=np.int64)
    if start is None:
        return depths
    depths[start] = 0
    level = np.array([start])
    while len(level):
        found = np.unique(links[level].indices)
        following = found[depths[found] < 0]
        depths[following] = depths[level[0]] + 1
        level = following
    return depths


def page_ranks(links: sparse.csr_matrix) -> Ranks:
    """(n_pages,) PageRank times the number of pages, so that 1.0 is the average page.

    rank(p) = (1 - d) / n + d * (sum of rank(q) / outlinks(q) over the pages q that link to p, plus p's share, 1 / n,
    of the rank of the pages without outlinks), with d = 0.85, by power iteration. After Page, Brin, Motwani, Winograd,
    "The PageRank Citation Ranking" (1999), and, for pages without outlinks, Langville, Meyer, "Deeper Inside PageRank"
    (2004), section 3.
    """
    n_pages = links.shape[0]
    if not n_pages:
        return np.zeros(0)
    outlinks = np.asarray(links.sum(axis=1)).ravel()
    is_dangling = outlinks == 0
    shares = np.divide(1.0, outlinks, out=np.zeros(n_pages), where=~is_dangling)
    passed_on = sparse.csr_matrix(links.T)
    ranks = np.full(n_pages, 1.0 / n_pages)
    for _ in range(_MOST_ROUNDS):
        given = passed_on @ (ranks * shares) + ranks[is_dangling].sum() / n_pages
        following = (1.0 - DAMPING) / n_pages + DAMPING * given
        is_still = np.abs(following - ranks).sum() < _ENOUGH
        ranks = following
        if is_still:
            break
    result: Ranks = ranks * n_pages
    return result
