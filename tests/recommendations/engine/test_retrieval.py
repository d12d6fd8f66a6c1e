"""Candidates of large sites: the union of several searches finds what the full comparison finds."""

import pytest

from recommendations.engine import retrieval
from tests.recommendations.engine.small_site import page, recommend


def test_the_union_of_searches_keeps_the_best_of_the_full_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    things = ("bike", "rack", "lamp", "bell", "lock", "pump", "saddle", "pedal")
    kinds = ("Steel", "Cargo", "Winter", "Folding", "Racing", "Touring")
    site = {
        f"/{kind.lower()}-{thing}": page(
            f"{kind} {thing}", f"<p>A {kind.lower()} {thing} is made for those who ride.</p><p>It lasts for years.</p>"
        )
        for kind in kinds
        for thing in things
    }
    body = "<p>A winter lamp shone.</p><p>One cargo rack fell.</p><p>The folding lock broke.</p><p>Nice day.</p>"
    site["/source"] = page("Buying", body)
    dense = recommend(site, "/source", top=3, links_per_paragraph=5)
    monkeypatch.setattr(retrieval, "DENSE_PAGES", 10)
    monkeypatch.setattr(retrieval, "_PER_SEARCH", 5)
    union = recommend(site, "/source", top=3, links_per_paragraph=5)
    names = {list(site)[link.target] for link in dense}
    assert names == {"/winter-lamp", "/cargo-rack", "/folding-lock"}
    assert {list(site)[link.target] for link in union} == names
