"""The suggestions of a site as a CSV file for spreadsheets. Leaves its columns to `exporters`."""

import io
import tempfile

from django.http import FileResponse, Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from accounts.access import visible_sites
from recommendations.exporters.csv_file import ORDER, write_csv
from recommendations.models import Status
from recommendations.selectors_export import SHOWN_STATUSES, export_rows
from recommendations.selectors_runs import shown_run

_KEPT_IN_MEMORY = 4_000_000


@require_GET
def export_csv(request: HttpRequest, site_id: int) -> FileResponse:
    """Every column of what is accepted and pending, or of one status."""
    site = get_object_or_404(visible_sites(request.user), pk=site_id)
    run = shown_run(site_id)
    status = request.GET.get("status", "")
    if run is None or (status and status not in Status.values):
        raise Http404("There is no such list.")
    statuses: tuple[str, ...] = (status,) if status else SHOWN_STATUSES
    file = tempfile.SpooledTemporaryFile(max_size=_KEPT_IN_MEMORY)  # noqa: SIM115 (the response closes it)
    # With a byte order mark, spreadsheets read the rest as UTF-8.
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    write_csv(export_rows(run, order=ORDER, statuses=statuses), text, is_full=True)
    text.detach()
    file.seek(0)
    name = f"{slugify(site.name) or 'site'}-{status or 'links'}.csv"
    return FileResponse(file, as_attachment=True, filename=name, content_type="text/csv; charset=utf-8")
