"""Sites count alike, however many slices of them were measured."""

import json
from pathlib import Path

import pytest

from benchmarks.corpora import Corpus
from benchmarks.evaluation import Evaluation
from benchmarks.method_lists import PRODUCT
from benchmarks.over_sites import distinct_sites, figure, macro, only_whole, pooled_reliability


def result(corpus: str, site: str, pages: int, recall: float, *, is_product_choice: bool = True) -> Evaluation:
    scores, outcomes = [0.1, 0.9] * 5, [False, True] * 5
    figures = {PRODUCT: {"recall@10": recall, "pairs": 10}}
    return Evaluation(
        corpus, site, pages, "0" * 64, "m", "2026-01-01", "c", is_product_choice, figures, {}, {}, scores, outcomes
    )


def test_a_slice_counts_only_where_its_parent_is_absent() -> None:
    results = [
        result("django", "django", 500, 0.6),
        result("django_small", "django", 50, 0.9),
        result("other_small", "other", 50, 0.8),
        result("other_small", "other", 50, 0.1, is_product_choice=False),
    ]
    sites = distinct_sites(results)
    assert [site.corpus for site in sites] == ["django", "other_small"]
    assert macro(sites, figure("recall@10")) == pytest.approx(0.7)
    assert macro(sites, figure("recall@10", "absent method")) is None
    assert pooled_reliability(sites).count == 20
    assert only_whole(results) is None


def test_the_whole_sites_are_told_only_together() -> None:
    results = [result(name, name, 500, 0.5) for name in ("18f", "django", "multilang", "other")]
    assert [site.corpus for site in only_whole(results) or ()] == ["18f", "django", "multilang"]


def test_a_slice_names_its_site(tmp_path: Path) -> None:
    corpus = Corpus("shop_small", tmp_path, "0" * 64)
    assert corpus.site() == "shop_small"
    (tmp_path / "meta.json").write_text(json.dumps({"kind": "slice of shop: en, fr"}), "utf-8")
    assert corpus.site() == "shop"
