"""An admin marks a page as important, or takes the mark away; the report tells what becomes of such pages."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from accounts.access import can_manage, visible_sites
from crawler.models import Page
from recommendations.views.changing import post_or_go_to


def _to_the_page(request: HttpRequest, site_id: int, page_id: int) -> HttpResponse:
    return redirect("page", site_id, page_id)


@post_or_go_to(_to_the_page)
def mark_important(request: HttpRequest, site_id: int, page_id: int) -> HttpResponse:
    """`is_important` is 1 or 0, so that the same form sent twice does the same thing."""
    _managed(request, site_id)
    page = get_object_or_404(Page.objects.only("pk"), pk=page_id, site_id=site_id)
    is_important = request.POST.get("is_important") == "1"
    Page.objects.filter(pk=page.pk).update(is_important=is_important)
    if is_important:
        messages.success(request, "This page is marked as important. The site's report follows its links.")
    else:
        messages.success(request, "This page is no longer marked as important.")
    return redirect("page-inlinks" if request.POST.get("tab") == "in" else "page", site_id, page_id)


def _managed(request: HttpRequest, site_id: int) -> None:
    site = get_object_or_404(visible_sites(request.user), pk=site_id)
    if not can_manage(request.user, site):
        raise PermissionDenied("Only admins mark pages as important.")
