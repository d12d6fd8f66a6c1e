"""The list of sites, one site with its pages, and the form that adds one."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import can_manage, visible_sites
from crawler.errors import CrawlError
from crawler.models import PageStatus
from linkrec_site.upload_limit import too_large_upload
from recommendations.errors import RecommendationError
from recommendations.forms import LONGEST_QUERY, read_page_filter
from recommendations.models import Status
from recommendations.pipeline import start_pipeline
from recommendations.queue_health import queue_health
from recommendations.selectors_pages import ORPHANS, has_important_pages, languages_of, list_pages
from recommendations.selectors_sites import site_figures
from recommendations.site_editing import add_site
from recommendations.site_forms import SiteForm
from recommendations.views.pipelines import panel_context

SORT_LABELS = (
    ("waiting", "most suggestions pending"),
    ("inlinks", "fewest inlinks"),
    ("title", "title"),
    ("url", "address"),
    ("depth", "clicks from the start page"),
    ("words", "longest"),
)


@require_GET
def site_list(request: HttpRequest) -> HttpResponse:
    sites = site_figures(visible_sites(request.user).order_by("name", "pk"))
    is_active = any(site.pipeline and site.pipeline.is_active for site in sites)
    context = {
        "sites": sites,
        "is_active": is_active,
        "health": queue_health() if is_active else None,
        "can_manage": can_manage(request.user),
        "form": SiteForm(),
    }
    return render(request, "recommendations/site_list.html", context)


@require_http_methods(["GET", "POST"])
def site_add(request: HttpRequest) -> HttpResponse:
    if not can_manage(request.user):
        raise PermissionDenied("Only admins add sites.")
    form = SiteForm(request.POST or None, request.FILES or None, **upload_limits(request))
    if request.method == "POST" and form.is_valid():
        try:
            site, is_new = add_site(form, request.user)
            if is_new:
                start_pipeline(site.pk, requested_by=request.user)
        except (CrawlError, RecommendationError) as error:
            form.add_error("url", str(error))
        else:
            if is_new:
                messages.success(request, f"{site.name} is being read. Suggestions appear here when it is done.")
            else:
                messages.warning(request, f"{site.start_url} is here already. Nothing was changed.")
            return redirect("site", site.pk)
    status = 422 if form.errors else 200
    return render(
        request, "recommendations/site_add.html", {"form": form, "time_zone": settings.TIME_ZONE}, status=status
    )


def upload_limits(request: HttpRequest) -> dict[str, Any]:
    """What a form with a file needs to know of the limit, and of what was thrown away for it."""
    return {"too_large_upload": too_large_upload(request), "upload_limit_mb": settings.LINKREC_MAX_UPLOAD_MB}


@require_GET
def site_detail(request: HttpRequest, site_id: int) -> HttpResponse:
    get_object_or_404(visible_sites(request.user), pk=site_id)
    figures = site_figures(visible_sites(request.user).filter(pk=site_id))[0]
    wanted = read_page_filter(request.GET)
    rows, shown = list_pages(site_id, figures.run_id, wanted, request.GET.get("page", 1))
    context = {
        "site": figures.site,
        "figures": figures,
        **panel_context(figures.site, figures.pipeline),
        "wanted": wanted,
        "rows": rows,
        "shown": shown,
        "query": wanted.query(),
        "is_q_cut": len(request.GET.get("q", "").strip()) > LONGEST_QUERY,
        "languages": languages_of(site_id),
        "status_tabs": [
            (value, label, figures.pages.get(value, 0), wanted.query(status=value))
            for value, label in PageStatus.choices
            if value == PageStatus.READ or figures.pages.get(value)
        ],
        "suggestion_choices": [("any", "with suggestions"), ("none", "without suggestions"), *_status_choices()],
        "sort_choices": SORT_LABELS,
        "orphan_choices": ORPHANS.items(),
        "has_important": wanted.is_important or has_important_pages(site_id),
        "can_manage": can_manage(request.user, figures.site),
    }
    return render(request, "recommendations/site_detail.html", context)


def _status_choices() -> list[tuple[str, str]]:
    return [(value, f"with {label} ones") for value, label in Status.choices]
