"""Settles, at the end of a crawl, where each link really leads: behind redirects, duplicates and rel=canonical.

`Link.target` is the page that a reader ends on, if it was read; empty otherwise. Works set by set in the database,
since a site has a hundred links for every page. Leaves the depth of pages to click_depth.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable

from django.db import transaction
from django.db.models import BigIntegerField, Case, Exists, F, OuterRef, Q, Subquery, Value, When
from django.utils import timezone

from crawler.models import Link, Page, PageStatus
from crawler.page_history import write_events
from crawler.page_reasons import CANONICAL_ELSEWHERE, LEADS_BACK

Fence = Callable[[], None]
_CHUNK = 500
#: Three values a pair, and an SQLite built with its old default takes 999 in a statement.
_CHUNK_OF_PAIRS = 300
_PAGES_AT_ONCE = 1_000
_UNREADABLE = (PageStatus.GONE, PageStatus.FAILED, PageStatus.SKIPPED)


def resolve_links(site_id: int, crawl_id: int, fence: Fence) -> None:
    """Bring the ends of redirects, the targets among pages and Link.target of the site up to date."""
    redirects = _settle_redirects(site_id, crawl_id, fence)
    canonicals = _settle_canonicals(site_id, redirects, fence)
    _point_direct_links(site_id, fence)
    _point_redirected_links(site_id, redirects, fence)
    _point_canonical_links(site_id, canonicals, fence)


def end_of(url: str, forwards: dict[str, str]) -> str:
    """Where following ends; "" where it goes in a circle."""
    seen = {url}
    while following := forwards.get(url):
        if following in seen:
            return ""
        seen.add(following)
        url = following
    return url


def _chunks(ids: list[int], size: int = _CHUNK) -> Iterable[list[int]]:
    return (ids[start : start + size] for start in range(0, len(ids), size))


def _settle_redirects(site_id: int, crawl_id: int, fence: Fence) -> dict[str, str]:
    """Write the end of each chain of redirects; one without an end is a failure. Returns URL -> end."""
    leads = Q(status=PageStatus.REDIRECT) | Q(status=PageStatus.FAILED, reason=LEADS_BACK)
    pages = Page.objects.filter(leads, site_id=site_id)
    forwards = dict(pages.values_list("url", "redirect_url").iterator())
    ends = {url: end_of(url, forwards) for url in forwards}
    changed, events, now = [], [], timezone.now()
    for page in pages.only("id", "url", "redirect_url", "status", "reason", "http_status").iterator():
        end = ends[page.url]
        is_loop = page.status == PageStatus.FAILED
        if (end and not is_loop and end == page.redirect_url) or (not end and is_loop):
            continue
        if not end:
            page.status, page.reason = PageStatus.FAILED, LEADS_BACK
        elif is_loop:
            page.status, page.reason = PageStatus.REDIRECT, f"redirects: to {page.redirect_url}"[:500]
        page.redirect_url = end or page.redirect_url
        changed.append(page)
        if is_loop or not end:
            events.append((page.pk, crawl_id, now, page.status, page.reason, page.http_status))
    with transaction.atomic():
        fence()
        Page.objects.bulk_update(changed, ["redirect_url", "status", "reason"], batch_size=150)
        write_events(events)
    return {url: end for url, end in ends.items() if end}


def _settle_canonicals(site_id: int, redirects: dict[str, str], fence: Fence) -> dict[int, int]:
    """Id of a page -> id of its canonical page, which was read.

    A page whose canonical leads back to itself or cannot be read becomes a target after all.
    """
    pages = Page.objects.filter(site_id=site_id, status=PageStatus.READ, reason__startswith=CANONICAL_ELSEWHERE)
    rows = pages.values_list("id", "url", "canonical_url").iterator()
    claims = {url: (page_id, canonical) for page_id, url, canonical in rows}
    forwards = redirects | {url: canonical for url, (_, canonical) in claims.items()}
    ends = {url: end_of(canonical, forwards) for url, (_, canonical) in claims.items()}
    known = _ids_and_statuses(site_id, sorted({end for end in ends.values() if end}))
    unmet: list[int] = []
    met: dict[int, int] = {}
    for url, (page_id, _) in claims.items():
        end = ends[url]
        end_id, status = known.get(end, (0, ""))
        if end in ("", url) or status in _UNREADABLE:
            unmet.append(page_id)
        elif status == PageStatus.READ:
            met[page_id] = end_id
    for chunk in _chunks(unmet):
        with transaction.atomic():
            fence()
            Page.objects.filter(id__in=chunk, word_count__gt=0).update(is_target=True, reason="")
    return met


def _ids_and_statuses(site_id: int, urls: list[str]) -> dict[str, tuple[int, str]]:
    found: dict[str, tuple[int, str]] = {}
    for start in range(0, len(urls), _CHUNK):
        rows = Page.objects.filter(site_id=site_id, url__in=urls[start : start + _CHUNK])
        found |= {url: (page_id, status) for url, page_id, status in rows.values_list("url", "id", "status")}
    return found


def _point_direct_links(site_id: int, fence: Fence) -> None:
    """Links whose URL is a read page's own; all others lose what they pointed to."""
    own = Page.objects.filter(site_id=site_id, url=OuterRef("target_url"), status=PageStatus.READ)
    is_right = Exists(own.filter(id=OuterRef("target_id")))
    sources = list(
        Page.objects.filter(site_id=site_id, status=PageStatus.READ).order_by("id").values_list("id", flat=True)
    )
    for start in range(0, len(sources), _PAGES_AT_ONCE):
        first, last = sources[start], sources[min(start + _PAGES_AT_ONCE, len(sources)) - 1]
        wrong = Link.objects.filter(
            Q(target__isnull=False) | Exists(own), ~is_right, page__id__range=(first, last), page__site_id=site_id
        )
        with transaction.atomic():
            fence()
            wrong.update(target=Subquery(own.values("id")[:1]))


def _point_redirected_links(site_id: int, redirects: dict[str, str], fence: Fence) -> None:
    """Links to a redirect or a duplicate point to the page at its end."""
    ends = _ids_and_statuses(site_id, sorted(set(redirects.values())))
    final = {url: ends[end][0] for url, end in redirects.items() if ends.get(end, (0, ""))[1] == PageStatus.READ}
    groups: dict[int, list[int]] = defaultdict(list)
    waiting = Link.objects.filter(page__site_id=site_id, target__isnull=True).values_list("id", "target_url")
    for link_id, target_url in waiting.iterator():
        if target_url in final:
            groups[final[target_url]].append(link_id)
    for page_id, link_ids in groups.items():
        for chunk in _chunks(link_ids):
            with transaction.atomic():
                fence()
                Link.objects.filter(id__in=chunk).update(target_id=page_id)


def _point_canonical_links(site_id: int, canonicals: dict[int, int], fence: Fence) -> None:
    """Links to a page that names another as its canonical point to that one."""
    for chunk in _chunks(sorted(canonicals), _CHUNK_OF_PAIRS):
        whens = [When(target_id=page_id, then=Value(canonicals[page_id])) for page_id in chunk]
        with transaction.atomic():
            fence()
            Link.objects.filter(target_id__in=chunk).update(
                target_id=Case(*whens, default=F("target_id"), output_field=BigIntegerField())
            )
