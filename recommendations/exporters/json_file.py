"""JSON: {"format_version": 1, "site": …, "recommendations": […]}, written row by row so that size does not matter."""

import json
from collections.abc import Iterable
from typing import Any, TextIO

FORMAT_VERSION = 1
#: Per source in descending order.
ORDER = ("source_id", "rank", "id")
KEYS = (
    "source", "target", "anchor_text", "alternatives", "sentence", "context_before", "context_after", "block",
    "block_sha256", "match_index", "score", "rank", "reasons",
)  # fmt: skip


def write_json(site_url: str, rows: Iterable[dict[str, Any]], file: TextIO) -> int:
    """Write the object; the number of recommendations written."""
    file.write(f'{{"format_version": {FORMAT_VERSION}, "site": {json.dumps(site_url)}, "recommendations": [')
    count = 0
    for row in rows:
        file.write(",\n" if count else "\n")
        json.dump({key: row[key] for key in KEYS}, file, ensure_ascii=False)
        count += 1
    file.write("\n]}\n")
    return count
