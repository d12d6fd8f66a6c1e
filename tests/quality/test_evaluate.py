"""The whole evaluation, live, on a folder of a few pages: every method, every table, and the document."""

import json
from pathlib import Path

import pytest

from benchmarks.corpora import unpacked
from benchmarks.evaluate import main
from benchmarks.judging.__main__ import main as judge
from benchmarks.quality_document import BEGIN, END, read_sections
from tests.quality.shared_measure import needs_measure
from tests.quality.tiny_corpus import HIDDEN, write_tiny_corpus


@pytest.mark.corpora
@pytest.mark.slow
@needs_measure
def test_a_folder_is_measured_and_written_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_tiny_corpus(tmp_path / "allotment")
    document = tmp_path / "quality.md"
    document.write_text(f"# By hand\n\n{BEGIN}\n\n<!-- section: over sites -->\n\nolder\n\n{END}\n", "utf-8")
    arguments = [str(corpus), "--keep", str(tmp_path / "kept"), "--write-docs", "--document", str(document)]
    assert main(arguments) == 0
    sections = read_sections(document.read_text("utf-8"))
    assert sections.pop("over sites") == "older"  # one small site says nothing over the whole ones
    [(name, text)] = sections.items()
    assert name == "corpus allotment (all-MiniLM-L6-v2)"
    assert cells_of("allotment (all-MiniLM-L6-v2)", text)[1:] == [
        "mean vectors",
        "BM25",
        "title mentions",
        "product",
        "product, default threshold",
        "product / mean",
    ]
    assert cells_of("pairs", text)[1:] == [*[str(len(HIDDEN))] * 5, "1.00x"]
    for expected in ("all@10, anchor in title (3)", "recall@100", "hidden links among them", "Calibration error"):
        assert expected in text
    with unpacked(corpus) as read:
        assert f"corpus sha256 {read.sha256[:16]}" in text

    before = document.read_text("utf-8")
    capsys.readouterr()
    assert main([*arguments, "--rescore"]) == 0  # nothing runs: the same lists give the same tables
    assert document.read_text("utf-8") == before

    out = tmp_path / "judging"
    assert judge(["draw", str(corpus), "--keep", str(tmp_path / "kept"), "--out", str(out), "--reuse"]) == 0
    items = json.loads((out / "key.json").read_text("utf-8"))["items"]
    suggested = int(cells_of("recommendations", text)[5])
    assert sum(not item["planted"] for item in items.values()) == suggested
    assert any(item["planted"] for item in items.values())
    assert (out / "packets" / "packet_1.md").read_text("utf-8").count("**On the page**") == len(items)


def cells_of(figure: str, text: str) -> list[str]:
    """The cells of a figure's line."""
    line = next(line for line in text.splitlines() if line.startswith(f"| {figure} "))
    return [cell.strip() for cell in line.strip("|").split("|")]
