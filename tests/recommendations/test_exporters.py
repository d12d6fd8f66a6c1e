"""CSV and JSON as they are promised, written whole or not at all."""

import csv
import io
import json
from pathlib import Path

import pytest

from recommendations.errors import ExportError
from recommendations.exporters import csv_file, json_file
from recommendations.exporters.files import whole_file
from recommendations.models import Status
from recommendations.selectors_export import export_rows
from tests.recommendations.conftest import Reviewed


def test_csv_has_three_columns_and_the_most_relevant_first(reviewed: Reviewed) -> None:
    out = io.StringIO()
    assert csv_file.write_csv(export_rows(reviewed.run, order=csv_file.ORDER), out) == 2
    rows = list(csv.reader(io.StringIO(out.getvalue())))
    assert rows[0] == ["source", "target", "anchor_text"]
    assert [row[2] for row in rows[1:]] == ["spoke key", "quiet chain"]
    assert rows[1][:2] == [reviewed.source.url, reviewed.target.url]


def test_full_csv_holds_every_column(reviewed: Reviewed) -> None:
    out = io.StringIO()
    csv_file.write_csv(export_rows(reviewed.run, order=csv_file.ORDER), out, is_full=True)
    row = next(csv.DictReader(io.StringIO(out.getvalue())))
    assert tuple(row) == csv_file.FULL_COLUMNS
    assert row["anchor_text"] in row["sentence"]


@pytest.mark.parametrize("text", ["=cmd()", "+1", "-1", "@x"])
def test_cells_that_a_spreadsheet_would_run_are_text(text: str) -> None:
    out = io.StringIO()
    csv_file.write_csv([{"source": "s", "target": "t", "anchor_text": text}], out)
    assert out.getvalue().splitlines()[1] == f"s,t,'{text}"


def test_json_is_one_object_with_the_promised_keys(reviewed: Reviewed) -> None:
    out = io.StringIO()
    json_file.write_json("https://s.test/", export_rows(reviewed.run, order=json_file.ORDER), out)
    data = json.loads(out.getvalue())
    assert (data["format_version"], data["site"]) == (1, "https://s.test/")
    assert [tuple(row) for row in data["recommendations"]] == [json_file.KEYS] * 2
    scores = [row["score"] for row in data["recommendations"]]
    assert scores == sorted(scores, reverse=True)


def test_an_empty_export_is_still_whole(reviewed: Reviewed) -> None:
    out = io.StringIO()
    rows = export_rows(reviewed.run, order=json_file.ORDER, statuses=(Status.APPLIED,))
    assert json_file.write_json("https://s.test/", rows, out) == 0
    assert json.loads(out.getvalue())["recommendations"] == []


def test_rejected_ones_are_left_out_unless_asked_for(reviewed: Reviewed) -> None:
    reviewed.row.status = Status.REJECTED
    reviewed.row.save()
    assert [row["anchor_text"] for row in export_rows(reviewed.run, order=csv_file.ORDER)] == ["quiet chain"]


def _write_and_fail(path: Path) -> None:
    with whole_file(str(path)) as file:
        file.write("half")
        raise RuntimeError("power cut")


def test_what_stood_there_stays_when_writing_fails(tmp_path: Path) -> None:
    path = tmp_path / "links.csv"
    path.write_text("before")
    with pytest.raises(RuntimeError, match="power cut"):
        _write_and_fail(path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", [".", "missing/links.csv"])
def test_a_place_that_cannot_be_written_is_named(name: str, tmp_path: Path) -> None:
    place = str(tmp_path / name)
    with pytest.raises(ExportError, match=place), whole_file(place):
        pass
