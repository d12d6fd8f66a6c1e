"""Recommendations as the plain values that exports and API hand out: streamed whole, or one screen at a time."""

from collections.abc import Generator, Sequence
from typing import Any

from crawler.leases import RunStatus
from recommendations.models import Recommendation, RecommendationRun, Status

_FIELDS = (
    "source__url", "target__url", "anchor_text", "alternatives", "sentence", "context_before", "context_after", "block",
    "block_sha256", "match_index", "score", "rank", "reasons", "status",
)  # fmt: skip
#: What an export holds when nothing else is asked for: whatever nobody refused.
SHOWN_STATUSES = (Status.PENDING, Status.ACCEPTED)


def export_rows(
    run: RecommendationRun, *, order: tuple[str, ...], statuses: tuple[str, ...] = SHOWN_STATUSES
) -> Generator[dict[str, Any], None, None]:
    """The run's recommendations as dicts, streamed in the given order."""
    rows = Recommendation.objects.filter(run=run, status__in=statuses).order_by(*order)
    for values in rows.values_list(*_FIELDS).iterator(chunk_size=2_000):
        yield _as_plain(values)


def count_recommendations(run: RecommendationRun | None, statuses: tuple[str, ...]) -> int:
    return Recommendation.objects.filter(run=run, status__in=statuses).count() if run else 0


def list_recommendations(
    run: RecommendationRun | None, statuses: tuple[str, ...], offset: int, count: int
) -> list[dict[str, Any]]:
    """`count` recommendations from `offset` on, best first, each with its id."""
    if run is None:
        return []
    # Which ones first, from an index alone; then their texts: sorting whole rows is many times slower.
    ranked = Recommendation.objects.filter(run=run, status__in=statuses).order_by("-score", "id")
    ids = list(ranked.values_list("id", flat=True)[offset : offset + count])
    rows = Recommendation.objects.filter(pk__in=ids).order_by("-score", "id").values_list("id", *_FIELDS)
    return [{"id": number} | _as_plain(values) for number, *values in rows]


def find_finished_run(site_id: int, number: int) -> RecommendationRun | None:
    """The site's run of that number, if it is finished and still kept."""
    return RecommendationRun.objects.filter(site_id=site_id, pk=number, status=RunStatus.DONE).first()


def _as_plain(values: Sequence[Any]) -> dict[str, Any]:
    row = dict(zip(_FIELDS, values, strict=True))
    return {
        "source": row.pop("source__url"),
        "target": row.pop("target__url"),
        **row,
        "alternatives": [item["anchor_text"] for item in row["alternatives"]],
    }
