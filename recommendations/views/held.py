"""The pages that a held crawl misses, all of them, for whoever has to say whether they are gone."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from accounts.access import can_manage, visible_sites
from crawler.models import Page
from recommendations.selectors_crawls import held_pages, missing_pages
from recommendations.selectors_runs import pipeline_states

_SHOWN = 100


@require_GET
def missing_page_list(request: HttpRequest, site_id: int) -> HttpResponse:
    """Of the newest run's crawl, while it is held."""
    site = get_object_or_404(visible_sites(request.user), pk=site_id)
    state = pipeline_states([site_id]).get(site_id)
    crawl = state.crawl if state and state.is_held else None
    missing = missing_pages(site_id, crawl) if crawl else Page.objects.none()
    context = {
        "site": site,
        "held": held_pages(crawl) if crawl else None,
        "shown": Paginator(missing, _SHOWN).get_page(request.GET.get("page", 1)),
        "can_manage": can_manage(request.user, site),
    }
    return render(request, "recommendations/missing_pages.html", context)
