"""A corpus that is broken says where before minutes are spent on it."""

from pathlib import Path

import pytest

from benchmarks.corpora import CorporaMissing, unpacked
from tests.quality.tiny_corpus import write_tiny_corpus

GOOD = '{"source": "/a", "target": "/b", "anchor": "b", "sentence": "See b."}'


@pytest.mark.parametrize(
    ("truth", "told"),
    [
        ("", "holds no hidden link"),
        (GOOD + "\n{broken", "truth.jsonl, line 2 is no JSON"),
        (GOOD + '\n["a"]', "truth.jsonl, line 2 is no JSON object"),
        ('{"source": "/a", "anchor": "b"}', "line 1 lacks target, sentence"),
    ],
)
def test_a_broken_truth_file_is_named_with_its_line(tmp_path: Path, truth: str, told: str) -> None:
    folder = write_tiny_corpus(tmp_path / "tiny")
    (folder / "truth.jsonl").write_text(truth, "utf-8")
    with pytest.raises(CorporaMissing, match=told), unpacked(folder):
        pass


def test_a_broken_description_is_named_and_a_missing_one_is_no_fault(tmp_path: Path) -> None:
    folder = write_tiny_corpus(tmp_path / "tiny")
    (folder / "meta.json").write_text("{", "utf-8")
    with pytest.raises(CorporaMissing, match=r"meta\.json is no JSON"), unpacked(folder):
        pass
    (folder / "meta.json").unlink()
    with unpacked(folder) as corpus:
        assert corpus.meta() == {}
        assert corpus.truth()
