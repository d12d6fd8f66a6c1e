"""Recall of candidates by rank, counted on pairs worked out by hand."""

import json
from pathlib import Path

import pytest

from benchmarks.candidates import RankedCandidates, candidate_recall, read_candidates


def path_of(url: str) -> str:
    return url.removeprefix("http://a.test")


def test_recall_counts_ranks_and_what_retrieval_misses() -> None:
    urls = [f"http://a.test/{number}" for number in range(200)]
    ranked = {0: list(range(1, 150)), 1: [0]}
    pairs = {("/0", "/10"), ("/0", "/11"), ("/0", "/100"), ("/0", "/149"), ("/0", "/180"), ("/1", "/0"), ("/7", "/0")}
    figures = candidate_recall(RankedCandidates(urls, ranked), pairs, path_of)
    assert figures["recall@10"] == pytest.approx(2 / 7)
    assert figures["recall@50"] == pytest.approx(3 / 7)
    assert figures["recall@100"] == pytest.approx(4 / 7)
    assert figures["recall of all"] == pytest.approx(5 / 7)
    assert figures["candidates"] == 75


def test_candidates_survive_their_file(tmp_path: Path) -> None:
    candidates = RankedCandidates(["http://a.test/", "http://a.test/b"], {0: [1], 1: []})
    (tmp_path / "out.json").write_text(json.dumps(candidates.to_json()), "utf-8")
    assert read_candidates(tmp_path / "out.json") == candidates
