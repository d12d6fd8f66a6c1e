"""Who is told what when a run has ended: those who asked and those who follow, once."""

from typing import Any

import pytest

from accounts.models import Notice, SiteFollower
from crawler.models import Crawl
from recommendations.models import RecommendationRun
from recommendations.pipeline import retry_pipeline, start_pipeline
from recommendations.run_ends import tell_of_ended_runs
from tests.factories import make_page, make_pipeline, make_recommendation, make_site, make_user

pytestmark = pytest.mark.django_db


def told() -> list[tuple[str, str, str]]:
    tell_of_ended_runs()
    return list(Notice.objects.order_by("pk").values_list("person__username", "kind", "text"))


def ended(*statuses: str, **values: Any) -> RecommendationRun:
    return make_pipeline(make_site("Workshop"), *statuses, **values)


def test_a_finished_run_is_told_with_its_figures_and_once() -> None:
    run = ended("done", "done", "done", requested_by=make_user("ada"))
    figures = {"read": 1240, "unchanged": 1200, "failed": {"HTTP 500": 1, "timed out": 2}}
    Crawl.objects.update(figures=figures)
    source, target = make_page(run.site, "a", "Some words."), make_page(run.site, "b")
    make_recommendation(run, source, target, "words")
    sentence = "Workshop was read: 1,240 pages, 1,200 of them unchanged. 1 suggestion now. 3 pages could not be read."
    assert told() == [("ada", "done", sentence)]
    assert len(told()) == 1


def test_a_failed_run_is_told_with_its_sentence() -> None:
    ended("failed", "stopped", "stopped", requested_by=make_user("ada"))
    Crawl.objects.update(error="https://workshop.example/ cannot be reached.")
    assert told() == [("ada", "failed", "The run of Workshop failed. https://workshop.example/ cannot be reached.")]


def test_a_held_run_asks_for_a_look() -> None:
    ended("failed", "stopped", "stopped", requested_by=make_user("ada"))
    Crawl.objects.update(is_held=True, error="Only 3 of the 10 known pages were found again.")
    ((_, kind, text),) = told()
    assert kind == "held"
    assert "say whether they are really gone" in text


@pytest.mark.parametrize("statuses", [("running", "queued", "queued"), ("done", "running", "queued"),
                                      ("failed", "queued", "queued"), ("stopped", "stopped", "stopped")])  # fmt: skip
def test_what_is_under_way_or_was_stopped_is_not_told(statuses: tuple[str, str, str]) -> None:
    ended(*statuses, requested_by=make_user("ada"))
    assert told() == []


def test_everybody_who_asked_is_told() -> None:
    site, ada, bob = make_site(), make_user("ada"), make_user("bob")
    run = start_pipeline(site.pk, ada)
    assert start_pipeline(site.pk, bob) == run
    assert start_pipeline(site.pk, bob) == run
    RecommendationRun.objects.update(status="done")
    Crawl.objects.update(status="done")
    run.embedding_run.__class__.objects.update(status="done")
    assert [name for name, *_ in told()] == ["ada", "bob"]


def test_a_scheduled_run_is_told_to_its_followers_while_they_are_active() -> None:
    run = ended("done", "done", "done")
    RecommendationRun.objects.update(options={"scheduled": True})
    for name, is_active in (("ada", True), ("gone", False)):
        person = make_user(name)
        person.is_active = is_active
        person.save()
        SiteFollower.objects.create(person=person, site=run.site)
    make_user("elsewhere")
    assert [name for name, *_ in told()] == ["ada"]


def test_a_run_that_is_tried_again_is_told_again() -> None:
    run = ended("failed", "stopped", "stopped", requested_by=make_user("ada"))
    assert len(told()) == 1
    retry_pipeline(run.pk, make_user("bob"))
    assert len(told()) == 1
    for model in (Crawl, run.embedding_run.__class__, RecommendationRun):
        model.objects.update(status="done")
    assert [(name, kind) for name, kind, _ in told()] == [("ada", "failed"), ("ada", "done"), ("bob", "done")]
