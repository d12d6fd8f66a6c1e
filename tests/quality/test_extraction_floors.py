"""Main content on small real sites against the sites' own main element: floors below what is reached today."""

import json

import pytest

from benchmarks.corpora import CorporaMissing, find_corpora, shared_directory, unpacked
from benchmarks.extraction import LOWEST_F1, measure
from benchmarks.extraction_methods import PLAIN, PRODUCT


def small_slices() -> list[str]:
    try:
        return [path.name.removesuffix(".tar.xz") for path in find_corpora() if "_small" in path.name]
    except CorporaMissing:
        return []


@pytest.mark.corpora
@pytest.mark.skipif(not small_slices(), reason="the corpora in ../shared are absent: extraction floors left out")
@pytest.mark.parametrize("name", small_slices() or [""])
def test_main_content_stays_above_its_floor(name: str) -> None:
    xpath = json.loads((shared_directory() / "corpora" / "main_content.json").read_text("utf-8"))[name]
    with unpacked(find_corpora([name])[0]) as corpus:
        measured = measure(corpus, xpath, rivals={})
    own = measured.texts[PRODUCT]
    assert own.f1 >= LOWEST_F1, own
    assert own.precision > measured.texts[PLAIN].precision, measured.texts
    # Of pages that say hardly anything of their own one may differ: an authors' list of 30 words, say.
    assert own.poor * len(measured.runs[PRODUCT].lines) <= 1, own
