"""The lists of a site's report as JSON, page by page. Leaves access and errors to the views beside it."""

from typing import Any

from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from recommendations.api.json_view import JsonView, find_site, refuse_unknown, whole_number
from recommendations.api.views import LARGEST_PAGE
from recommendations.report.sections import SECTIONS
from recommendations.selectors_report_lists import (
    WrongFilter,
    count_rows,
    plain_row,
    read_filter,
    shown_report,
    slice_of_rows,
)

_PARAMETERS = ("q", "kind", "place", "group", "of", "from", "to", "sort", "page", "per_page")


class ReportListView(JsonView):
    """One list of the report, with the same filters as in the browser."""

    def get(self, request: Request, site_id: str, key: str) -> Response:
        site = find_site(request, site_id)
        refuse_unknown(request, _PARAMETERS)
        section = SECTIONS.get(key)
        if section is None:
            raise NotFound(f"There is no list {key!r}. Use one of {', '.join(SECTIONS)}.")
        report = shown_report(site.pk)
        if report is None:
            raise NotFound("No run of this site has finished yet, so there are no lists. Ask again then.")
        try:
            wanted = read_filter(section, request.query_params.dict())
        except WrongFilter as error:
            raise ValidationError(str(error)) from error
        number = whole_number(request, "page", 1, 10_000_000)
        per_page = whole_number(request, "per_page", 50, LARGEST_PAGE)
        total = count_rows(report, section, wanted)
        pages = max(1, -(-total // per_page))
        if number > pages:
            raise NotFound(f"page={number} is behind the last page, {pages}.")
        rows = slice_of_rows(report, section, wanted, (number - 1) * per_page, per_page)
        return Response(
            {
                "site": site.start_url,
                "section": section.key,
                "title": section.title,
                "says": section.says,
                "made_at": report.created_at,
                "total": total,
                "page": number,
                "per_page": per_page,
                "pages": pages,
                "next": _address(request, number + 1) if number < pages else None,
                "previous": _address(request, number - 1) if number > 1 else None,
                "rows": [plain_row(section, row) | _group(row) for row in rows],
            }
        )


def _group(row: Any) -> dict[str, int]:
    return {} if row.group is None else {"group": row.group}


def _address(request: Request, number: int) -> str:
    query = request.query_params.copy()
    query["page"] = str(number)
    return str(request.build_absolute_uri(f"{request.path}?{query.urlencode()}"))
