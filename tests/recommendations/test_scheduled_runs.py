"""Runs that schedules ask for: started once, made up for once, and again after a failure. No queue server here."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from crawler.leases import RunStatus
from crawler.models import Crawl, Site
from recommendations import scheduled_runs
from recommendations.models import RecommendationRun
from recommendations.pipeline import start_pipeline, stop_pipeline
from recommendations.scheduled_runs import BUSY_DELAY, start_due_runs
from tests.factories import make_pipeline, make_site

pytestmark = pytest.mark.django_db


def due_site(**values: Any) -> Site:
    values.setdefault("next_run_at", timezone.now() - timedelta(days=10))
    return make_site(schedule="daily", **values)


def test_a_due_site_is_started_and_its_missed_times_are_made_up_for_once() -> None:
    site = due_site()
    make_site(schedule="daily", next_run_at=timezone.now() + timedelta(hours=1))
    make_site()
    (run,) = start_due_runs()
    assert run.site_id == site.pk
    assert run.options == {"scheduled": True}
    site.refresh_from_db()
    assert timezone.now() < site.next_run_at < timezone.now() + timedelta(days=1, hours=1)
    assert start_due_runs() == []
    assert RecommendationRun.objects.count() == 1


def test_of_two_that_saw_the_same_time_one_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    due_site()
    write_pipeline = scheduled_runs.write_pipeline
    others: list[list[RecommendationRun]] = []

    def look_meanwhile(*args: Any) -> RecommendationRun:
        if not others:
            others.append([])
            others[0] = start_due_runs()
        return write_pipeline(*args)

    seen = list(Site.objects.all())
    monkeypatch.setattr(scheduled_runs, "write_pipeline", look_meanwhile)
    assert len(start_due_runs()) == 1
    assert others == [[]]
    # One that read the row before, and comes late.
    assert scheduled_runs._start_if_first(seen[0], timezone.now()) is None
    assert RecommendationRun.objects.count() == 1


def test_a_site_whose_schedule_was_written_without_a_time_gets_one() -> None:
    site = make_site(schedule="weekly")
    assert start_due_runs() == []
    site.refresh_from_db()
    assert site.next_run_at is not None


def test_a_failing_site_goes_on_being_scheduled() -> None:
    site = due_site()
    for number in range(1, 4):
        (run,) = start_due_runs()
        Crawl.objects.filter(pk=run.crawl_id).update(status=RunStatus.FAILED)
        run.embedding_run.__class__.objects.update(status=RunStatus.STOPPED)
        RecommendationRun.objects.update(status=RunStatus.STOPPED)
        Site.objects.filter(pk=site.pk).update(next_run_at=timezone.now() - timedelta(minutes=number))
    assert RecommendationRun.objects.count() == 3


def test_a_run_that_is_under_way_is_the_scheduled_one() -> None:
    site = due_site()
    run = start_pipeline(site.pk)
    assert start_due_runs() == [run]
    assert RecommendationRun.objects.count() == 1


def test_a_site_that_is_still_stopping_is_looked_at_again_soon() -> None:
    site = due_site()
    run = make_pipeline(site, "running", "queued", "queued")
    stop_pipeline(run.pk)
    assert start_due_runs() == []
    site.refresh_from_db()
    assert site.next_run_at <= timezone.now() + BUSY_DELAY
    assert RecommendationRun.objects.count() == 1


def test_a_schedule_that_was_written_past_the_forms_holds_up_nobody() -> None:
    broken = due_site()
    Site.objects.filter(pk=broken.pk).update(schedule="whenever")
    site = due_site()
    assert {run.site_id for run in start_due_runs()} >= {site.pk}
