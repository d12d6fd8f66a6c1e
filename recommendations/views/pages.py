"""One page: its text with the suggested anchors marked, and the cards beside it; in a second tab what leads to it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from accounts.access import can_decide, can_manage, visible_sites
from crawler.models import Page, Site
from recommendations.models import RecommendationRun, RejectReason, Status
from recommendations.selectors_pages import link_counts
from recommendations.selectors_reading import blocks_of, read_page
from recommendations.selectors_runs import shown_run
from recommendations.selectors_sites import linked_sites
from recommendations.selectors_suggestions import (
    HIDDEN,
    ORDERS,
    cards_of,
    find_list_number,
    marked_rows,
    suggestions_of,
    tally,
)


@require_GET
def page_detail(request: HttpRequest, site_id: int, page_id: int) -> HttpResponse:
    """The suggestions that stand on this page, beside its text."""
    site, page, run = _find(request, site_id, page_id)
    rows = marked_rows(page.pk, run.pk if run else None)
    context = _context(request, site, page, run, is_incoming=False)
    context["groups"] = read_page(page.pk, blocks_of(page.pk), rows)
    context["marks"] = sum(block.has_marks for group in context["groups"] for block in group.blocks)
    return render(request, "recommendations/page_detail.html", context)


@require_GET
def page_inlinks(request: HttpRequest, site_id: int, page_id: int) -> HttpResponse:
    """The suggestions on other pages that lead to this one."""
    site, page, run = _find(request, site_id, page_id)
    return render(request, "recommendations/page_inlinks.html", _context(request, site, page, run, is_incoming=True))


def _find(request: HttpRequest, site_id: int, page_id: int) -> tuple[Site, Page, RecommendationRun | None]:
    site = get_object_or_404(visible_sites(request.user), pk=site_id)
    page = get_object_or_404(Page, pk=page_id, site=site)
    return site, page, shown_run(site_id)


def _context(
    request: HttpRequest, site: Site, page: Page, run: RecommendationRun | None, *, is_incoming: bool
) -> dict[str, Any]:
    status = request.GET.get("status", "")
    status = status if status in Status.values else ""
    default_order = "score" if is_incoming else "rank"
    order = request.GET.get("order", default_order)
    order = order if order in ORDERS else default_order
    run_id = run.pk if run else None
    rows = suggestions_of(page.pk, run_id, is_incoming, status)
    number = find_list_number(rows, order, request.GET.get("focus", "")) or request.GET.get("list", "1")
    cards, shown = cards_of(rows, "in" if is_incoming else "out", order, number)
    counts = tally(page.pk, run_id)
    return {
        "site": site,
        "page": page,
        "run": run,
        "cards": cards,
        "shown_ids": {card.row.pk for card in cards},
        "shown": shown,
        "order": order,
        "is_incoming": is_incoming,
        "page_id": page.pk,
        "out_count": shown_count(counts[False]),
        "in_count": shown_count(counts[True]),
        **page_tallies(counts[is_incoming], page, is_incoming, status),
        "links": link_counts(page),
        "is_linked": bool(linked_sites([site.pk])),
        "reason_choices": RejectReason.choices,
        "can_decide": can_decide(request.user, site),
        "can_manage": can_manage(request.user, site),
        "back": request.get_full_path(),
    }


def page_tallies(counts: dict[str, int], page: Page, is_incoming: bool, status: str) -> dict[str, Any]:
    address = reverse("page-inlinks" if is_incoming else "page", args=(page.site_id, page.pk))
    return tallies(counts, address, status)


def tallies(counts: dict[str, int], address: str, status: str) -> dict[str, Any]:
    """The row of statuses with their counts above the cards."""
    return {
        "status": status,
        "list_address": address,
        "all_count": shown_count(counts),
        "is_some_hidden": any(counts.get(value) for value in HIDDEN),
        "status_tabs": [
            (value, label, counts.get(value, 0))
            for value, label in Status.choices
            if counts.get(value) or value == status
        ],
    }


def shown_count(counts: dict[str, int]) -> int:
    return sum(count for status, count in counts.items() if status not in HIDDEN)
