"""The product's own command on small real sites, live, against the floors. Nothing stored is compared."""

from pathlib import Path

import pytest

from benchmarks.corpora import CorporaMissing, find_corpora
from benchmarks.floors import read_floors
from benchmarks.method_lists import BASELINES, MEAN
from benchmarks.product_run import run_baseline, run_linkrec, served_installation
from benchmarks.scoring import Scorer

FLOORS = read_floors()


def corpora_are_here() -> bool:
    try:
        return bool(find_corpora())
    except CorporaMissing:
        return False


@pytest.mark.corpora
@pytest.mark.slow
@pytest.mark.timeout(1500)  # a minute of one core, but a busy machine may have much less to give
@pytest.mark.skipif(not corpora_are_here(), reason="the corpora in ../shared are absent: quality floors left out")
@pytest.mark.parametrize("name", sorted(FLOORS.values))
def test_slice_stays_above_its_floors(name: str, tmp_path: Path) -> None:
    with served_installation(find_corpora([name])[0], tmp_path) as (corpus, url, installation):
        scorer = Scorer(corpus)
        figures = scorer.score(run_linkrec(installation, url, threshold=0).rows)
        mean = scorer.score(run_baseline(installation, BASELINES[MEAN][0], url))
    sunk = [
        f"{name}.{figure} is {figures[figure]}, its floor {floor}"
        for figure, floor in FLOORS.values[name].items()
        if figures[figure] < floor
    ]
    assert not sunk, "\n".join(sunk)
    assert figures["verbatim"] == figures["stands"] == 1.0, figures
    behind = [figure for figure in ("recall@10", "both@10") if figures[figure] < mean[figure]]
    assert not behind, f"{name}: behind the mean-vector method in {behind}: {figures} against {mean}"
