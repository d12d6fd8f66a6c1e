"""Settles, at the end of a crawl, which pages are the site's answer to addresses without a page.

One page that is like that answer may be a page by itself, whose text the site likes to show; several are that answer.
Leaves the likeness to soft_404.
"""

from collections.abc import Callable

from django.db import transaction

from crawler.models import Page, PageStatus
from crawler.page_reasons import ANY_ADDRESS, CANONICAL_ELSEWHERE

_SEVERAL = 2


def settle_not_found_pages(site_id: int, fence: Callable[[], None]) -> None:
    """Pages whose likeness nobody shares become what they would be without it."""
    alike = list(Page.objects.filter(site_id=site_id, status=PageStatus.READ, reason=ANY_ADDRESS)[:_SEVERAL])
    if not alike or len(alike) >= _SEVERAL:
        return
    for page in alike:
        is_elsewhere = page.canonical_url not in ("", page.url)
        page.reason = f"{CANONICAL_ELSEWHERE}: {page.canonical_url}"[:500] if is_elsewhere else ""
        page.is_target = not page.reason
    with transaction.atomic():
        fence()
        Page.objects.bulk_update(alike, ["reason", "is_target"])
