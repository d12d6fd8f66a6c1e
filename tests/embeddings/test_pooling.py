"""Page vectors are normalized means, however the sentences arrive."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings.pooling import PagePooler, normalize_rows


@given(
    pages=st.lists(st.integers(0, 5), max_size=40),
    cuts=st.lists(st.integers(0, 40), max_size=4),
    seed=st.integers(0, 1000),
)
def test_pooled_in_lots_equals_the_mean_of_each_page(pages: list[int], cuts: list[int], seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(len(pages), 3)).astype(np.float32)
    positions = np.array(pages, np.int64)
    pooler = PagePooler(7, 3)
    edges = [0, *sorted(min(cut, len(pages)) for cut in cuts), len(pages)]
    for start, end in itertools.pairwise(edges):
        pooler.add(positions[start:end], vectors[start:end])
    expected = np.zeros((7, 3), np.float32)
    for page in set(pages):
        mean = vectors[positions == page].mean(axis=0)
        expected[page] = mean / np.linalg.norm(mean)
    np.testing.assert_allclose(pooler.page_vectors(), expected, atol=2e-3)


def test_a_page_without_sentences_has_a_zero_vector() -> None:
    assert not PagePooler(2, 4).page_vectors().any()


def test_zero_rows_stay_zero_when_normalized() -> None:
    rows = normalize_rows(np.array([[0, 0], [3, 4]], np.float32))
    np.testing.assert_allclose(rows, [[0, 0], [0.6, 0.8]], atol=1e-6)


def test_counts_that_do_not_fit_are_named() -> None:
    with pytest.raises(ValueError, match="1 page positions do not fit 2"):
        PagePooler(1, 2).add(np.zeros(1, np.int64), np.zeros((2, 2), np.float32))
