"""The stored lists of a site's report: counted, filtered, sorted, a screen at a time or streamed.

Leaves making them to `report.storing`, and the table of before and after to `selectors_report`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast
from urllib.parse import urlencode

from django.core.paginator import Page as PaginatorPage
from django.core.paginator import Paginator
from django.db.models import Count, F, Q, QuerySet
from django.db.models.fields.json import KeyTransform

from recommendations.models import ReportRow, SiteReport, Status
from recommendations.report.sections import PLACES, SECTIONS, Section
from recommendations.selectors_report_links import linked_pages, rows_of_pages

ROWS_SHOWN = 50
_CHUNK = 2_000


@dataclass(frozen=True, slots=True)
class ListFilter:
    """What of a list is asked for; all of it stands in the address. of, low, high: low <= the column's value < high."""

    q: str = ""
    kind: str = ""
    place: str = ""
    group: int | None = None
    of: str = ""
    low: float | None = None
    high: float | None = None
    sort: str = ""

    def query(self, **changes: Any) -> str:
        changed = replace(self, **changes)
        values = {
            "q": changed.q,
            "kind": changed.kind,
            "place": changed.place,
            "group": changed.group,
            "of": changed.of,
            "from": _plain(changed.low),
            "to": _plain(changed.high),
            "sort": changed.sort,
        }
        return urlencode({name: value for name, value in values.items() if value not in ("", None)})

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q or self.kind or self.place or self.group is not None or self.of)


class WrongFilter(Exception):
    """One sentence: what of the filter does not fit the list."""


def read_filter(section: Section, values: Mapping[str, str]) -> ListFilter:
    """The filter that an address asks for. Raises WrongFilter."""
    kind, place, sort, of = (values.get(name, "").replace("\0", "") for name in ("kind", "place", "sort", "of"))
    if place and place not in PLACES:
        raise WrongFilter(f"place={place!r} is unknown. Use {' or '.join(PLACES)}.")
    if kind and section.kinds and kind not in section.kinds:
        raise WrongFilter(f"kind={kind!r} is unknown here. Use one of {', '.join(section.kinds)}.")
    if sort and section.column(sort.removeprefix("-")) is None:
        raise WrongFilter(
            f"sort={sort!r} is no column here. Use {', '.join(c.key for c in section.columns)}, or -name."
        )
    column = section.column(of)
    if of and (column is None or not column.is_number):
        raise WrongFilter(f"of={of!r} is no number here.")
    return ListFilter(
        q=values.get("q", "").replace("\0", "").strip()[:200],
        kind=kind[:16],
        place=place,
        group=_whole(values, "group"),
        of=of,
        low=_number(values, "from") if of else None,
        high=_number(values, "to") if of else None,
        sort=sort,
    )


def _whole(values: Mapping[str, str], name: str) -> int | None:
    text = values.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 18):
        raise WrongFilter(f"{name}={text!r} is not a whole number.")
    return int(text)


def _number(values: Mapping[str, str], name: str) -> float | None:
    text = values.get(name, "")
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < 1e12:
        raise WrongFilter(f"{name}={text!r} is not a number.")
    return number


def _plain(number: float | None) -> str:
    return "" if number is None else f"{number:g}"


def shown_report(site_id: int) -> SiteReport | None:
    """The newest report that is whole."""
    return SiteReport.objects.filter(site_id=site_id, is_whole=True).select_related("crawl").order_by("-id").first()


def list_rows(report: SiteReport, section: Section, wanted: ListFilter | None = None) -> QuerySet[Any]:
    """The rows that the filter leaves, in its order; of lists of links pages, which `freshen` makes rows of."""
    wanted = wanted or ListFilter()
    if section.is_of_links:
        return linked_pages(report.site_id, section.key, wanted.group, wanted.place, wanted.q, wanted.sort)
    rows = ReportRow.objects.filter(report=report, section=section.rows_of)
    if section.is_waiting:
        rows = rows.filter(recommendation__status=Status.PENDING)
    if wanted.kind:
        rows = rows.filter(kind=wanted.kind)
    if wanted.place:
        rows = rows.filter(place=wanted.place)
    if wanted.group is not None:
        rows = rows.filter(group=wanted.group)
    if wanted.q:
        rows = rows.filter(text__contains=wanted.q.lower())
    if wanted.of:
        bounds = Q(**{f"cells__{wanted.of}__isnull": False})
        if wanted.low is not None:
            bounds &= Q(**{f"cells__{wanted.of}__gte": wanted.low})
        if wanted.high is not None:
            bounds &= Q(**{f"cells__{wanted.of}__lt": wanted.high})
        rows = rows.filter(bounds)
    return rows.order_by(*_order(section, wanted.sort or section.sort))


def _order(section: Section, sort: str) -> Sequence[Any]:
    column = section.column(sort.removeprefix("-"))
    if column is None:
        return ("ordinal",)
    key: Any
    if column.form in ("kind", "place"):
        key = F(column.form)
    elif column.form == "page":
        key = KeyTransform("url", KeyTransform(column.key, "cells"))
    else:
        key = KeyTransform(column.key, "cells")
    ordered = key.desc(nulls_last=True) if sort.startswith("-") else key.asc(nulls_last=True)
    return (ordered, "ordinal")


def count_rows(report: SiteReport, section: Section, wanted: ListFilter | None = None) -> int:
    """How many rows the list has; without a filter as it was counted when it was written."""
    if section.is_waiting or section.is_of_links or (wanted is not None and wanted.is_narrowed):
        return list_rows(report, section, wanted).order_by().count()
    return int(report.counts.get(section.rows_of, {}).get("rows", 0))


@dataclass(frozen=True, slots=True)
class SectionCount:
    """A list on the overview: rows in all, and (value, label, rows) by kind and by place where there are some."""

    section: Section
    rows: int
    kinds: list[tuple[str, str, int]]
    places: list[tuple[str, str, int]]


def count_section(report: SiteReport, section: Section) -> SectionCount:
    stored = report.counts.get(section.rows_of, {})
    kinds: dict[str, int] = stored.get("kinds", {})
    if section.is_waiting:
        live = list_rows(report, section).order_by().values_list("kind").annotate(Count("pk"))
        kinds = dict(live)
    return SectionCount(
        section=section,
        rows=count_rows(report, section),
        kinds=[(kind, label, kinds[kind]) for kind, label in section.kinds.items() if kinds.get(kind)],
        places=[
            (place, label, stored["places"][place])
            for place, label in PLACES.items()
            if section.has_places and stored.get("places", {}).get(place)
        ],
    )


def page_of_rows(
    report: SiteReport, section: Section, wanted: ListFilter, number: str | int
) -> "PaginatorPage[ReportRow]":
    """One screen of the list, its figures brought up to date."""
    paginator = Paginator(range(count_rows(report, section, wanted)), ROWS_SHOWN)
    shown: Any = paginator.get_page(number)
    shown.object_list = slice_of_rows(report, section, wanted, (shown.number - 1) * ROWS_SHOWN, ROWS_SHOWN)
    return cast("PaginatorPage[ReportRow]", shown)


def slice_of_rows(report: SiteReport, section: Section, wanted: ListFilter, offset: int, count: int) -> list[ReportRow]:
    """Some rows from `offset` on, their figures brought up to date."""
    rows = list_rows(report, section, wanted)
    if section.is_of_links:
        return freshen(report, section, list(rows[offset : offset + count]), wanted)
    # Which ones first, then what they say: sorting whole rows is several times slower.
    ids = list(rows.values_list("pk", flat=True)[offset : offset + count])
    found = ReportRow.objects.in_bulk(ids)
    return freshen(report, section, [found[pk] for pk in ids if pk in found], wanted)


def stream_rows(report: SiteReport, section: Section, wanted: ListFilter) -> Iterator[ReportRow]:
    """All rows that the filter leaves, a few at a time."""
    batch: list[ReportRow] = []
    for row in list_rows(report, section, wanted).iterator(chunk_size=_CHUNK):
        batch.append(row)
        if len(batch) == _CHUNK:
            yield from freshen(report, section, batch, wanted)
            batch = []
    yield from freshen(report, section, batch, wanted)


def freshen(report: SiteReport, section: Section, rows: list[Any], wanted: ListFilter) -> list[ReportRow]:
    """Rows as they are now. Suggestions are decided all the time: a cluster's waiting ones are counted anew."""
    if section.is_of_links:
        return rows_of_pages(section.key, wanted.group, rows)
    if section.key != "clusters" or not rows:
        return rows
    groups = {row.group: row for row in rows}
    for row in rows:
        row.cells.update(suggestions=0, connected=0)
    lone = _lone_pages(report, groups)
    waiting = list_rows(report, SECTIONS["cluster-suggestions"]).filter(group__in=groups).order_by()
    connected: dict[int | None, set[int]] = {}
    for group, cells in waiting.values_list("group", "cells"):
        groups[group].cells["suggestions"] += 1
        ends = {cells["page"]["id"], cells["target"]["id"]}
        connected.setdefault(group, set()).update(ends & lone.get(group, set()))
    for group, pages in connected.items():
        groups[group].cells["connected"] = len(pages)
    return rows


def _lone_pages(report: SiteReport, groups: Iterable[int | None]) -> dict[int | None, set[int]]:
    pages = ReportRow.objects.filter(report=report, section="cluster-pages", kind="lone", group__in=list(groups))
    found: dict[int | None, set[int]] = {}
    for group, cells in pages.order_by().values_list("group", "cells"):
        found.setdefault(group, set()).add(cells["page"]["id"])
    return found


def plain_row(section: Section, row: ReportRow) -> dict[str, Any]:
    """The row as JSON and CSV hand it out: by column, a page as its address with its name beside it."""
    plain: dict[str, Any] = {}
    for column in section.columns:
        if column.form in ("kind", "place"):
            plain[column.key] = getattr(row, column.form)
            continue
        value = row.cells.get(column.key)
        if column.form == "page":
            plain[column.key] = value["url"] if value else None
            plain[f"{column.key}_title"] = value["name"] if value else None
        else:
            plain[column.key] = value
    return plain


def plain_columns(section: Section) -> list[str]:
    """The names of what `plain_row` gives, in order."""
    names = []
    for column in section.columns:
        names += [column.key, f"{column.key}_title"] if column.form == "page" else [column.key]
    return names
