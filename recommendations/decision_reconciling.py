"""What a crawl says about earlier decisions: accepted links found on their page are applied, lost ones removed.

An accepted link whose sentence is gone, or whose target is, becomes stale; one whose paragraph only moved gets its new
place. A page that was not read this time changes nothing. Leaves the rows of new runs to `decision_carrying`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from crawler.extraction.types import Block, blocks_from_json
from crawler.models import Link, Page, PageBody, PageStatus, Site
from recommendations.decision_carrying import PLACEMENT_FIELDS
from recommendations.models import Decision, Recommendation, Status
from recommendations.places import Place, find_place
from recommendations.selectors_runs import is_code_linkable, shown_run

_CHUNK = 200
_FOLLOWED = (Status.ACCEPTED, Status.APPLIED, Status.REMOVED, Status.STALE)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was read last of the pages that a chunk of decisions names."""

    status_of: dict[str, str]
    links: frozenset[tuple[str, str]]  # (source URL, target URL) of editorial links, before and after redirects
    blocks_of: dict[str, list[Block]]
    is_code_linkable: bool


def reconcile_decisions(site_id: int, *, fence: Callable[[], None] = lambda: None) -> dict[str, int]:
    """Bring every followed decision in line with the pages as they were read last; how many became what."""
    site = Site.objects.get(pk=site_id)
    is_code = is_code_linkable(site, shown_run(site_id))
    counts: dict[str, int] = {}
    ids = list(
        Decision.objects.filter(site_id=site_id, status__in=_FOLLOWED)
        .order_by("source_url", "pk")
        .values_list("pk", flat=True)
    )
    for start in range(0, len(ids), _CHUNK):
        with transaction.atomic():
            fence()
            Site.objects.select_for_update().filter(pk=site_id).values_list("pk", flat=True).first()
            decisions = list(Decision.objects.filter(pk__in=ids[start : start + _CHUNK], status__in=_FOLLOWED))
            reading = _read_back(site_id, decisions, is_code)
            for decision in decisions:
                _reconcile(decision, reading, counts)
    return counts


def _read_back(site_id: int, decisions: Sequence[Decision], is_code: bool) -> _Reading:
    sources = {decision.source_url for decision in decisions}
    targets = {decision.target_url for decision in decisions}
    status_of = dict(Page.objects.filter(site_id=site_id, url__in=sources | targets).values_list("url", "status"))
    links = Link.objects.filter(page__site_id=site_id, page__url__in=sources, is_editorial=True)
    found = links.values_list("page__url", "target_url", "target__url")
    bodies = PageBody.objects.filter(page__site_id=site_id, page__url__in=sources)
    return _Reading(
        status_of=status_of,
        links=frozenset((source, url) for source, *urls in found for url in urls if url in targets),
        blocks_of={url: blocks_from_json(blocks) for url, blocks in bodies.values_list("page__url", "blocks")},
        is_code_linkable=is_code,
    )


def _reconcile(decision: Decision, reading: _Reading, counts: dict[str, int]) -> None:
    status, place = _judge(decision, reading)
    if status == decision.status and place is None:
        return
    old_status, old_key_values = decision.status, {name: getattr(decision, name) for name in PLACEMENT_FIELDS}
    placement = {name: getattr(place, name) for name in PLACEMENT_FIELDS if hasattr(place, name)} if place else {}
    changed = Decision.objects.filter(pk=decision.pk, status=old_status).update(
        status=status, changed_at=timezone.now(), **placement
    )
    if not changed:
        return
    if status != old_status:
        counts[status] = counts.get(status, 0) + 1
    # The rows that are on show follow at once; the next run's rows get it from carry_decisions.
    Recommendation.objects.filter(
        site_id=decision.site_id,
        source__url=decision.source_url,
        target__url=decision.target_url,
        anchor_text=old_key_values["anchor_text"],
        sentence_hash=decision.sentence_hash,
        status=old_status,
    ).update(status=status, **placement)


def _judge(decision: Decision, reading: _Reading) -> tuple[str, Place | None]:
    """The status that the pages as read bear out, and the accepted link's new place where its paragraph changed."""
    old = decision.status
    source_status = reading.status_of.get(decision.source_url)
    if source_status == PageStatus.GONE:
        return {Status.ACCEPTED: Status.STALE, Status.APPLIED: Status.REMOVED}.get(Status(old), old), None
    if source_status != PageStatus.READ:
        return old, None
    if (decision.source_url, decision.target_url) in reading.links:
        return Status.APPLIED, None
    if old == Status.APPLIED:
        return Status.REMOVED, None
    if old == Status.REMOVED:
        return old, None
    place = find_place(
        reading.blocks_of.get(decision.source_url, []),
        decision.sentence,
        decision.anchor_text,
        decision.anchor_start,
        decision.block,
        decision.sentence_start,
        reading.is_code_linkable,
    )
    target_status = reading.status_of.get(decision.target_url)
    if place is None or target_status in (PageStatus.GONE, PageStatus.REDIRECT):
        return Status.STALE, None
    is_moved = (place.block, place.block_sha256, place.sentence_start, place.match_index) != (
        decision.block, decision.block_sha256, decision.sentence_start, decision.match_index,
    )  # fmt: skip
    return Status.ACCEPTED, place if is_moved else None
