"""Recommendations as the API hands them out: the JSON export's keys, one screen at a time, in an order that holds."""

from typing import Any

from recommendations.models import Recommendation, RecommendationRun

_FIELDS = (
    "id", "source__url", "target__url", "anchor_text", "alternatives", "sentence", "context_before", "context_after",
    "block", "block_sha256", "match_index", "score", "rank", "reasons", "status",
)  # fmt: skip


def count_recommendations(run: RecommendationRun | None, statuses: tuple[str, ...]) -> int:
    return Recommendation.objects.filter(run=run, status__in=statuses).count() if run else 0


def list_recommendations(
    run: RecommendationRun | None, statuses: tuple[str, ...], offset: int, count: int
) -> list[dict[str, Any]]:
    """`count` recommendations from `offset` on, best first."""
    if run is None:
        return []
    # Which ones first, from an index alone; then their texts: sorting whole rows is many times slower.
    ranked = Recommendation.objects.filter(run=run, status__in=statuses).order_by("-score", "id")
    ids = list(ranked.values_list("id", flat=True)[offset : offset + count])
    rows = Recommendation.objects.filter(pk__in=ids).order_by("-score", "id").values_list(*_FIELDS)
    return [_as_json(dict(zip(_FIELDS, row, strict=True))) for row in rows]


def _as_json(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": row.pop("id"),
        "source": row.pop("source__url"),
        "target": row.pop("target__url"),
        **row,
        "alternatives": [item["anchor_text"] for item in row["alternatives"]],
    }
