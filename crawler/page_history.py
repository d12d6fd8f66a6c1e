"""A URL's history: an event whenever a visit changes what is known of it, in the transaction of that visit.

A visit that finds everything as it was writes nothing. Leaves the lookup to whoever shows it.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from crawler.bulk_rows import insert_rows
from crawler.models import Page, PageEvent, PageStatus
from crawler.page_reasons import CANONICAL_ELSEWHERE, LAST_VISIT_FAILED, kind_of
from crawler.raw_content import is_of_this_version

TEXT_CHANGED = "its text or links changed"

_FIELDS = ("page", "crawl", "at", "status", "reason", "http_status")
EventRow = tuple[int, int, datetime, str, str, int | None]


class Known(NamedTuple):
    """What is known of a URL, as far as its history tells it."""

    status: str
    reason: str
    http_class: int
    target: str
    content_sha256: str


def known_of(page: Page) -> Known:
    """What is known of the page now."""
    reason = page.reason
    target = ""
    if page.status == PageStatus.READ:
        target = page.canonical_url
        # Whether the declared page can be read is settled at the end of each crawl; declared it stays.
        if reason.startswith(CANONICAL_ELSEWHERE):
            reason = ""
        elif not reason.startswith(LAST_VISIT_FAILED):
            reason = kind_of(reason)
    elif page.status == PageStatus.SKIPPED:
        reason, target = kind_of(reason), page.redirect_url
    elif page.status != PageStatus.REDIRECT:
        reason = kind_of(reason)
    # A text that another version of the extraction reads otherwise has not changed on the site.
    sha256 = page.content_sha256 if is_of_this_version(page.source_sha256) or not page.source_sha256 else ""
    return Known(page.status, reason, (page.http_status or 0) // 100, target, sha256)


def event_row(page: Page, before: Known, crawl_id: int, at: datetime) -> EventRow | None:
    """The event that a visit is worth; None where it changed nothing, or where its loss is still to be settled."""
    after = known_of(page)
    if page.pending_status or after == before:
        return None
    reason = page.reason
    is_only_text = after._replace(content_sha256="") == before._replace(content_sha256="")
    if is_only_text:
        if not before.content_sha256 or not after.content_sha256:
            return None
        reason = reason or TEXT_CHANGED
    return page.pk, crawl_id, at, page.status, reason, page.http_status


def write_events(rows: Iterable[EventRow]) -> None:
    """Call inside the transaction of the rows that they tell of."""
    insert_rows(PageEvent, _FIELDS, rows)
