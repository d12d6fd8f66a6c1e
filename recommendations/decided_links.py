"""What editors decided, as examples that the engine learns from. Reads only.

Leaves what is never proposed again to `rejections`, and learning to the engine.
"""

from collections.abc import Mapping

from recommendations.engine.preferences import MOST_DECISIONS, DecidedLink
from recommendations.models import Decision, RejectReason, Status

#: How much a reject reason says against the target: words and places can be wrong for a target that is right.
TARGET_BLAME = {
    RejectReason.IRRELEVANT_TARGET: 1.0,
    RejectReason.WRONG_MEANING: 1.0,
    RejectReason.ALREADY_COVERED: 0.5,
    RejectReason.OTHER: 0.7,
    RejectReason.BAD_ANCHOR: 0.0,
    RejectReason.WRONG_PLACE: 0.0,
}
_ACCEPTED = (Status.ACCEPTED, Status.APPLIED)


def decided_links(site_id: int, positions: Mapping[str, int]) -> list[DecidedLink]:
    """The newest decisions between pages that were read. positions: normalized URL -> position of the page."""
    rows = (
        Decision.objects.filter(site_id=site_id, status__in=(*_ACCEPTED, Status.REJECTED))
        .order_by("-changed_at", "-id")
        .values_list("source_url", "target_url", "status", "reason")[:MOST_DECISIONS]
    )
    return [
        DecidedLink(
            source=positions[source],
            target=positions[target],
            is_accepted=status in _ACCEPTED,
            worth=1.0 if status in _ACCEPTED else TARGET_BLAME[RejectReason(reason or "other")],
        )
        for source, target, status, reason in rows
        if source in positions and target in positions
    ]
