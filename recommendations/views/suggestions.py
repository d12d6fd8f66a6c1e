"""All suggestions of a site, the best first: what to decide next, without going from page to page."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from accounts.access import can_decide, visible_sites
from recommendations.models import RejectReason, Status
from recommendations.selectors_runs import shown_run
from recommendations.selectors_suggestions import cards_of, suggestions_of_site, tally_of_site
from recommendations.views.pages import tallies


@require_GET
def site_suggestions(request: HttpRequest, site_id: int) -> HttpResponse:
    """One screen of the suggestions with the status asked for."""
    site = get_object_or_404(visible_sites(request.user), pk=site_id)
    run = shown_run(site_id)
    run_id = run.pk if run else None
    context = site_tallies(tally_of_site(run_id), site_id, request.GET.get("status", ""))
    rows = suggestions_of_site(run_id, context["status"])
    cards, shown = cards_of(rows, "site", "score", request.GET.get("list", "1"))
    context |= {
        "site": site,
        "run": run,
        "cards": cards,
        "shown": shown,
        "is_sitewide": True,
        "reason_choices": RejectReason.choices,
        "can_decide": can_decide(request.user, site),
        "back": request.get_full_path(),
    }
    return render(request, "recommendations/site_suggestions.html", context)


def site_tallies(counts: dict[str, int], site_id: int, status: str) -> dict[str, Any]:
    """The row of statuses above the list; without one asked for, what waits for a decision is shown."""
    asked = status if status in Status.values else Status.PENDING.value
    return tallies(counts, reverse("suggestions", args=(site_id,)), asked)
