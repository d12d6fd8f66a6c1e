"""The pages that link to a page, and those that it links to: the lists behind the counts of links.

Read from the links themselves at each call, not stored: they would be as many rows as the site has links. Leaves the
stored lists to `selectors_report_lists`.
"""

from collections import defaultdict
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from crawler.models import Link, Page, PageStatus
from recommendations.models import ReportRow
from recommendations.page_names import page_name
from recommendations.report.sections import CONTENT, INLINKS, MENU

_TEXTS_SHOWN = 3


def linked_pages(site_id: int, key: str, page_id: int | None, place: str, q: str, sort: str) -> QuerySet[Any]:
    """Read pages, those that are linked in content first. A page counts once, however many links there are."""
    if page_id is None:
        return Page.objects.none()
    links = _links(key, page_id)
    other = "page" if key == INLINKS else "target"
    in_content = links.filter(is_editorial=True, **{other: OuterRef("pk")})
    pages = Page.objects.filter(site_id=site_id, status=PageStatus.READ, pk__in=links.values(other)).exclude(pk=page_id)
    pages = pages.annotate(is_in_content=Exists(in_content))
    if place:
        pages = pages.filter(is_in_content=place == CONTENT)
    if q:
        pages = pages.filter(Q(url__icontains=q) | Q(title__icontains=q))
    order = {"page": ("url",), "-page": ("-url",), "-place": ("is_in_content", "url")}
    return pages.only("id", "url", "title", "h1").order_by(*order.get(sort, ("-is_in_content", "url")))


def _links(key: str, page_id: int) -> QuerySet[Link]:
    if key == INLINKS:
        return Link.objects.filter(target_id=page_id).order_by()
    return Link.objects.filter(page_id=page_id, target__isnull=False).order_by()


def rows_of_pages(key: str, page_id: int | None, pages: list[Any]) -> list[ReportRow]:
    """The pages as rows of a list, with the texts of their links."""
    if page_id is None or not pages:
        return []
    other = "page_id" if key == INLINKS else "target_id"
    links = _links(key, page_id).filter(**{f"{other}__in": [page.pk for page in pages]})
    texts: dict[int, dict[str, None]] = defaultdict(dict)
    for number, text in links.order_by("-is_editorial", "page_id", "ordinal").values_list(other, "anchor_text"):
        if text:
            texts[number][text] = None
    return [
        ReportRow(
            section=key,
            place=CONTENT if page.is_in_content else MENU,
            group=page_id,
            cells={
                "page": {"id": page.pk, "url": page.url, "name": page_name(page) if page.title or page.h1 else ""},
                "anchor": " · ".join(list(texts[page.pk])[:_TEXTS_SHOWN]),
            },
        )
        for page in pages
    ]
