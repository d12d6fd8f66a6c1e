"""Floors are raised freely, lowered only with a reason, and never sink silently."""

import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks.floors import (
    FLOORS_FILE,
    FloorError,
    Floors,
    format_floors,
    main,
    parse_floors,
    read_floors,
    unexplained_sinkings,
)

ROOT = Path(__file__).resolve().parents[2]


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_no_floor_sank_without_a_reason() -> None:
    """Every committed state of the file is compared with the file as it stands now."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("no git history here")
    name = FLOORS_FILE.relative_to(ROOT).as_posix()
    commits = git("log", "--diff-filter=AM", "--format=%H", "--", name).split()
    history = [parse_floors(git("show", f"{commit}:{name}")) for commit in commits]
    assert unexplained_sinkings(history, read_floors()) == []


def test_lowering_needs_a_reason_and_keeps_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "floors.toml"
    assert main(["--file", str(file), "--raise", "site.recall@10", "0.5"]) == 0
    assert main(["--file", str(file), "--raise", "site.recall@10", "0.4"]) == 1
    assert "--lower site.recall@10 0.4" in capsys.readouterr().err
    assert main(["--file", str(file), "--lower", "site.recall@10", "0.4"]) == 1
    assert read_floors(file).get("site.recall@10") == 0.5
    reason = 'the corpus lost "ten" pages that held easy links'
    assert main(["--file", str(file), "--lower", "site.recall@10", "0.4", "--reason", reason]) == 0
    floors = read_floors(file)
    assert floors.get("site.recall@10") == 0.4
    assert floors.lowered[0].reason == reason
    assert parse_floors(format_floors(floors)) == floors


def test_sinking_is_seen_in_the_history() -> None:
    before, lowered = Floors({"site": {"mrr": 0.5}}), Floors({"site": {"mrr": 0.4}})
    assert unexplained_sinkings([before], Floors({"site": {"mrr": 0.6}})) == []
    assert unexplained_sinkings([before], lowered) == ["site.mrr sank from 0.5 to 0.4 without a reason"]
    assert unexplained_sinkings([before], Floors()) == ["site.mrr sank from 0.5 to None without a reason"]
    explained = Floors({"site": {"mrr": 0.5}})
    explained.lower_to("site.mrr", 0.4, "the measure counts pairs now", "2026-01-01")
    assert unexplained_sinkings([before], explained) == []


@pytest.mark.parametrize(("name", "value"), [("site", 0.5), ("site.mrr", 1.5), (".mrr", 0.5)])
def test_nonsense_is_refused(name: str, value: float) -> None:
    with pytest.raises(FloorError):
        Floors().raise_to(name, value)
