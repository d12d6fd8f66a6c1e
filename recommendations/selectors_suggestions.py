"""The suggestions of one page, out of it or into it, or of a whole site, as cards. Leaves the page's text to
`selectors_reading`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page as PaginatorPage
from django.core.paginator import Paginator
from django.db.models import Case, Count, IntegerField, QuerySet, Value, When

from crawler.models import Site
from recommendations.decision_rules import CAN_ACCEPT, CAN_REJECT, CAN_UNDO, key_of
from recommendations.models import Decision, Recommendation, RejectReason, Status

CARDS_SHOWN = 50
_SHOWN_BESIDE = 170  # characters of the sentence on either side of the anchor
HEAVY = tuple(f"{end}__{name}" for end in ("source", "target") for name in ("headings", "hreflang", "description"))
#: What "all" leaves out: refusals are looked at under their own filter.
HIDDEN = (Status.REJECTED,)
#: Which list a card stands in: links out of a page, into it, or all of its site.
DIRECTIONS = ("out", "in", "site")
ORDERS = {"rank": ("rank", "id"), "place": ("block", "sentence_start", "anchor_start", "id"), "score": ("-score", "id")}


@dataclass(frozen=True, slots=True)
class Card:
    """One suggestion with what may be done about it."""

    row: Recommendation
    direction: str  # of DIRECTIONS
    decision: Decision | None

    @property
    def is_incoming(self) -> bool:
        return self.direction == "in"

    @property
    def percent(self) -> int:
        return round(100 * min(max(self.row.score, 0.0), 1.0))

    @property
    def before(self) -> str:
        text = self.row.sentence[: self.row.anchor_start]
        return text if len(text) <= _SHOWN_BESIDE else "… " + text[-_SHOWN_BESIDE:].partition(" ")[2]

    @property
    def after(self) -> str:
        text = self.row.sentence[self.row.anchor_start + len(self.row.anchor_text) :]
        return text if len(text) <= _SHOWN_BESIDE else text[:_SHOWN_BESIDE].rpartition(" ")[0] + " …"

    @property
    def alternatives(self) -> list[str]:
        """The other words that may carry the link: the engine's own first where an editor changed it."""
        proposed = self.decision.proposed_anchor.get("anchor_text") if self.decision else None
        texts = [proposed] if proposed else []
        texts += [str(item["anchor_text"]) for item in self.row.alternatives if isinstance(item, dict)]
        return [text for text in dict.fromkeys(texts) if text and text != self.row.anchor_text]

    @property
    def can_accept(self) -> bool:
        return self.row.status in CAN_ACCEPT

    @property
    def can_reject(self) -> bool:
        """Offered where nobody has decided yet: an accepted one is undone first."""
        return self.row.status in CAN_REJECT - {Status.ACCEPTED}

    @property
    def can_undo(self) -> bool:
        return self.row.status in CAN_UNDO

    @property
    def can_choose_anchor(self) -> bool:
        return self.row.status in CAN_ACCEPT | {Status.ACCEPTED}

    @property
    def is_edited(self) -> bool:
        return bool(self.decision and self.decision.proposed_anchor)

    @property
    def reason_label(self) -> str:
        return RejectReason(self.decision.reason).label if self.decision and self.decision.reason else ""


def find_suggestion(recommendation_id: int, sites: QuerySet[Site]) -> Recommendation | None:
    """One suggestion of these sites with its pages, for a card."""
    rows = Recommendation.objects.filter(pk=recommendation_id, site__in=sites)
    return rows.select_related("source", "target", "site").defer(*HEAVY).first()


def suggestions_of(page_id: int, run_id: int | None, is_incoming: bool, status: str) -> QuerySet[Recommendation]:
    """The suggestions that stand on a page, or lead to it, with the status asked for ("" for all but refused ones)."""
    rows = Recommendation.objects.filter(run_id=run_id, **{"target_id" if is_incoming else "source_id": page_id})
    return rows.filter(status=status) if status else rows.exclude(status__in=HIDDEN)


def suggestions_of_site(run_id: int | None, status: str) -> QuerySet[Recommendation]:
    """Those of one status: read in the order of their scores from an index, however many there are."""
    return Recommendation.objects.filter(run_id=run_id, status=status)


def tally_of_site(run_id: int | None) -> dict[str, int]:
    """{status: count} of all suggestions of a run."""
    counts = Recommendation.objects.filter(run_id=run_id).order_by().values_list("status")
    return dict(counts.annotate(count=Count("*")))


def tally(page_id: int, run_id: int | None) -> dict[bool, dict[str, int]]:
    """{False: {status: count} of suggestions on the page, True: of suggestions that lead to it}. Two queries."""
    of_run = Recommendation.objects.filter(run_id=run_id).order_by()
    return {
        is_incoming: dict(of_run.filter(**{column: page_id}).values_list("status").annotate(count=Count("*")))
        for is_incoming, column in ((False, "source_id"), (True, "target_id"))
    }


def cards_of(
    rows: QuerySet[Recommendation], direction: str, order: str, number: str | int
) -> tuple[list[Card], "PaginatorPage[Recommendation]"]:
    """One screen of cards: three queries, whatever their number."""
    in_order = rows.select_related("source", "target").defer(*HEAVY).order_by(*ORDERS[order])
    shown = Paginator(in_order, CARDS_SHOWN).get_page(number)
    return as_cards(list(shown.object_list), direction), shown


def find_list_number(rows: QuerySet[Recommendation], order: str, recommendation_id: str) -> int | None:
    """On which screen of cards a suggestion stands; None when it is not among them or none is asked for."""
    if not (recommendation_id.isascii() and recommendation_id.isdigit()):
        return None
    ids = list(rows.order_by(*ORDERS[order]).values_list("id", flat=True))
    wanted = int(recommendation_id)
    return ids.index(wanted) // CARDS_SHOWN + 1 if wanted in ids else None


def as_cards(rows: Sequence[Recommendation], direction: str) -> list[Card]:
    """The rows with the decisions about them."""
    decided = [row for row in rows if row.status != Status.PENDING]
    decisions: dict[str, Any] = {}
    keys = [key_of(row) for row in decided]
    if rows:
        found = Decision.objects.filter(site_id=rows[0].site_id, key__in=keys).select_related("decided_by")
        decisions = {decision.key: decision for decision in found}
    return [Card(row, direction, decisions.get(key_of(row)) if row.status != Status.PENDING else None) for row in rows]


def marked_rows(page_id: int, run_id: int | None) -> list[Recommendation]:
    """What is marked in the page's text: pending and accepted ones, best first, light enough for hundreds."""
    strength = Case(When(status=Status.ACCEPTED, then=Value(0)), default=Value(1), output_field=IntegerField())
    return list(
        Recommendation.objects.filter(
            run_id=run_id, source_id=page_id, status__in=(Status.PENDING, Status.ACCEPTED, Status.APPLIED)
        )
        .select_related("target")
        .only(
            "id",
            "status",
            "rank",
            "block",
            "sentence_start",
            "anchor_start",
            "anchor_text",
            "target__title",
            "target__h1",
            "target__url",
        )
        .order_by(strength, "rank", "id")
    )
