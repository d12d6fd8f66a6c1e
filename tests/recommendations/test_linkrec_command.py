"""`manage.py linkrec` as a script runs it: a process of its own, a real site on loopback, the bundled model."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from crawler.extraction.types import block_sha256
from tests.crawler.loopback import LoopbackSite, serve

ROOT = Path(__file__).resolve().parent.parent.parent
TOPICS = {
    "chains": ("Cleaning a chain", "A clean chain runs quietly. Degrease it, dry it and oil every roller once."),
    "wheels": ("Truing a wheel", "A wheel that wobbles needs a spoke key. Before truing a wheel, see to the bearings."),
    "tyres": (
        "Choosing tyres",
        "Wide tyres roll well on bad roads. Cleaning a chain is no use when the tyres are flat.",
    ),
    "brakes": (
        "Adjusting brakes",
        "Brakes squeal when the rim is dirty. Truing a wheel comes first, choosing tyres later.",
    ),
    "lights": (
        "Dynamo lights",
        "A dynamo needs no battery. After adjusting brakes, look at your dynamo lights as well.",
    ),
}


def _page(title: str, text: str, more: str = "") -> str:
    links = "".join(f"<a href='/{slug}'>{name}</a> " for slug, (name, _) in TOPICS.items())
    return (
        f"<!doctype html><html lang=en><title>{title} | Workshop</title><body><nav>{links}</nav>"
        f"<main><h1>{title}</h1><p>{text}</p>{more}</main></body></html>"
    )


@pytest.fixture
def workshop() -> dict[str, str]:
    pages = {f"/{slug}": _page(title, text) for slug, (title, text) in TOPICS.items()}
    return {"/": _page("Workshop", "We mend bicycles and show people how it is done."), **pages}


def run(data_dir: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"LINKREC_DATA_DIR": str(data_dir), "LINKREC_ALLOWED_PRIVATE_HOSTS": "127.0.0.1"}
    command = [sys.executable, str(ROOT / "manage.py"), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)


def test_from_a_url_to_links_and_again(workshop: dict[str, str], tmp_path: Path) -> None:
    with serve(workshop) as site:
        out = tmp_path / "links.json"
        first = run(tmp_path / "data", "linkrec", site.url, "--threshold", "0", "--output", str(out))
        assert first.returncode == 0, first.stderr
        assert first.stdout == ""
        data = json.loads(out.read_text("utf-8"))
        pairs = {(row["source"], row["target"]): row for row in data["recommendations"]}
        named = pairs[site.url + "brakes", site.url + "wheels"]
        assert named["anchor_text"] == "Truing a wheel"
        _check_places(data["recommendations"], site)

        again = run(tmp_path / "data", "linkrec", site.url, "--threshold", "0")
        assert again.returncode == 0, again.stderr
        rows = list(csv.DictReader(io.StringIO(again.stdout)))
        assert list(rows[0]) == ["source", "target", "anchor_text"]
        assert "written to standard output." in again.stderr
        assert {(row["source"], row["target"]) for row in rows} == set(pairs)


def _check_places(rows: list[dict[str, object]], site: LoopbackSite) -> None:
    scores: dict[object, list[float]] = {}
    for row in rows:
        scores.setdefault(row["source"], []).append(float(str(row["score"])))
        assert str(row["anchor_text"]) in str(row["sentence"])
        assert len(str(row["block_sha256"])) == len(block_sha256(""))
        assert str(row["sentence"]) in str(site.answers["/" + str(row["source"]).removeprefix(site.url)])
    assert all(values == sorted(values, reverse=True) for values in scores.values())


def test_a_site_that_went_down_leaves_what_was_there(workshop: dict[str, str], tmp_path: Path) -> None:
    with serve(workshop) as site:
        assert run(tmp_path / "data", "linkrec", site.url, "--threshold", "0").returncode == 0
        site.answers.clear()
        site.fallback = (500, {}, "broken")
        out = tmp_path / "links.csv"
        failed = run(tmp_path / "data", "linkrec", site.url, "--output", str(out))
        assert failed.returncode != 0
        last = failed.stderr.strip().splitlines()[-1]
        assert "500" in last
        assert site.url in last
        assert not out.exists()
        kept = run(tmp_path / "data", "export_links", site.url)
        assert len(kept.stdout.splitlines()) > 3
        _check_a_reader_that_leaves(tmp_path / "data", site.url)


def _check_a_reader_that_leaves(data_dir: Path, url: str) -> None:
    """As `| head -1` does: no fault of the command's."""
    for words in (["--format", "csv"], ["--format", "json"]):
        read_end, write_end = os.pipe()
        os.close(read_end)
        with os.fdopen(write_end, "wb") as pipe:
            result = subprocess.run(
                [sys.executable, str(ROOT / "manage.py"), "export_links", url, *words],
                env=os.environ | {"LINKREC_DATA_DIR": str(data_dir)},
                stdout=pipe,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
                timeout=100,
            )
        assert (result.returncode, result.stderr) == (141, "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--threshold", "2"], "'2' is not a number from 0 to 1"),
        (["--top", "0"], "'0' is not a whole number above 0"),
        (["--output", "/nowhere/links.csv"], "/nowhere does not exist"),
        (["--figures", "/nowhere/f.json"], "--figures /nowhere/f.json: the folder /nowhere does not exist"),
        (["--output", "links.xml"], "--output links.xml ends in .xml, which is no known format. Name --format"),
        (["--model", "no-such-model"], "no-such-model"),
    ],
)
def test_wrong_words_are_named(words: list[str], told: str, workshop: dict[str, str], tmp_path: Path) -> None:
    with serve(workshop) as site:
        result = run(tmp_path / "data", "linkrec", site.url, *words)
    assert result.returncode != 0
    assert told in result.stderr
    assert "recommend:" not in result.stderr
    assert "Traceback" not in result.stderr
