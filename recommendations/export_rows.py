"""One recommendation as the plain values that every export and the API hand out. Reads rows, writes none."""

from collections.abc import Iterator
from typing import Any

from recommendations.models import Recommendation, RecommendationRun, Status

FORMAT_VERSION = 1
_FIELDS = (
    "source__url", "target__url", "anchor_text", "alternatives", "sentence", "context_before", "context_after", "block",
    "block_sha256", "match_index", "score", "rank", "reasons", "status",
)  # fmt: skip
#: What an export holds when nothing else is asked for: whatever nobody refused.
SHOWN_STATUSES = (Status.PENDING, Status.ACCEPTED)


def export_rows(
    run: RecommendationRun, *, order: tuple[str, ...], statuses: tuple[str, ...] = SHOWN_STATUSES
) -> Iterator[dict[str, Any]]:
    """The run's recommendations as dicts, streamed in the given order."""
    rows = (
        Recommendation.objects.filter(run=run, status__in=statuses)
        .order_by(*order)
        .values_list(*_FIELDS)
        .iterator(chunk_size=2_000)
    )
    for values in rows:
        row = dict(zip(_FIELDS, values, strict=True))
        yield {
            "source": row.pop("source__url"),
            "target": row.pop("target__url"),
            **{**row, "alternatives": [item["anchor_text"] for item in row["alternatives"]]},
        }
