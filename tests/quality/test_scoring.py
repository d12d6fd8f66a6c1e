"""What counts as found: pairs whatever their address' form; those under generic anchors as neither right nor wrong."""

import json
from pathlib import Path

import pytest

from benchmarks.corpora import unpacked
from benchmarks.scoring import Scorer
from tests.quality.shared_measure import needs_measure
from tests.quality.tiny_corpus import write_tiny_corpus


@pytest.mark.corpora
@needs_measure
def test_suggestions_are_told_apart_by_what_editors_did(tmp_path: Path) -> None:
    folder = write_tiny_corpus(tmp_path / "allotment")
    truth = folder / "truth.jsonl"
    generic = json.loads(truth.read_text("utf-8").splitlines()[0]) | {"target": "/slugs.html", "generic_anchor": True}
    truth.write_text(truth.read_text("utf-8") + "\n" + json.dumps(generic), "utf-8")
    rows = [
        {"source": f"http://127.0.0.1:9{source}", "target": f"http://127.0.0.1:9{target}", "score": score}
        for source, target, score in (
            ("/compost.html", "/water", 0.9),
            ("/compost.html", "/slugs.html", 0.8),
            ("/compost", "/seeds.html", 0.7),
        )
    ]
    for row in rows:
        row |= {"anchor_text": "rain barrel", "sentence": "A heap dries out: use the rain barrel."}
    with unpacked(folder) as corpus:
        scorer = Scorer(corpus)
        assert len(scorer.hidden_pairs()) == 3
        assert scorer.hidden_pairs(is_generic=True) == {("/compost", "/slugs")}
        assert scorer.judged_rows(rows) == ([0.9, 0.7], [True, False])
        assert scorer.score(rows)["recall@10"] == pytest.approx(1 / 3, abs=1e-4)
        slices = scorer.slices(rows)
        assert slices["anchor in title"]["pairs"] == 3
        assert slices["anchor not in title"]["pairs"] == 0
