"""Neighbours are those of brute force, in both kinds of index."""

import numpy as np
import pytest
from numpy.typing import NDArray

from embeddings.ann_index import EXACT_ROWS, ExactIndex, GraphIndex, build_index
from embeddings.pooling import normalize_rows


def random_vectors(count: int, dimension: int = 64, seed: int = 0) -> NDArray[np.float32]:
    return normalize_rows(np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32))


def clustered_vectors(count: int) -> NDArray[np.float32]:
    """As pages are: topics, with pages around them."""
    draw = np.random.default_rng(7)
    topics = draw.normal(size=(60, 96))
    return normalize_rows(
        (topics[draw.integers(0, 60, count)] + draw.normal(size=(count, 96)) * 0.7).astype(np.float32)
    )


def brute_force(vectors: NDArray[np.float32], queries: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    return np.argsort(-(queries @ vectors.T), axis=1, kind="stable")[:, :k]


def test_exact_neighbours_are_brute_force_with_their_cosines() -> None:
    vectors = random_vectors(300)
    rows, cosines = build_index(vectors).query(vectors[:50], 10)
    np.testing.assert_array_equal(rows, brute_force(vectors, vectors[:50], 10))
    np.testing.assert_allclose(cosines, np.take_along_axis(vectors[:50] @ vectors.T, rows, 1), atol=1e-6)
    assert (rows[:, 0] == np.arange(50)).all()


def test_graph_finds_nearly_all_true_neighbours() -> None:
    vectors = clustered_vectors(5_000)
    index = build_index(vectors)
    assert isinstance(index, GraphIndex)
    queries = vectors[::25]
    rows, cosines = index.query(queries, 10)
    truth = brute_force(vectors, queries, 10)
    recall = np.mean([len(set(found) & set(true)) / 10 for found, true in zip(rows, truth, strict=True)])
    assert recall >= 0.99
    assert (np.diff(cosines, axis=1) <= 0).all()
    np.testing.assert_allclose(cosines[:, 0], 1, atol=1e-5)


def test_the_same_vectors_give_the_same_graph() -> None:
    vectors = random_vectors(2_000, 32)
    first, second = (GraphIndex(vectors).query(vectors[:100], 8) for _ in range(2))
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])


def test_size_decides_between_the_two_unless_told() -> None:
    small = random_vectors(10)
    assert isinstance(build_index(small), ExactIndex)
    assert isinstance(build_index(small, exact=False), GraphIndex)
    assert isinstance(build_index(random_vectors(EXACT_ROWS + 1, 4), exact=True), ExactIndex)


@pytest.mark.parametrize("exact", [True, False])
def test_fewer_rows_than_asked_for(exact: bool) -> None:
    rows, cosines = build_index(random_vectors(3), exact=exact).query(random_vectors(2, seed=1), 10)
    assert rows.shape == cosines.shape == (2, 3)
    assert [sorted(row) for row in rows.tolist()] == [[0, 1, 2]] * 2


@pytest.mark.parametrize("exact", [True, False])
def test_no_rows_and_no_queries(exact: bool) -> None:
    assert build_index(np.zeros((0, 4)), exact=exact).query(np.ones((2, 4)), 3)[0].shape == (2, 0)
    assert build_index(random_vectors(5), exact=exact).query(np.zeros((0, 64)), 3)[0].shape == (0, 3)


def test_equal_vectors_come_in_the_order_of_their_rows() -> None:
    vectors = np.tile(random_vectors(1), (20, 1))
    assert build_index(vectors).query(vectors[:1], 5)[0].tolist() == [[0, 1, 2, 3, 4]]
    assert build_index(vectors, exact=False).query(vectors[:1], 20)[0].tolist() == [list(range(20))]


def test_zero_vectors_are_far_from_everything() -> None:
    vectors = np.vstack([np.zeros((1, 64), np.float32), random_vectors(5)])
    rows, cosines = build_index(vectors).query(vectors[1:2], 6)
    assert rows[0, 0] == 1
    assert np.isfinite(cosines).all()


def test_half_precision_is_welcome() -> None:
    vectors = random_vectors(50).astype(np.float16)
    assert build_index(vectors).query(vectors, 1)[0].ravel().tolist() == list(range(50))


def test_shapes_that_do_not_fit_are_named() -> None:
    with pytest.raises(ValueError, match=r"\(1, 3\) do not fit an index of 64 dimensions"):
        build_index(random_vectors(5)).query(np.zeros((1, 3)), 1)
    with pytest.raises(ValueError, match="rows of vectors"):
        build_index(np.zeros(3))
