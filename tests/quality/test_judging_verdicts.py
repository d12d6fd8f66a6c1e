"""Verdicts are read whole or refused, and added up as worked out by hand."""

import json
from pathlib import Path

import pytest

from benchmarks.judging.__main__ import main
from benchmarks.judging.sites import JudgingError
from benchmarks.judging.verdicts import Judgement, cohen_kappa, format_judgement, read_verdicts
from benchmarks.quality_document import BEGIN, END, read_sections


def entry(score: float | None, planted: str = "") -> dict[str, object]:
    hashes = {"paragraph_sha256": "a" * 64, "anchor_sha256": "b" * 64}
    return {"corpus": "shop", "source": "/a", "target": "/b", **hashes, "score": score, "planted": planted}


KEY = {
    "seed": "c0ffee",
    "code": "c0ffee",
    "items": {"001": entry(0.9), "002": entry(None, "cut words"), "003": entry(0.7), "004": entry(0.2)},
}


def write(file: Path, goods: dict[str, bool], why: str = "cut words: half a name") -> Path:
    file.write_text("\n".join(json.dumps({"id": n, "good": good, "why": why}) for n, good in goods.items()), "utf-8")
    return file


def test_kappa_by_hand() -> None:
    assert cohen_kappa([True, True, False, False], [True, False, False, False]) == pytest.approx(0.5)
    assert cohen_kappa([True, False], [False, True]) == pytest.approx(-1)
    assert cohen_kappa([True, True], [True, True]) is None


def test_both_readers_count_and_planted_ones_are_apart(tmp_path: Path) -> None:
    numbers = list(KEY["items"])
    first = read_verdicts(write(tmp_path / "a", dict(zip(numbers, (True, False, True, False), strict=True))), numbers)
    second = read_verdicts(write(tmp_path / "b", dict(zip(numbers, (True, True, False, False), strict=True))), numbers)
    judgement = Judgement(KEY, first, second)
    assert judgement.both_good() == 1
    assert judgement.reliability().base_rate == pytest.approx(1 / 3)
    text = format_judgement(judgement)
    assert "would make 1 of 3 (33%); the first 2, the second 1" in text
    assert "caught: 1 and 0 of 1" in text
    lines = [line for line in text.splitlines() if line.startswith("| 002")]
    cells = [cell.strip() for cell in lines[0].strip("|").split("|")]
    assert cells == ["002", "shop", "/a", "/b", "a" * 12, "b" * 12, "planted: cut words", "cut words", "good"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('{"id": "001", "good": true}', "has no verdict on 002"),
        ('{"id": "001", "good": true}\n{"id": "001", "good": true}', "given twice"),
        ('{"id": "009", "good": true}', "is unknown"),
        ('{"id": "001", "good": "yes"}', "not true or false"),
        ("good", "is no verdict"),
    ],
)
def test_incomplete_verdicts_are_refused(tmp_path: Path, lines: str, said: str) -> None:
    (tmp_path / "a").write_text(lines, "utf-8")
    with pytest.raises(JudgingError, match=said):
        read_verdicts(tmp_path / "a", ["001", "002"])


def test_the_document_holds_no_text_of_a_reader(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    goods = dict.fromkeys(KEY["items"], False)
    key, document = tmp_path / "key.json", tmp_path / "quality.md"
    key.write_text(json.dumps(KEY), "utf-8")
    document.write_text(f"{BEGIN}\n{END}\n", "utf-8")
    readers = [str(write(tmp_path / name, goods, "wrong sense: the word is a surname")) for name in "ab"]
    arguments = ["verdicts", "--key", str(key), "--first", readers[0], "--second", readers[1]]
    assert main([*arguments, "--write-docs", "--document", str(document)]) == 0
    section = read_sections(document.read_text("utf-8"))["judged suggestions"]
    assert section.count("| wrong sense |") == 4
    assert "surname" not in section
    assert "0 of 3 (0%)" in capsys.readouterr().out
    assert main([*arguments[:-1], str(key)]) == 2
