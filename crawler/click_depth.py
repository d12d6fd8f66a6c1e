"""Click depth: how few clicks lead from the start page to each page, over every link that a reader can follow.

Runs at the end of a crawl over the stored links, so that a recrawl, which reads pages in another order, agrees.
"""

from collections.abc import Callable

from django.db import transaction

from crawler.models import Link, Page, PageStatus

_CHUNK = 500


def measure_click_depth(site_id: int, start_url: str, fence: Callable[[], None]) -> None:
    """Write Page.depth of the site; None where no chain of links leads."""
    depths = _breadth_first(site_id, start_url)
    changed: dict[int | None, list[int]] = {}
    for page_id, stored in Page.objects.filter(site_id=site_id).values_list("id", "depth").iterator():
        depth = depths.get(page_id)
        if depth != stored:
            changed.setdefault(depth, []).append(page_id)
    for depth, ids in changed.items():
        for start in range(0, len(ids), _CHUNK):
            with transaction.atomic():
                fence()
                Page.objects.filter(id__in=ids[start : start + _CHUNK]).update(depth=depth)


def _breadth_first(site_id: int, start_url: str) -> dict[int, int]:
    """Page id -> depth, from the page at `start_url` or where that leads."""
    start = Page.objects.filter(site_id=site_id, url=start_url).first()
    if start and start.status == PageStatus.REDIRECT:
        start = Page.objects.filter(site_id=site_id, url=start.redirect_url).first()
    if start is None or start.status != PageStatus.READ:
        return {}
    depths = {start.id: 0}
    level = [start.id]
    while level:
        following: list[int] = []
        for begin in range(0, len(level), _CHUNK):
            links = Link.objects.filter(page_id__in=level[begin : begin + _CHUNK], target__isnull=False)
            for target_id in links.values_list("target_id", flat=True).distinct():
                if target_id not in depths:
                    depths[target_id] = depths[level[begin]] + 1
                    following.append(target_id)
        level = following
    return depths
