"""What the person who looks was told: a list, and marking as read. Leaves writing notices to run_ends."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET

from accounts.notices import mark_read, notices_of, unread_count
from recommendations.views.changing import post_or_go_to

_SHOWN = 50


@require_GET
def notice_list(request: HttpRequest) -> HttpResponse:
    shown = Paginator(notices_of(request.user), _SHOWN).get_page(request.GET.get("page", 1))
    return render(request, "recommendations/notices.html", {"shown": shown, "unread": unread_count(request.user)})


@require_GET
def notice_bell(request: HttpRequest) -> HttpResponse:
    """The bell alone, asked for when a run has ended in an open window."""
    return render(request, "_bell.html")


def _show_list(request: HttpRequest, notice_id: int | None = None) -> HttpResponse:
    return redirect("notices")


@post_or_go_to(_show_list)
def notice_read(request: HttpRequest, notice_id: int) -> HttpResponse:
    """`is_read` is 1 or 0, so that the same form sent twice does the same thing."""
    notice = get_object_or_404(notices_of(request.user), pk=notice_id)
    mark_read(request.user, notice.pk, is_read=request.POST.get("is_read") != "0")
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("notices")
    notice.refresh_from_db()
    return render(request, "recommendations/_notice_answer.html", {"notice": notice})


@post_or_go_to(_show_list)
def all_notices_read(request: HttpRequest) -> HttpResponse:
    mark_read(request.user)
    return redirect("notices")
