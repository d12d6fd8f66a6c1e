"""What may be decided from where, and the name of a decision. Pure: writes nothing, asks nothing.

Leaves deciding to `decisions`; selectors ask here which buttons to offer.
"""

from recommendations.models import Recommendation, Status, decision_key

# An applied link stands on the page: it changes there, not here.
CAN_ACCEPT = frozenset({Status.PENDING, Status.REJECTED})
CAN_REJECT = frozenset({Status.PENDING, Status.ACCEPTED, Status.REMOVED, Status.STALE})
CAN_UNDO = frozenset({Status.ACCEPTED, Status.REJECTED, Status.REMOVED})


def key_of(row: Recommendation) -> str:
    """The decision key of a suggestion as it stands; source and target are to be loaded."""
    return decision_key(row.source.url, row.target.url, row.anchor_text, row.sentence_hash)
