"""Orphans, click depth and PageRank against cases counted by hand and against plain loops."""

import time
from collections import deque

import numpy as np
import pytest
from scipy import sparse

from recommendations.engine.link_report import DAMPING, SiteGraph, click_depths, measure_links, page_ranks


def graph_of(
    n_pages: int,
    links: list[tuple[int, int]],
    menus: list[tuple[int, int]] = (),  # type: ignore[assignment]
    *,
    start: int | None = 0,
    targets: list[int] | None = None,
    nofollow: list[tuple[int, int]] = (),  # type: ignore[assignment]
) -> SiteGraph:
    every = [*links, *nofollow, *menus]
    is_target = np.ones(n_pages, dtype=bool)
    if targets is not None:
        is_target[:] = False
        is_target[targets] = True
    return SiteGraph(
        n_pages=n_pages,
        start=start,
        is_target=is_target,
        sources=np.array([link[0] for link in every], dtype=np.int64),
        targets=np.array([link[1] for link in every], dtype=np.int64),
        is_editorial=np.array([link not in menus for link in every], dtype=bool),
        is_followed=np.array([link not in nofollow for link in every], dtype=bool),
    )


def matrix_of(n_pages: int, links: list[tuple[int, int]]) -> sparse.csr_matrix:
    rows, columns = [link[0] for link in links], [link[1] for link in links]
    return sparse.csr_matrix((np.ones(len(links)), (rows, columns)), shape=(n_pages, n_pages))


def test_orphans_in_menus_are_orphans_and_are_told_apart() -> None:
    figures = measure_links(graph_of(5, [(0, 1), (1, 1)], [(0, 2), (3, 3)]))
    assert figures.is_orphan.tolist() == [False, False, True, True, True]
    assert figures.is_in_menus.tolist() == [False, False, True, False, False]
    assert (figures.orphans, figures.orphans_in_menus) == (3, 1)


def test_pages_that_are_no_targets_are_not_missed() -> None:
    figures = measure_links(graph_of(4, [(0, 1)], targets=[0, 1, 2]))
    assert figures.orphans == figures.unreachable == 1


def test_new_links_adopt_orphans_and_shorten_ways() -> None:
    graph = graph_of(5, [(0, 1), (1, 2), (2, 3)])
    before, after = measure_links(graph), measure_links(graph, [(0, 3), (1, 4)])
    assert (before.orphans, before.unreachable, before.mean_depth) == (1, 1, 1.5)
    assert (after.orphans, after.unreachable) == (0, 0)
    assert after.depths.tolist() == [0, 1, 2, 1, 2]
    assert before.content_inlinks.tolist() == [0, 1, 1, 1, 0]
    assert after.content_inlinks.tolist() == [0, 1, 1, 2, 1]
    assert after.page_ranks[4] > before.page_ranks[4]


def test_without_a_start_page_nothing_is_reached_and_nothing_is_said_of_depth() -> None:
    figures = measure_links(graph_of(3, [(0, 1)], start=None))
    assert figures.mean_depth is None
    assert figures.unreachable is None
    assert figures.orphans == 2


def test_a_site_of_no_pages_has_figures() -> None:
    figures = measure_links(graph_of(0, [], start=None))
    assert (figures.orphans, figures.unreachable, figures.mean_depth) == (0, None, None)


def test_rank_of_two_pages_counted_by_hand() -> None:
    # 0 links to 1, 1 to nobody. a = .15/2 + .85*b/2 and b = .15/2 + .85*(a + b/2), so a = 20/57 and b = 37/57.
    ranks = page_ranks(matrix_of(2, [(0, 1)])) / 2
    assert ranks.tolist() == pytest.approx([20 / 57, 37 / 57], abs=1e-8)


def test_rank_of_a_hub_counted_by_hand() -> None:
    # Two pages link to 0, which links to both: a = .05 + .85*(b + c) and b = c = .05 + .85*a/2.
    ranks = page_ranks(matrix_of(3, [(1, 0), (2, 0), (0, 1), (0, 2)])) / 3
    hub = (0.05 + 0.85 * 0.1) / (1 - 0.85**2)
    assert ranks.tolist() == pytest.approx([hub, (1 - hub) / 2, (1 - hub) / 2], abs=1e-8)


def test_links_marked_nofollow_pass_nothing_on_but_can_be_clicked() -> None:
    figures = measure_links(graph_of(3, [(0, 1)], nofollow=[(0, 2)]))
    alone = measure_links(graph_of(3, [(0, 1)]))
    assert figures.page_ranks.tolist() == alone.page_ranks.tolist()
    assert figures.depths.tolist() == [0, 1, 1]


def test_a_link_counts_once_however_often_it_stands_there() -> None:
    once = measure_links(graph_of(3, [(0, 1), (0, 2)]))
    often = measure_links(graph_of(3, [(0, 1), (0, 1), (0, 1), (0, 2)]), [(0, 1)])
    assert often.page_ranks.tolist() == once.page_ranks.tolist()


def solved(n_pages: int, links: set[tuple[int, int]]) -> np.ndarray:
    """The same ranks as the solution of the equations, with a full matrix."""
    moves = np.zeros((n_pages, n_pages))
    for source in range(n_pages):
        out = [target for other, target in links if other == source]
        moves[source] = 1 / n_pages if not out else [(target in out) / len(out) for target in range(n_pages)]
    return n_pages * np.linalg.solve(np.eye(n_pages) - DAMPING * moves.T, np.full(n_pages, (1 - DAMPING) / n_pages))


def walked(n_pages: int, links: set[tuple[int, int]], start: int) -> list[int]:
    depths = {start: 0}
    queue = deque([start])
    while queue:
        page = queue.popleft()
        for source, target in links:
            if source == page and target not in depths:
                depths[target] = depths[page] + 1
                queue.append(target)
    return [depths.get(page, -1) for page in range(n_pages)]


@pytest.mark.parametrize("seed", range(8))
def test_ranks_and_depths_agree_with_plain_methods(seed: int) -> None:
    random = np.random.default_rng(seed)
    n_pages = int(random.integers(5, 40))
    pairs = random.integers(0, n_pages, (int(n_pages * 1.3), 2))
    links = {(int(source), int(target)) for source, target in pairs if source != target}
    matrix = matrix_of(n_pages, sorted(links))
    ranks = page_ranks(matrix)
    assert ranks.tolist() == pytest.approx(solved(n_pages, links).tolist(), abs=1e-7)
    assert ranks.sum() == pytest.approx(n_pages)
    assert click_depths(matrix, 0).tolist() == walked(n_pages, links, 0)


def test_a_hundred_thousand_pages_take_seconds() -> None:
    random = np.random.default_rng(1)
    n_pages, n_links = 100_000, 1_000_000
    graph = SiteGraph(
        n_pages=n_pages,
        start=0,
        is_target=np.ones(n_pages, dtype=bool),
        sources=random.integers(0, n_pages, n_links),
        targets=random.integers(0, n_pages, n_links),
        is_editorial=random.random(n_links) < 0.5,
        is_followed=np.ones(n_links, dtype=bool),
    )
    started = time.process_time()
    figures = measure_links(graph)
    assert time.process_time() - started < 10
    assert figures.page_ranks.sum() == pytest.approx(n_pages)
    assert 0 < figures.orphans < n_pages / 50
