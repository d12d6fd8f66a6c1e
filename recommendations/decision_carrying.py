"""Brings decisions into a run's new rows, so that nothing accepted is lost and nothing refused comes back.

Per pair of pages, the strongest decision rules the one row: accepted and applied links (and removed ones) take their
own place and words, whether the engine proposed the pair again or not; a stale one only fills a gap; a refusal hides
what it covers and stays to be looked at and undone. Running it twice changes nothing. Leaves deciding to `decisions`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from django.db import transaction

from crawler.models import Page, PageStatus, Site
from recommendations.models import Decision, Recommendation, RecommendationRun, Status
from recommendations.rejections import Rejections, gather_rejections

PLACEMENT_FIELDS = (
    "anchor_text", "sentence", "sentence_hash", "sentence_start", "anchor_start", "context_before", "context_after",
    "block", "block_sha256", "match_index",
)  # fmt: skip
_CARRIED_FIELDS = (*PLACEMENT_FIELDS, "reasons", "alternatives")
_STRENGTH = {Status.APPLIED: 4, Status.ACCEPTED: 3, Status.REMOVED: 2, Status.STALE: 1, Status.REJECTED: 0}
_CHUNK = 300

Pair = tuple[int, int]


def carry_decisions(run_id: int, *, fence: Callable[[], None] = lambda: None) -> None:
    """Apply every decision of the run's site to the run's rows, in short transactions; `fence` is called inside each.

    Call it outside of any transaction: cut short at any point, it is simply called again.
    """
    run = RecommendationRun.objects.get(pk=run_id)
    last_seen = 0
    # Decisions that were made meanwhile have higher numbers: look again until there are none.
    while found := _decisions_behind(run.site_id, last_seen):
        last_seen = max(pk for _, pk in found)
        for chunk in _chunks_by_source(found):
            with transaction.atomic():
                fence()
                Site.objects.select_for_update().filter(pk=run.site_id).values_list("pk", flat=True).first()
                # Read under the lock: a decision may have been changed or undone since it was listed.
                _carry_chunk(run, list(Decision.objects.filter(pk__in=chunk).order_by("pk")))


def carry_pair(row: Recommendation) -> None:
    """Apply the decisions about one pair to newer runs that have a row for it: one may be in the making."""
    newer = Recommendation.objects.filter(
        site_id=row.site_id, source_id=row.source_id, target_id=row.target_id, run_id__gt=row.run_id
    )
    for other in newer.select_related("run"):
        decisions = Decision.objects.filter(
            site_id=row.site_id, source_url=row.source.url, target_url=row.target.url
        ).order_by("pk")
        _carry_chunk(other.run, list(decisions))


def _decisions_behind(site_id: int, pk: int) -> list[tuple[str, int]]:
    """(source URL, key) of the later decisions. Read at once: an open cursor would stand in the way of the writing."""
    later = Decision.objects.filter(site_id=site_id, pk__gt=pk)
    return list(later.order_by("source_url", "pk").values_list("source_url", "pk"))


def _chunks_by_source(decisions: Iterable[tuple[str, int]]) -> Iterator[list[int]]:
    """Keys of some hundred decisions that never split a source page."""
    chunk: list[int] = []
    for _, of_source in groupby(decisions, key=itemgetter(0)):
        chunk += (pk for _, pk in of_source)
        if len(chunk) >= _CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _carry_chunk(run: RecommendationRun, decisions: Sequence[Decision]) -> None:
    urls = {url for decision in decisions for url in (decision.source_url, decision.target_url)}
    pages = {
        url: (pk, status)
        for pk, url, status in Page.objects.filter(site_id=run.site_id, url__in=urls).values_list("pk", "url", "status")
    }
    by_pair: dict[Pair, list[Decision]] = {}
    for decision in decisions:
        if decision.source_url in pages and decision.target_url in pages:
            pair = pages[decision.source_url][0], pages[decision.target_url][0]
            by_pair.setdefault(pair, []).append(decision)
    gone = {pk for pk, status in pages.values() if status != PageStatus.READ}
    rows = _rows_of(run, by_pair)
    changed, new = [], []
    for pair, of_pair in by_pair.items():
        row, ruling = rows.get(pair), _ruling(of_pair)
        if row is None:
            if ruling.status != Status.REJECTED or not gone.intersection(pair):
                new.append(_row_from(run, pair, ruling))
        elif _apply(row, ruling, _refusals(of_pair)):
            changed.append(row)
    Recommendation.objects.bulk_update(changed, [*_CARRIED_FIELDS, "status"], batch_size=100)
    if new:
        moved = _renumber(run, new)
        Recommendation.objects.bulk_update(moved, ["rank"], batch_size=100)
        Recommendation.objects.bulk_create(new, batch_size=100)


def _rows_of(run: RecommendationRun, pairs: Iterable[Pair]) -> dict[Pair, Recommendation]:
    sources, targets = {source for source, _ in pairs}, {target for _, target in pairs}
    rows = (
        Recommendation.objects.filter(run=run, source_id__in=sources, target_id__in=targets)
        .select_related("source", "target")
        .defer("source__headings", "source__description", "target__headings", "target__description")
    )
    return {(row.source_id, row.target_id): row for row in rows}


def _ruling(of_pair: Sequence[Decision]) -> Decision:
    """The decision that rules the pair's row: the strongest, then the latest."""
    return max(of_pair, key=lambda decision: (_STRENGTH[Status(decision.status)], decision.changed_at, decision.pk))


def _refusals(of_pair: Sequence[Decision]) -> Rejections:
    return gather_rejections(
        (decision.source_url, decision.target_url, decision.anchor_text, decision.sentence_hash, decision.reason)
        for decision in of_pair
        if decision.status == Status.REJECTED
    )


def _apply(row: Recommendation, ruling: Decision, refusals: Rejections) -> bool:
    """Bring the row in line; False when it already is."""
    before = [getattr(row, name) for name in (*_CARRIED_FIELDS, "status")]
    is_same = (row.anchor_text, row.sentence_hash) == (ruling.anchor_text, ruling.sentence_hash)
    if ruling.status in (Status.ACCEPTED, Status.APPLIED, Status.REMOVED):
        if not is_same:
            _take_place(row, ruling)
        row.status = ruling.status
    elif refusals.is_covering(row.source.url, row.target.url, row.anchor_text, row.sentence_hash):
        row.status = Status.REJECTED
    elif ruling.status == Status.STALE and is_same:
        row.status = Status.STALE
    return before != [getattr(row, name) for name in (*_CARRIED_FIELDS, "status")]


def _take_place(row: Recommendation, decision: Decision) -> None:
    for name in _CARRIED_FIELDS:
        setattr(row, name, getattr(decision, name))


def _row_from(run: RecommendationRun, pair: Pair, decision: Decision) -> Recommendation:
    row = Recommendation(
        run=run, site_id=run.site_id, source_id=pair[0], target_id=pair[1], score=decision.score, status=decision.status
    )
    _take_place(row, decision)
    return row


def _renumber(run: RecommendationRun, new: Sequence[Recommendation]) -> list[Recommendation]:
    """Rank the new rows among those of their sources, best score first; return the old rows whose rank changed.

    Exports list a source by rank and promise descending order. Of equal scores the engine's own come first.
    """
    rows: dict[int, list[Recommendation]] = {}
    stored = Recommendation.objects.filter(run=run, source_id__in={row.source_id for row in new})
    for row in (*stored.only("source_id", "score", "rank").order_by("rank", "pk"), *new):
        rows.setdefault(row.source_id, []).append(row)
    moved = []
    for of_source in rows.values():
        for rank, row in enumerate(sorted(of_source, key=lambda row: -row.score), 1):
            if row.pk and row.rank != rank:
                moved.append(row)
            row.rank = rank
    return moved
