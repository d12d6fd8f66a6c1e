"""An editor's way in a real Chromium: from the login to an accepted link, with JavaScript and without."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from crawler.models import Crawl
from recommendations.models import Decision
from tests.browser.chromium import open_window
from tests.factories import (
    PASSWORD,
    make_page,
    make_pipeline,
    make_recommendation,
    make_run,
    make_site,
    make_user,
)

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "Truing a wheel takes an hour and a spoke key.\nA clean chain is a quiet chain.\nGears wear out together."
PHONE = {"width": 360, "height": 740}


@dataclass
class Desk:
    window: Any
    faults: list[str]
    site: Any
    source: Any
    rows: list[Any]

    def card(self, number: int = 0) -> Any:
        return self.window.locator(f"#card-{self.rows[number].pk}")

    def mark(self, number: int = 0) -> Any:
        return self.window.locator(f"#mark-{self.rows[number].pk}")

    def status(self, number: int = 0) -> tuple[str, str]:
        self.rows[number].refresh_from_db()
        return self.rows[number].status, self.rows[number].anchor_text


@pytest.fixture
def make_desk(live_server: Any, browser: Any) -> Any:
    """Opens a logged-in window on a site with three suggestions; fails at the end for any fault the window had."""
    desks = []

    def make(is_admin: bool = False, **options: Any) -> Desk:
        run = make_run(make_site("Workshop", start_url="https://workshop.example/"))
        source = make_page(run.site, "wheels", TEXT, title="Wheels and chains")
        rows = [
            make_recommendation(run, source, make_page(run.site, "spokes"), "spoke key", score=0.9,
                                alternatives=[{"anchor_text": "an hour", "anchor_start": 21, "score": 0.2}]),
            make_recommendation(run, source, make_page(run.site, "chains"), "quiet chain", block=1, score=0.7),
            make_recommendation(run, source, make_page(run.site, "gears"), "Gears", block=2, score=0.5),
        ]  # fmt: skip
        make_user("edith", is_admin=is_admin)
        window, faults = open_window(browser, live_server.url, **options)
        window.goto("/")
        window.get_by_label("Name").fill("edith")
        window.get_by_label("Password").fill(PASSWORD)
        window.get_by_role("button", name="Log in").click()
        desks.append(Desk(window, faults, run.site, source, rows))
        return desks[-1]

    yield make
    for desk in desks:
        desk.window.context.close()
        assert not desk.faults, desk.faults


WAYS = pytest.mark.parametrize(
    ("with_javascript", "size"),
    [(True, {"width": 1280, "height": 800}), (True, PHONE), (False, PHONE)],
    ids=["wide", "phone", "phone without javascript"],
)


def open_page(desk: Desk) -> None:
    """The way a person takes: site, page list, search, page."""
    desk.window.get_by_role("link", name="Workshop").click()
    desk.window.get_by_label("Title or address").fill("wheels")
    desk.window.get_by_role("button", name="Show").click()
    desk.window.get_by_role("link", name="Wheels and chains").click()
    desk.window.get_by_role("heading", name="Wheels and chains").wait_for()


def is_within(window: Any) -> bool:
    return bool(window.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


@WAYS
def test_from_the_login_to_decisions(
    make_desk: Callable[..., Desk], with_javascript: bool, size: dict[str, int]
) -> None:
    desk = make_desk(java_script_enabled=with_javascript, viewport=size)
    open_page(desk)

    desk.card(0).get_by_role("button", name="Accept").click()
    desk.card(0).locator(".chip.accepted").wait_for()
    desk.window.locator(f"#mark-{desk.rows[0].pk}.accepted").wait_for()
    assert desk.status(0) == ("accepted", "spoke key")

    desk.card(1).get_by_label("Reason to reject").select_option("bad anchor")
    desk.card(1).get_by_role("button", name="Reject").click()
    desk.window.get_by_text("These words are not suggested for this target again").first.wait_for()
    assert desk.status(1)[0] == "rejected"
    desk.mark(1).wait_for(state="detached")
    assert Decision.objects.get(status="rejected").reason == "bad_anchor"

    desk.card(0).get_by_role("link", name="Other words").click()
    desk.window.get_by_label("on other words of the sentence").fill("a whel")
    desk.window.locator(".anchor-form .accept").click()
    desk.window.get_by_text("“a whel” does not stand in the sentence").wait_for()
    desk.window.get_by_label("on other words of the sentence").fill("Truing a wheel")
    desk.window.locator(".anchor-form .accept").click()
    desk.card(0).locator(".decided", has_text="on other words").wait_for()
    assert desk.status(0) == ("accepted", "Truing a wheel")
    desk.window.locator("article mark", has_text="Truing a wheel").wait_for()

    desk.card(0).get_by_role("button", name="Undo").click()
    desk.card(0).get_by_role("button", name="Accept").wait_for()
    assert desk.status(0) == ("pending", "spoke key")
    if with_javascript:
        assert is_within(desk.window)
    else:
        # The rejected one is looked at under its own filter.
        desk.window.get_by_role("link", name="rejected 1", exact=True).click()
        desk.card(1).get_by_role("button", name="Undo").click()
    assert [fault for fault in desk.faults if "422" not in fault] == []
    desk.faults.clear()


def test_an_alternative_is_one_click(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk()
    open_page(desk)
    desk.card(0).get_by_role("link", name="Other words").click()
    desk.card(0).get_by_role("button", name="an hour").click()
    desk.card(0).locator(".chip.accepted").wait_for()
    assert desk.status(0) == ("accepted", "an hour")


@pytest.mark.parametrize("with_javascript", [True, False], ids=["", "without javascript"])
def test_enter_accepts_the_words_typed(make_desk: Callable[..., Desk], with_javascript: bool) -> None:
    desk = make_desk(java_script_enabled=with_javascript)
    open_page(desk)
    desk.card(0).get_by_role("link", name="Other words").click()
    field = desk.window.get_by_label("on other words of the sentence")
    field.fill("Truing a wheel")
    field.press("Enter")
    desk.card(0).locator(".chip.accepted").wait_for()
    assert desk.status(0) == ("accepted", "Truing a wheel")


def test_words_selected_in_the_sentence_go_into_the_field(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk()
    open_page(desk)
    desk.card(1).get_by_role("link", name="Other words").click()
    field = desk.card(1).locator("[data-words]")
    field.wait_for()
    desk.window.evaluate(
        """id => { const text = document.querySelector(`#${id} [data-sentence]`).firstChild;
                   document.getSelection().setBaseAndExtent(text, 2, text, 13); }""",
        f"card-{desk.rows[1].pk}",
    )
    desk.window.wait_for_function("id => document.querySelector(`#${id} [data-words]`).value === 'clean chain'",
                                  arg=f"card-{desk.rows[1].pk}")  # fmt: skip


def test_marks_and_cards_lead_to_each_other_and_focus_goes_on(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk()
    open_page(desk)
    focused = "document.activeElement.id"
    desk.mark(1).get_by_role("link").click()
    assert desk.window.evaluate(focused) == f"card-{desk.rows[1].pk}"
    desk.card(0).locator(".sentence mark a").click()
    assert "flash" in desk.mark(0).get_attribute("class")
    desk.card(0).get_by_role("button", name="Accept").focus()
    desk.window.keyboard.press("Enter")
    desk.card(0).locator(".chip.accepted").wait_for()
    desk.window.wait_for_function(f"{focused} === 'card-{desk.rows[1].pk}'")
    assert "Accepted" in desk.window.locator("#announcer").inner_text()


def test_the_slower_of_two_editors_is_told(make_desk: Callable[..., Desk]) -> None:
    from recommendations.decisions import accept

    desk = make_desk()
    open_page(desk)
    accept(desk.rows[0].pk, user=make_user("bob"), expected_status="pending")
    desk.card(0).get_by_role("button", name="Reject").click()
    desk.card(0).get_by_text("accepted now by bob, so your decision was not saved").wait_for()
    assert desk.status(0)[0] == "accepted"
    assert [fault for fault in desk.faults if "409" not in fault] == []
    desk.faults.clear()


def test_after_the_session_ended_the_window_goes_to_the_login_and_back(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk()
    open_page(desk)
    here = desk.window.url
    desk.window.context.clear_cookies(name="sessionid")
    desk.card(0).get_by_role("button", name="Accept").click()
    desk.window.get_by_label("Name").fill("edith")
    desk.window.get_by_label("Password").fill(PASSWORD)
    desk.window.get_by_role("button", name="Log in").click()
    desk.card(0).wait_for()
    assert desk.window.url == here


def test_live_progress_and_fresh_figures_when_it_ends(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk(is_admin=True)
    run = make_pipeline(desk.site, "running", "queued", "queued")
    crawl = Crawl.objects.filter(pk=run.crawl_id)
    crawl.update(progress_done=1, progress_total=9, progress_note="pages read")
    desk.window.goto(f"/sites/{desk.site.pk}/")
    desk.window.get_by_text("1 of 9").wait_for()
    crawl.update(progress_done=5)
    desk.window.get_by_text("5 of 9").wait_for()
    crawl.update(status="done")
    run.embedding_run.status = run.status = "done"
    run.embedding_run.save()
    make_recommendation(run, desk.source, make_page(desk.site, "more"), "an hour")
    run.save()
    desk.window.get_by_role("heading", name="Up to date").wait_for()
    desk.window.locator(".main-figure dd", has_text="1").wait_for()
    desk.window.locator("#page-list td[data-label=Pending]", has_text="1").wait_for()
    desk.window.get_by_role("button", name="Read the site again").wait_for()


def test_no_answer_to_a_question_asked_again_is_told_until_one_comes(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk(is_admin=True)
    run = make_pipeline(desk.site, "running", "queued", "queued")
    desk.window.goto(f"/sites/{desk.site.pk}/")
    desk.window.route("**/progress/", lambda route: route.abort())
    desk.window.get_by_text("No answer from the server; trying again.").wait_for()
    desk.window.unroute("**/progress/")
    desk.window.locator("#no-answer").wait_for(state="detached")
    Crawl.objects.filter(pk=run.crawl_id).update(status="failed", error="The start page answered 500.")
    desk.window.get_by_text("The run failed.").wait_for()
    assert [fault for fault in desk.faults if "ERR_FAILED" not in fault and "htmx:" not in fault] == []
    desk.faults.clear()
