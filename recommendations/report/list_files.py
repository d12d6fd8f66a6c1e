"""A list of the report as CSV or JSON, written row by row so that its size does not matter."""

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any

from recommendations.exporters.csv_file import safe_cell

_BATCH = 500


class _Line:
    """What a csv.writer writes to: keeps the line that it was given last."""

    def write(self, text: str) -> int:
        self.text = text
        return len(text)


def csv_lines(columns: list[str], rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The file in pieces of some hundred lines; cells that a spreadsheet would run as formulas are made harmless."""
    line = _Line()
    writer = csv.writer(line, lineterminator="\r\n")
    writer.writerow(columns)
    lines = [line.text]
    for row in rows:
        writer.writerow([_plain(row[column]) for column in columns])
        lines.append(line.text)
        if len(lines) >= _BATCH:
            yield "".join(lines)
            lines = []
    yield "".join(lines)


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else safe_cell(value)


def json_lines(head: dict[str, Any], rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """One object: what `head` holds, then "rows"."""
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "rows": ['
    separator = "\n"
    for row in rows:
        yield separator + json.dumps(row, ensure_ascii=False)
        separator = ",\n"
    yield "\n]}\n"
