"""The reasons of pages: "kind: detail", the kind being what people filter and figures count by. Pure."""

NOINDEX = "noindex"
NO_TEXT = "no text"
CANONICAL_ELSEWHERE = "canonical is another page"
NOT_FOUND_PAGE = "says that the page was not found"
ANY_ADDRESS = f"{NOT_FOUND_PAGE}: as the site says of any address without a page"
SAME_TEXT = "the same text"
LAST_VISIT_FAILED = "last visit failed"
LEADS_BACK = "redirect loop: it leads back to itself"
UNFOLLOWED = "not followed: only nofollow links lead here"
MISSED = "missed in two complete crawls in a row"


def kind_of(reason: str) -> str:
    """The part of a reason that it shares with others of its kind."""
    return reason.partition(":")[0]
