"""Progress of a site's pipeline, and the admins' buttons that start it, stop it, let it go on or confirm its losses."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET
from django_htmx.http import trigger_client_event

from accounts.access import can_manage, visible_sites
from crawler.models import Site
from crawler.schedules import schedule_in_words
from recommendations.errors import RecommendationError
from recommendations.models import RecommendationRun
from recommendations.pipeline import active_pipeline, latest_pipeline, retry_pipeline, start_pipeline, stop_pipeline
from recommendations.queue_health import queue_health
from recommendations.selectors_crawls import reading_of
from recommendations.selectors_runs import PipelineState, pipeline_states
from recommendations.views.changing import post_or_go_to


@require_GET
def progress(request: HttpRequest, site_id: int) -> HttpResponse:
    """The fragment that open windows ask for again and again; the whole page where there is no htmx."""
    site = get_object_or_404(visible_sites(request.user), pk=site_id)
    state = pipeline_states([site_id]).get(site_id)
    context = {"site": site, "can_manage": can_manage(request.user, site), **panel_context(site, state)}
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("site", site_id)
    response = render(request, "recommendations/_pipeline.html", context)
    # Asked for while it ran, answered when it has ended: the figures around it are old now.
    status = state.status if state else ""
    is_active = bool(state and state.is_active)
    return response if is_active else trigger_client_event(response, "pipeline-ended", {"status": status})


def panel_context(site: Site, state: PipelineState | None) -> dict[str, Any]:
    """What the panel of a site's runs is made of."""
    is_active = bool(state and state.is_active)
    return {
        "pipeline": state,
        "health": queue_health() if is_active else None,
        "reading": reading_of(state),
        "schedule": schedule_in_words(site.schedule) if site.schedule else "",
        "time_zone": settings.TIME_ZONE,
    }


def _show_site(request: HttpRequest, site_id: int) -> HttpResponse:
    return redirect("site", site_id)


def _manage(request: HttpRequest, site_id: int, change: Callable[[Site], str]) -> HttpResponse:
    site = get_object_or_404(visible_sites(request.user), pk=site_id)
    if not can_manage(request.user, site):
        raise PermissionDenied("Only admins start and stop the reading of a site.")
    try:
        messages.success(request, change(site))
    except RecommendationError as error:
        messages.error(request, str(error))
    return redirect("site", site_id)


@post_or_go_to(_show_site)
def recrawl(request: HttpRequest, site_id: int) -> HttpResponse:
    """Reads what has changed; with `full` everything anew."""
    is_full = request.POST.get("full") == "1"

    def change(site: Site) -> str:
        is_active = active_pipeline(site.pk) is not None
        start_pipeline(site.pk, requested_by=request.user, options={"full": True} if is_full else {})
        if is_active:
            later = " Ask for the full run again when it has ended." if is_full else ""
            return f"{site.name} is already being read.{later}"
        how = "in full" if is_full else "again"
        return f"{site.name} is being read {how}. What you see stays until it is done."

    return _manage(request, site_id, change)


@post_or_go_to(_show_site)
def stop(request: HttpRequest, site_id: int) -> HttpResponse:
    def change(site: Site) -> str:
        stop_pipeline(_latest(site).pk)
        return "Stopping. What was read so far is kept."

    return _manage(request, site_id, change)


@post_or_go_to(_show_site)
def retry(request: HttpRequest, site_id: int) -> HttpResponse:
    def change(site: Site) -> str:
        retry_pipeline(_latest(site).pk, request.user)
        return "It goes on where it stopped."

    return _manage(request, site_id, change)


@post_or_go_to(_show_site)
def confirm_losses(request: HttpRequest, site_id: int) -> HttpResponse:
    """An admin says that the missing pages of a held crawl are really gone; the crawl then does what it held back."""

    def change(site: Site) -> str:
        retry_pipeline(_latest(site).pk, request.user, are_losses_confirmed=True)
        return "Confirmed. The missing pages are taken as gone, and the run goes on."

    return _manage(request, site_id, change)


def _latest(site: Site) -> RecommendationRun:
    run = latest_pipeline(site.pk)
    if run is None:
        raise RecommendationError(f"{site.name} was never read. Start with “Read the site”.")
    return run
