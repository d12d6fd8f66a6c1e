"""The report of a site: its figures before and after, what is wrong with its links, the lists behind each number."""

from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from accounts.access import can_manage, visible_sites
from crawler.models import Page, Site
from recommendations.models import SiteReport
from recommendations.report.list_files import csv_lines
from recommendations.report.sections import PLACES, SECTIONS, Section, chapters
from recommendations.selectors_report_kept import site_report
from recommendations.selectors_report_lists import (
    ListFilter,
    WrongFilter,
    count_section,
    page_of_rows,
    plain_columns,
    plain_row,
    read_filter,
    shown_report,
    stream_rows,
)

_CHART_TITLES = {
    "depth": ("Click depth", "Pages by clicks from the start page"),
    "inlinks": ("Inlinks from content", "Pages by how many pages link to them"),
    "page-rank": ("Internal PageRank", "Pages by PageRank; 1 is the average page"),
    "status": ("What became of addresses", "Every address ever seen on the site"),
}


@require_GET
def site_report_page(request: HttpRequest, site_id: int) -> HttpResponse:
    """Before and after, the charts, and every list with its count."""
    site = get_object_or_404(visible_sites(request.user), pk=site_id)
    lists = shown_report(site_id)
    context = {
        "site": site,
        "report": site_report(site),
        "can_manage": can_manage(request.user, site),
        "lists": lists,
        "chapters": _chapters(lists) if lists else {},
        "charts": _charts(site, lists) if lists else [],
    }
    return render(request, "recommendations/site_report.html", context)


@require_GET
def report_list(request: HttpRequest, site_id: int, key: str) -> HttpResponse:
    """One list, searched, filtered and sorted."""
    site, section, lists, wanted = _asked(request, site_id, key)
    shown = page_of_rows(lists, section, wanted, request.GET.get("page", "1"))
    rows = [
        [(column, _value(section, column.key, row), _opens(site, column.opens, row)) for column in section.columns]
        for row in shown.object_list
    ]
    kinds = count_section(lists, section)
    context = {
        "site": site,
        "section": section,
        "lists": lists,
        "wanted": wanted,
        "shown": shown,
        "rows": rows,
        "counted": kinds,
        "kind_tabs": [(value, label, count, wanted.query(kind=value)) for value, label, count in kinds.kinds],
        "place_tabs": [(value, label, count, wanted.query(place=value)) for value, label, count in kinds.places],
        "all_kinds_query": wanted.query(kind=""),
        "all_places_query": wanted.query(place=""),
        "sort_choices": _sort_choices(section),
        "sort": wanted.sort or section.sort,
        "download_query": wanted.query(),
        "kind_name": section.kinds.get(wanted.kind, wanted.kind),
        "of_page": _page_of(site, section, wanted.group),
        "of_column": section.column(wanted.of),
        "hidden": _hidden(wanted),
    }
    return render(request, "recommendations/report_list.html", context)


@require_GET
def report_csv(request: HttpRequest, site_id: int, key: str) -> StreamingHttpResponse:
    """The list as the filter leaves it, streamed."""
    site, section, lists, wanted = _asked(request, site_id, key)
    rows = (plain_row(section, row) for row in stream_rows(lists, section, wanted))
    # With a byte order mark, spreadsheets read the rest as UTF-8.
    pieces = ("\ufeff" * (not number) + piece for number, piece in enumerate(csv_lines(plain_columns(section), rows)))
    response = StreamingHttpResponse(pieces, content_type="text/csv; charset=utf-8")
    name = f"{slugify(site.name) or 'site'}-{section.key}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _asked(request: HttpRequest, site_id: int, key: str) -> tuple[Site, Section, SiteReport, ListFilter]:
    site = get_object_or_404(visible_sites(request.user), pk=site_id)
    section, lists = SECTIONS.get(key), shown_report(site_id)
    if section is None or lists is None:
        raise Http404("There is no such list.")
    try:
        return site, section, lists, read_filter(section, request.GET.dict())
    except WrongFilter as error:
        raise Http404(str(error)) from error


def _page_of(site: Site, section: Section, group: int | None) -> Page | None:
    """The page whose links are listed."""
    return None if group is None or not section.is_of_links else Page.objects.filter(pk=group, site=site).first()


def _chapters(lists: SiteReport) -> dict[str, list[Any]]:
    return {name: [count_section(lists, section) for section in sections] for name, sections in chapters().items()}


def _charts(site: Site, lists: SiteReport) -> list[dict[str, Any]]:
    """What the template draws: bars in per cent of the longest, each with the address of its list."""
    charts = []
    for chart in lists.figures.get("charts", []):
        title, caption = _CHART_TITLES[chart["key"]]
        longest = max((bar["count"] for bar in chart["bars"]), default=0) or 1
        total = sum(bar["count"] for bar in chart["bars"]) or 1
        bars = [
            bar
            | {
                "width": round(100 * bar["count"] / longest, 2),
                "share": 100 * bar["count"] / total,
                "address": _address(site, bar["section"], bar["query"]),
            }
            for bar in chart["bars"]
        ]
        charts.append({"key": chart["key"], "title": title, "caption": caption, "bars": bars})
    return charts


def _address(site: Site, section: str, query: dict[str, str]) -> str:
    path = reverse("report-list", args=(site.pk, section)) if section else reverse("site", args=(site.pk,))
    return f"{path}?{urlencode(query)}"


def _opens(site: Site, opens: str, row: Any) -> str:
    """Address of the list behind a count; "" where the count is none or opens nothing."""
    if not opens or row.group is None:
        return ""
    key, _, query = opens.partition("?")
    return _address(site, key, {"group": str(row.group)} | dict(parse_qsl(query)))


def _value(section: Section, column: str, row: Any) -> Any:
    if column == "kind":
        return section.kinds.get(row.kind, row.kind)
    return PLACES.get(row.place, "") if column == "place" else row.cells.get(column)


def _sort_choices(section: Section) -> list[tuple[str, str]]:
    choices = [("", "the list's own order")]
    for column in section.columns:
        if column.form not in ("count", "number", "seconds", "share"):
            choices.append((column.key, column.label))
        elif column.key not in ("suggestions", "connected"):
            choices += [
                (f"-{column.key}", f"{column.label}, most first"),
                (column.key, f"{column.label}, fewest first"),
            ]
    return choices


def _hidden(wanted: ListFilter) -> list[tuple[str, str]]:
    """What the search form hands on besides its own fields."""
    return [(name, value) for name, value in parse_qsl(wanted.query()) if name not in ("q", "sort")]
