"""The pages of a site: searched, filtered, sorted, counted. Leaves one page's text to `selectors_reading`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page as PaginatorPage
from django.core.paginator import Paginator
from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from crawler.models import Link, Page, PageStatus
from recommendations.models import Recommendation, Status
from recommendations.selectors_sites import linked_sites, links_to_page, orphan_condition

PAGES_SHOWN = 50
SORTS = {
    "waiting": ("-waiting_count", "id"),
    "inlinks": ("inlink_count", "id"),
    "title": ("title", "id"),
    "url": ("url",),
    "depth": (F("depth").asc(nulls_last=True), "id"),
    "words": ("-word_count", "id"),
}
#: What may be asked about the links that lead to a page.
ORPHANS = {
    "1": "orphan pages",
    "menus": "orphans that menus link to",
    "alone": "orphans without any link",
    "reached": "orphans with a suggested link",
    "left": "orphans without a suggested link",
    "unaccepted": "orphans without an accepted link",
    "unreachable": "no click from the start leads there",
}


@dataclass(frozen=True, slots=True)
class PageFilter:
    """What the page list is asked for; everything is kept in the address, so that it can be sent to a colleague."""

    q: str = ""
    status: str = PageStatus.READ
    suggestions: str = ""
    language: str = ""
    orphan: str = ""  # a key of ORPHANS
    reason: str = ""  # the kind of reason that a crawl's figures count by, such as "robots.txt"
    is_important: bool = False
    sort: str = "waiting"

    def query(self, **changes: Any) -> str:
        """The query string of this filter with some changes; what is the default is left out."""
        changed = replace(self, **changes)
        values = {
            "q": changed.q,
            "status": changed.status if changed.status != PageStatus.READ else "",
            "suggestions": changed.suggestions,
            "language": changed.language,
            "orphan": changed.orphan,
            "reason": changed.reason,
            "important": "1" if changed.is_important else "",
            "sort": changed.sort if changed.sort != "waiting" else "",
        }
        return urlencode({name: value for name, value in values.items() if value})

    @property
    def is_of_text(self) -> bool:
        """Whether the pages listed have text, and so links and suggestions."""
        return self.status in (PageStatus.READ, "all")

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q or self.suggestions or self.language or self.orphan or self.reason or self.is_important)


@dataclass(slots=True)
class PageRow:
    """A page in the list with what stands beside its title."""

    page: Page
    suggestions: dict[str, int]
    incoming: int = 0
    inlinks: int | None = None  # None: not known before a crawl was finished
    outlinks: int | None = None
    is_orphan: bool = False

    @property
    def waiting(self) -> int:
        return self.suggestions.get(Status.PENDING, 0)

    @property
    def accepted(self) -> int:
        return self.suggestions.get(Status.ACCEPTED, 0)


def filter_pages(site_id: int, run_id: int | None, wanted: PageFilter) -> QuerySet[Page]:
    """The pages that the filter leaves, unsorted."""
    pages = Page.objects.filter(site_id=site_id)
    if wanted.status != "all":
        pages = pages.filter(status=wanted.status)
    if wanted.q:
        pages = pages.filter(Q(title__icontains=wanted.q) | Q(url__icontains=wanted.q))
    if wanted.language:
        pages = pages.filter(language=wanted.language)
    if wanted.reason:
        pages = pages.filter(Q(reason=wanted.reason) | Q(reason__startswith=f"{wanted.reason}:"))
    if wanted.is_important:
        pages = pages.filter(is_important=True)
    if wanted.orphan:
        pages = _orphans_among(pages, run_id, wanted.orphan) if linked_sites([site_id]) else pages.none()
    if wanted.suggestions:
        rows = Recommendation.objects.filter(run_id=run_id, source=OuterRef("pk"))
        if wanted.suggestions in Status.values:
            rows = rows.filter(status=wanted.suggestions)
        pages = pages.filter(~Exists(rows) if wanted.suggestions == "none" else Exists(rows))
    return pages


def _orphans_among(pages: QuerySet[Page], run_id: int | None, kind: str) -> QuerySet[Page]:
    """Those that the report counts under this name; see ORPHANS."""
    if kind == "unreachable":
        return pages.filter(status=PageStatus.READ, is_target=True, depth=None)
    orphans = pages.filter(orphan_condition())
    suggested = Recommendation.objects.filter(run_id=run_id, target=OuterRef("pk"))
    accepted = Exists(suggested.filter(status=Status.ACCEPTED))
    either = Exists(suggested.filter(status__in=(Status.ACCEPTED, Status.PENDING)))
    conditions = {
        "menus": links_to_page(),
        "alone": ~links_to_page(),
        "reached": either,
        "left": ~either,
        "unaccepted": ~accepted,
    }
    return orphans.filter(conditions[kind]) if kind in conditions else orphans


def list_pages(
    site_id: int, run_id: int | None, wanted: PageFilter, number: str | int
) -> tuple[list[PageRow], "PaginatorPage[Page]"]:
    """One screen of the list: its rows and the paginator's page."""
    pages = filter_pages(site_id, run_id, wanted)
    if wanted.sort == "waiting":
        waiting = Recommendation.objects.filter(run_id=run_id, source=OuterRef("pk"), status=Status.PENDING)
        pages = pages.annotate(waiting_count=_count_of(waiting, "source"))
    elif wanted.sort == "inlinks":
        inlinks = Link.objects.filter(target=OuterRef("pk"), is_editorial=True).exclude(page=OuterRef("pk"))
        pages = pages.annotate(inlink_count=_count_of(inlinks, "target"))
    pages = pages.defer("headings", "hreflang", "description").order_by(*SORTS[wanted.sort])
    shown = Paginator(pages, PAGES_SHOWN).get_page(number)
    return _rows_of(list(shown.object_list), run_id, bool(linked_sites([site_id]))), shown


def _count_of(rows: QuerySet[Any], group: str) -> Coalesce:
    counted = rows.order_by().values(group).annotate(count=Count("*")).values("count")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _rows_of(pages: Sequence[Page], run_id: int | None, is_linked: bool) -> list[PageRow]:
    """Counts for the pages of one screen alone, so that the list stays fast on large sites."""
    rows = {page.pk: PageRow(page, {}) for page in pages}
    of_run = Recommendation.objects.filter(run_id=run_id).order_by()
    outgoing = of_run.filter(source_id__in=rows).values_list("source_id", "status").annotate(count=Count("*"))
    for page_id, status, count in outgoing:
        rows[page_id].suggestions[status] = count
    incoming = (
        of_run.filter(target_id__in=rows, status=Status.PENDING).values_list("target_id").annotate(count=Count("*"))
    )
    for page_id, count in incoming:
        rows[page_id].incoming = count
    if is_linked:
        _add_links(rows)
    return list(rows.values())


def _add_links(rows: dict[int, PageRow]) -> None:
    for row in rows.values():
        row.inlinks = row.outlinks = 0
    editorial = Link.objects.filter(is_editorial=True).order_by()
    inlinks = editorial.filter(target_id__in=rows).exclude(page_id=F("target_id"))
    for page_id, count in inlinks.values_list("target_id").annotate(Count("page_id", distinct=True)):
        rows[page_id].inlinks = count
    outlinks = editorial.filter(page_id__in=rows, target__isnull=False).exclude(page_id=F("target_id"))
    for page_id, count in outlinks.values_list("page_id").annotate(Count("target_id", distinct=True)):
        rows[page_id].outlinks = count
    for page_id in Page.objects.filter(orphan_condition(), pk__in=rows).values_list("pk", flat=True):
        rows[page_id].is_orphan = True


def link_counts(page: Page) -> dict[str, int]:
    """Pages that link here and pages linked to, from content and from menus."""
    others = Link.objects.filter(target=page).exclude(page=page)
    figures = others.aggregate(
        from_content=Count("page_id", distinct=True, filter=Q(is_editorial=True)),
        from_anywhere=Count("page_id", distinct=True),
    )
    outgoing = Link.objects.filter(page=page, is_editorial=True, target__isnull=False).exclude(target=page)
    figures["to_pages"] = outgoing.aggregate(count=Count("target_id", distinct=True))["count"]
    figures["from_menus"] = figures["from_anywhere"] - figures["from_content"]
    return figures


def languages_of(site_id: int) -> list[tuple[str, int]]:
    """(language, pages read in it), most frequent first."""
    read = Page.objects.filter(site_id=site_id, status=PageStatus.READ).exclude(language="").order_by()
    return list(read.values_list("language").annotate(count=Count("id")).order_by("-count", "language"))


def has_important_pages(site_id: int) -> bool:
    """Whether an admin marked one."""
    return Page.objects.filter(site_id=site_id, is_important=True).exists()
