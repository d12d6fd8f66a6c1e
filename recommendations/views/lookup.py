"""A page that says what happened to any URL of a site, when and why."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from accounts.access import can_manage, visible_sites
from recommendations.selectors_lookup import LINKS_SHOWN, look_up


@require_GET
def lookup_page(request: HttpRequest, site_id: int) -> HttpResponse:
    """`url` is an address, its path, or a part of one."""
    site = get_object_or_404(visible_sites(request.user), pk=site_id)
    context = {
        "site": site,
        "found": look_up(site, request.GET.get("url", "")),
        "links_shown": LINKS_SHOWN,
        "can_manage": can_manage(request.user, site),
    }
    return render(request, "recommendations/lookup.html", context)
