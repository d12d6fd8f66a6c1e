"""Accept, reject, other words, undo: one suggestion at a time, as a fragment or as a plain form."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET
from django_htmx.http import reswap, retarget

from accounts.access import can_decide, visible_sites
from recommendations.decisions import decide
from recommendations.errors import DecisionConflict, DecisionRefused
from recommendations.forms import REASON_CONSEQUENCES, DecisionForm
from recommendations.models import Recommendation, RejectReason, Status
from recommendations.page_names import page_name
from recommendations.selectors_reading import blocks_of, boilerplate_blocks, links_by_block, marks_of, view_block
from recommendations.selectors_suggestions import (
    DIRECTIONS,
    Card,
    as_cards,
    find_suggestion,
    marked_rows,
    tally,
    tally_of_site,
)
from recommendations.views.changing import post_or_go_to
from recommendations.views.pages import page_tallies
from recommendations.views.suggestions import site_tallies

GONE = "This suggestion is no longer there: a newer run replaced it. Reload the page."


def _show_card(request: HttpRequest, recommendation_id: int) -> HttpResponse:
    card = _find_card(request, recommendation_id, "out")
    if card is None:
        return _answer_gone(request)
    return redirect(f"{_back(request, card)}?focus={card.row.pk}#card-{card.row.pk}")


@post_or_go_to(_show_card)
def decide_suggestion(request: HttpRequest, recommendation_id: int) -> HttpResponse:
    """Do what the form says; answer with the card as it stands then."""
    form = DecisionForm(request.POST)
    direction = request.POST.get("direction", "out")
    card = _find_card(request, recommendation_id, direction)
    if card is None:
        return _answer_gone(request)
    if not form.is_valid():
        return _answer(request, card, "This form is incomplete. Reload the page and try again.", status=400)
    old = card.row
    data = form.cleaned_data
    try:
        decide(
            recommendation_id,
            data["action"],
            user=request.user,
            expected_status=data["expected"],
            reason=data["reason"] or RejectReason.IRRELEVANT_TARGET,
            words=data["choice"] or data["words"],
        )
    except DecisionConflict as error:
        return _answer(request, _find_card(request, recommendation_id, direction), str(error), status=409)
    except DecisionRefused as error:
        if data["action"] == "anchor":
            return _answer_form(request, card, str(error), data["words"] or data["choice"], status=422)
        return _answer(request, card, str(error), status=422)
    card = _find_card(request, recommendation_id, direction)
    return _answer(request, card, _told(card), old_block=old.block) if card else _answer_gone(request)


@require_GET
def choose_words(request: HttpRequest, recommendation_id: int) -> HttpResponse:
    """The form for other words; a fragment inside the card, or a page of its own."""
    card = _find_card(request, recommendation_id, request.GET.get("direction", "out"))
    if card is None:
        return _answer_gone(request)
    return _answer_form(request, card)


def _find_card(request: HttpRequest, recommendation_id: int, direction: str) -> Card | None:
    row = find_suggestion(recommendation_id, visible_sites(request.user))
    if row is None:
        return None
    if not can_decide(request.user, row.site):
        raise PermissionDenied("You may look at this site's suggestions, but not decide about them.")
    return as_cards([row], direction if direction in DIRECTIONS else "out")[0]


def _told(card: Card) -> str:
    """What a screen reader hears and a plain page shows after a decision."""
    target = page_name(card.row.target)
    if card.row.status == Status.ACCEPTED:
        return f"Accepted: “{card.row.anchor_text}” links to {target}."
    if card.row.status == Status.REJECTED:
        reason = card.decision.reason if card.decision else RejectReason.OTHER
        return f"Rejected: {target}. {REASON_CONSEQUENCES[RejectReason(reason)]}"
    return f"Undone: {target} is pending again."


def _base(request: HttpRequest, card: Card) -> dict[str, Any]:
    return {
        "card": card,
        "site": card.row.site,
        "reason_choices": RejectReason.choices,
        "can_decide": True,
        "back": _back(request, card),
        "is_incoming": card.is_incoming,
        "is_sitewide": card.direction == "site",
    }


def _answer(
    request: HttpRequest, card: Card | None, told: str, *, status: int = 200, old_block: int | None = None
) -> HttpResponse:
    if card is None:
        return _answer_gone(request)
    if not request.htmx:  # type: ignore[attr-defined]
        (messages.success if status == 200 else messages.error)(request, told)
        return redirect(f"{_back(request, card)}#card-{card.row.pk}")
    context = _base(request, card) | {"told": told, "is_error": status != 200, "is_fragment": True}
    asked = parse_qs(urlsplit(context["back"]).query).get("status", [""])[0]
    if card.direction == "site":
        context |= site_tallies(tally_of_site(card.row.run_id), card.row.site_id, asked)
    else:
        page = card.row.target if card.is_incoming else card.row.source
        context |= page_tallies(tally(page.pk, card.row.run_id)[card.is_incoming], page, card.is_incoming, asked)
        context["page_id"] = page.pk
    if card.direction == "out":
        context["blocks"] = _changed_blocks(
            card.row, {card.row.block, card.row.block if old_block is None else old_block}
        )
    return render(request, "recommendations/_decided.html", context, status=status)


def _changed_blocks(row: Recommendation, ordinals: set[int]) -> list[Any]:
    """The paragraphs whose marks may have changed, to be swapped in the page's text."""
    blocks = blocks_of(row.source_id)
    marks = marks_of(marked_rows(row.source_id, row.run_id), blocks)
    links, repeated = links_by_block(row.source_id), boilerplate_blocks(row.source_id)
    return [
        view_block(blocks[ordinal], marks.get(ordinal, ()), links.get(ordinal, ()), ordinal in repeated)
        for ordinal in sorted(ordinals)
        if ordinal < len(blocks)
    ]


def _answer_form(
    request: HttpRequest, card: Card, error: str = "", words: str = "", *, status: int = 200
) -> HttpResponse:
    context = _base(request, card) | {"error": error, "words": words}
    name = "_anchor_form.html" if request.htmx else "anchor_form.html"  # type: ignore[attr-defined]
    response = render(request, f"recommendations/{name}", context, status=status)
    if request.htmx and error:  # type: ignore[attr-defined]
        # The form's target is the card; the form alone is to be swapped, so that nothing typed is lost.
        return reswap(retarget(response, f"#words-{card.row.pk}"), "innerHTML")
    return response


def _answer_gone(request: HttpRequest) -> HttpResponse:
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "recommendations/_gone.html", {"told": GONE}, status=404)
    return render(request, "404.html", {"reason": GONE}, status=404)


def _back(request: HttpRequest, card: Card) -> str:
    """Where the person came from, if that is a place of ours; else the page of the suggestion."""
    back = request.POST.get("back") or request.GET.get("back") or ""
    if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        return back
    if card.direction == "site":
        return reverse("suggestions", args=(card.row.site_id,))
    name, page_id = ("page-inlinks", card.row.target_id) if card.is_incoming else ("page", card.row.source_id)
    return reverse(name, args=(card.row.site_id, page_id))
