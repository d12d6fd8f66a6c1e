"""The report of a site: what its links amount to now, with what is accepted, and with what waits too."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from accounts.access import can_manage, visible_sites
from recommendations.selectors_report import site_report


@require_GET
def site_report_page(request: HttpRequest, site_id: int) -> HttpResponse:
    """Counted anew at each call, from the links as the last crawl left them."""
    site = get_object_or_404(visible_sites(request.user), pk=site_id)
    context = {"site": site, "report": site_report(site), "can_manage": can_manage(request.user, site)}
    return render(request, "recommendations/site_report.html", context)
