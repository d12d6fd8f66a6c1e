"""CSV: `source,target,anchor_text`, most relevant first; every column with `full`."""

import csv
import json
from collections.abc import Iterable
from typing import Any, TextIO

COLUMNS = ("source", "target", "anchor_text")
FULL_COLUMNS = (
    *COLUMNS, "score", "rank", "status", "sentence", "context_before", "context_after", "block", "block_sha256",
    "match_index", "alternatives", "reasons",
)  # fmt: skip
#: Highest score first; the rest makes equal scores come in one order always.
ORDER = ("-score", "source_id", "rank", "id")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def safe_cell(value: Any) -> Any:
    """Lists as JSON; text that a spreadsheet would run as a formula gets an apostrophe before it."""
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return "'" + value
    return value


def write_csv(rows: Iterable[dict[str, Any]], file: TextIO, *, is_full: bool = False) -> int:
    """Write the rows in the order given; the number of rows written."""
    columns = FULL_COLUMNS if is_full else COLUMNS
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(columns)
    count = 0
    for row in rows:
        writer.writerow([safe_cell(row[column]) for column in columns])
        count += 1
    return count
