"""The compared method is what was published: nearest pages, nearest sentence, nearest word, no existing link."""

from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.mean_vectors import Vectors, allowed_targets, nearest_targets, recommend
from benchmarks.site_rows import SitePage, SiteRows, SiteSentence
from benchmarks.tables import format_ratio, format_table

WORD_VECTORS = {"oven": [1.0, 0.0], "bread": [0.0, 1.0]}


def encode(texts: Sequence[str]) -> Vectors:
    return np.array([WORD_VECTORS.get(text.lower(), [0.6, 0.6]) for text in texts], dtype=np.float32)


@pytest.fixture
def site() -> SiteRows:
    def page(number: int, title: str, *texts: str, is_target: bool = True) -> SitePage:
        sentences = tuple(SiteSentence(text, text) for text in texts)
        return SitePage(number, f"http://a.test/{number}", title, is_target, sentences)

    pages = (
        page(1, "Start", "All about the kitchen.", "Heat the oven first!", "…"),
        page(2, "Ovens", "An oven is hot."),
        page(3, "Bread", "Bread rises."),
        page(4, "Search", "Find.", is_target=False),
    )
    return SiteRows(7, pages, {1: {3}})


def sentence_vectors(hashes: Sequence[str]) -> Vectors:
    return np.array([[1.0, 0.0] if "oven" in text else [0.0, 1.0] for text in hashes], dtype=np.float32)


def test_recommends_what_was_published(site: SiteRows) -> None:
    vectors = np.array([[0.8, 0.6], [1.0, 0.0], [0.0, 1.0], [0.8, 0.6]], dtype=np.float32)
    rows = recommend(site, [1, 2, 3, 4], vectors, sentence_vectors, encode)
    first = rows[0]
    assert (first["source"], first["target"]) == ("http://a.test/1", "http://a.test/2")
    assert (first["sentence"], first["anchor_text"], first["rank"]) == ("Heat the oven first!", "oven", 1)
    assert [row["target"][-1] for row in rows if row["source"].endswith("1")] == ["2"]  # 3 is linked, 4 no target
    assert [row["target"][-1] for row in rows if row["source"].endswith("2")] == ["1", "3"]
    assert all(row["anchor_text"] in row["sentence"] for row in rows)


def test_nobody_is_their_own_target(site: SiteRows) -> None:
    allowed = allowed_targets(site, [1, 2, 3, 4])
    assert not allowed.diagonal().any()
    assert not allowed[:, 3].any()
    assert allowed[0].tolist() == [False, True, False, False]


def test_ties_keep_their_order_and_top_holds() -> None:
    vectors = np.ones((4, 2), dtype=np.float32)
    allowed = ~np.eye(4, dtype=bool)
    assert [row.tolist() for row in nearest_targets(vectors, allowed, 2)] == [[1, 2], [0, 2], [0, 1], [0, 1]]


def test_tables_line_up() -> None:
    rows = [["a", 0.5, format_ratio(0.5, 0.25)], ["long name", None, "–"]]
    table = format_table(["site", "recall@10", "ratio"], rows)
    assert len({len(line) for line in table.splitlines()}) == 1
    assert "0.500 | 2.00x |" in table
    assert format_ratio(0.5, 0) == "–"
