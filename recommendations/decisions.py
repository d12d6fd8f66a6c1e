"""What a person decides about one suggestion: accept, reject, choose other words, undo.

Every change is one UPDATE that names the status the person saw, so of two people who decide at once the second is told
and overwrites nothing. Leaves what outlives a run to `decision_carrying`, and what a crawl finds out to
`decision_reconciling`; both are reached from here.
"""

from typing import Any

from django.db import transaction

from crawler.models import Site
from recommendations.decision_carrying import PLACEMENT_FIELDS, carry_decisions, carry_pair
from recommendations.decision_reconciling import reconcile_decisions
from recommendations.decision_rules import CAN_ACCEPT, CAN_REJECT, CAN_UNDO, key_of
from recommendations.errors import DecisionConflict, DecisionRefused
from recommendations.linkable_text import is_span_free
from recommendations.models import Decision, Recommendation, RejectReason, Status
from recommendations.places import Place, choose_words, find_place, why_not_linkable
from recommendations.rejections import Rejections, blocked_pairs, covering_rejections, rejections
from recommendations.selectors_reading import blocks_of
from recommendations.selectors_runs import is_code_linkable

__all__ = [
    "Rejections", "accept", "blocked_pairs", "carry_decisions", "choose_anchor", "decide", "reconcile_decisions",
    "reject", "rejections", "undo_decision",
]  # fmt: skip


def decide(
    recommendation_id: int, action: str, *, user: Any, expected_status: str, reason: str = "", words: str = ""
) -> Recommendation:
    """Do what a form names: "accept", "reject", "anchor" (with words) or "undo"."""
    if action == "accept":
        return accept(recommendation_id, user=user, expected_status=expected_status)
    if action == "reject":
        return reject(recommendation_id, user=user, expected_status=expected_status, reason=reason)
    if action == "anchor":
        return choose_anchor(recommendation_id, words, user=user, expected_status=expected_status)
    if action == "undo":
        return undo_decision(recommendation_id, user=user, expected_status=expected_status)
    raise DecisionRefused(f"There is no action {action!r}. Use accept, reject, anchor or undo.")


def accept(recommendation_id: int, *, user: Any, expected_status: str) -> Recommendation:
    """Accept the link as it is suggested. Raises DecisionConflict, DecisionRefused."""
    with transaction.atomic():
        row = _locked(recommendation_id)
        if row.status == Status.ACCEPTED:
            return row
        _expect(row, expected_status, CAN_ACCEPT, "accepted")
        _place_row(row, _standing_place(row))
        _change(row, expected_status, Status.ACCEPTED)
        _store_decision(row, user)
    return row


def reject(recommendation_id: int, *, user: Any, expected_status: str, reason: str) -> Recommendation:
    """Reject the link; the reason says what is never suggested again (see `rejections`)."""
    if reason not in RejectReason.values:
        raise DecisionRefused(f"{reason!r} is no reason for a rejection. Choose one of the list.")
    with transaction.atomic():
        row = _locked(recommendation_id)
        _expect(row, expected_status, CAN_REJECT, "rejected")
        _change(row, expected_status, Status.REJECTED)
        _store_decision(row, user, reason)
    return row


def choose_anchor(recommendation_id: int, words: str, *, user: Any, expected_status: str) -> Recommendation:
    """Accept the link on other words of the same sentence."""
    with transaction.atomic():
        row = _locked(recommendation_id)
        _expect(row, expected_status, CAN_ACCEPT | {Status.ACCEPTED}, "changed")
        old_key = key_of(row)
        old = Decision.objects.filter(site_id=row.site_id, key=old_key, status=Status.ACCEPTED).first()
        proposed = (old.proposed_anchor if old else {}) or {
            "anchor_text": row.anchor_text, "anchor_start": row.anchor_start,
        }  # fmt: skip
        _place_row(row, _first_free_place(row, words))
        _change(row, expected_status, Status.ACCEPTED)
        if key_of(row) != old_key:
            Decision.objects.filter(site_id=row.site_id, key=old_key, status=Status.ACCEPTED).delete()
        is_own = (proposed["anchor_text"], proposed["anchor_start"]) == (row.anchor_text, row.anchor_start)
        _store_decision(row, user, proposed={} if is_own else proposed)
    return row


def undo_decision(recommendation_id: int, *, user: Any, expected_status: str) -> Recommendation:
    """Make the suggestion pending again, on the engine's own words; the decisions that covered it are forgotten."""
    with transaction.atomic():
        row = _locked(recommendation_id)
        if row.status == Status.PENDING:
            return row
        _expect(row, expected_status, CAN_UNDO, "undone")
        own = Decision.objects.filter(site_id=row.site_id, key=key_of(row)).first()
        _change(row, expected_status, Status.PENDING)
        covering_rejections(row).delete()
        if own:
            own.delete()
            if own.proposed_anchor:
                _restore_anchor(row, own.proposed_anchor)
        newer = Recommendation.objects.filter(
            site_id=row.site_id, source_id=row.source_id, target_id=row.target_id, run_id__gt=row.run_id
        )
        newer.update(status=Status.PENDING)
    return row


def _locked(recommendation_id: int) -> Recommendation:
    """The row, with the site locked: carrying decisions into a new run and deciding must not cross."""
    site_id = Recommendation.objects.filter(pk=recommendation_id).values_list("site_id", flat=True).first()
    if site_id is not None:
        Site.objects.select_for_update().filter(pk=site_id).values_list("pk", flat=True).first()
    row = Recommendation.objects.select_related("source", "target", "site", "run").filter(pk=recommendation_id).first()
    if row is None:
        raise DecisionConflict("This suggestion is no longer there: a newer run replaced it. Reload the page.")
    return row


def _expect(row: Recommendation, expected: str, allowed: frozenset[Status], verb: str) -> None:
    if row.status != expected:
        raise DecisionConflict(_who_was_faster(row))
    if row.status not in allowed:
        raise DecisionRefused(f"A suggestion that is {row.get_status_display()} cannot be {verb}.")


def _who_was_faster(row: Recommendation) -> str:
    own = Decision.objects.select_related("decided_by").filter(site_id=row.site_id, key=key_of(row)).first()
    by = f" by {own.decided_by}" if own and own.decided_by else ""
    return f"This suggestion is {row.get_status_display()} now{by}, so your decision was not saved. Look at it again."


def _change(row: Recommendation, expected: str, status: Status) -> None:
    """The one UPDATE that decides between two people; also writes the placement that `row` holds."""
    values = {name: getattr(row, name) for name in PLACEMENT_FIELDS}
    if not Recommendation.objects.filter(pk=row.pk, status=expected).update(status=status, **values):
        raise DecisionConflict(_who_was_faster(_locked(row.pk)))
    row.status = status


def _standing_place(row: Recommendation, anchor_text: str = "", anchor_start: int = 0) -> Place:
    """Where the suggested (or the given) words stand on the page as it was read last. Raises DecisionRefused."""
    text, start = (anchor_text, anchor_start) if anchor_text else (row.anchor_text, row.anchor_start)
    blocks, code = blocks_of(row.source_id), is_code_linkable(row.site, row.run)
    place = find_place(blocks, row.sentence, text, start, row.block, row.sentence_start, code)
    if place is None:
        block = blocks[row.block] if row.block < len(blocks) else None
        at = row.sentence_start + start
        if block and block.text[row.sentence_start :].startswith(row.sentence):
            raise DecisionRefused(why_not_linkable(block, (at, at + len(text)), code))
        raise DecisionRefused("The page's text has changed since this was suggested. Crawl the site again.")
    taken = Recommendation.objects.filter(
        run_id=row.run_id, source_id=row.source_id, block=place.block, status=Status.ACCEPTED
    ).exclude(pk=row.pk)
    for other in taken.select_related("target"):
        other_start = other.sentence_start + other.anchor_start
        if not is_span_free(place.span, [(other_start, other_start + len(other.anchor_text))]):
            raise DecisionRefused(
                f"“{text}” overlaps “{other.anchor_text}”, accepted here as a link to {other.target.url}. "
                "Choose other words, or undo that one."
            )
    return place


def _first_free_place(row: Recommendation, words: str) -> Place:
    """Where words that an editor typed may stand: of several occurrences the nearest that is free."""
    refusals = []
    for start, text in choose_words(row.sentence, words, row.anchor_start):
        try:
            return _standing_place(row, text, start)
        except DecisionRefused as refusal:
            refusals.append(refusal)
    raise refusals[0]


def _place_row(row: Recommendation, place: Place) -> None:
    for name in PLACEMENT_FIELDS:
        if hasattr(place, name):
            setattr(row, name, getattr(place, name))


def _restore_anchor(row: Recommendation, proposed: dict[str, Any]) -> None:
    """The engine's own words again; where they cannot stand any more, accepting them will say so."""
    text, start = proposed["anchor_text"], proposed["anchor_start"]
    row.anchor_text, row.anchor_start = text, start
    code = is_code_linkable(row.site, row.run)
    place = find_place(blocks_of(row.source_id), row.sentence, text, start, row.block, row.sentence_start, code)
    if place:
        _place_row(row, place)
    row.save(update_fields=PLACEMENT_FIELDS)


def _store_decision(row: Recommendation, user: Any, reason: str = "", proposed: dict[str, Any] | None = None) -> None:
    """Keep the decision for later runs, and for one that is being written now."""
    values = {name: getattr(row, name) for name in (*PLACEMENT_FIELDS, "score", "reasons", "alternatives", "status")}
    values |= {"source_url": row.source.url, "target_url": row.target.url, "reason": reason, "decided_by": user}
    if proposed is not None:
        values["proposed_anchor"] = proposed
    decision, _ = Decision.objects.update_or_create(site_id=row.site_id, key=key_of(row), defaults=values)
    if row.status == Status.ACCEPTED:
        covering_rejections(row).delete()
    # One link a pair: what was accepted for it before is replaced; rejections stay, they bar other words and places.
    Decision.objects.filter(site_id=row.site_id, source_url=row.source.url, target_url=row.target.url).exclude(
        pk=decision.pk
    ).exclude(status__in=(Status.REJECTED, Status.APPLIED)).delete()
    carry_pair(row)
