"""The reasons of pages: "kind: detail", the kind being what people filter and figures count by. Pure."""

NOINDEX = "noindex"
NO_TEXT = "no text"
CANONICAL_ELSEWHERE = "canonical is another page"
SAME_TEXT = "the same text"
LAST_VISIT_FAILED = "last visit failed"
LEADS_BACK = "redirect loop: it leads back to itself"
UNFOLLOWED = "not followed: only nofollow links lead here"
MISSED = "missed in two complete crawls in a row"


def kind_of(reason: str) -> str:
    """The part of a reason that it shares with others of its kind."""
    return reason.partition(":")[0]
