"""Who may work on a site: one process at a time, whatever it does there; those that died are taken over from."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import IntegrityError, transaction
from django.utils import timezone

from crawler.errors import SiteBusy
from crawler.foreground_runs import take_site_in_foreground
from crawler.leases import ACTIVE, LeasedRun, RunStatus, claim_run, finish_run
from crawler.models import Crawl, Site
from crawler.site_turns import leased_models, take_site
from embeddings.models import EmbeddingRun
from recommendations.models import RecommendationRun
from tests.factories import make_site

pytestmark = pytest.mark.django_db
MODELS = (Crawl, EmbeddingRun, RecommendationRun)


@pytest.fixture
def site() -> Site:
    return make_site()


def silence(model: type[LeasedRun]) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    model._default_manager.update(heartbeat_at=long_ago, created_at=long_ago)


def test_every_stage_counts() -> None:
    assert set(leased_models()) == set(MODELS)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("status", ACTIVE)
def test_the_database_holds_one_active_run_of_a_kind(site: Site, model: type[LeasedRun], status: str) -> None:
    manager: Any = model._default_manager
    for ended in (RunStatus.DONE, RunStatus.FAILED, RunStatus.STOPPED, status):
        manager.create(site=site, status=ended)
    with pytest.raises(IntegrityError), transaction.atomic():
        manager.create(site=site)
    manager.create(site=make_site(), status=status)


@pytest.mark.parametrize("first", MODELS)
@pytest.mark.parametrize("second", MODELS)
def test_a_live_run_of_any_stage_keeps_others_out(site: Site, first: type[LeasedRun], second: type[LeasedRun]) -> None:
    run = take_site(site.pk, first)
    with pytest.raises(SiteBusy, match=f"about to be {first.work} by another process"):
        take_site(site.pk, second)
    token = claim_run(first, run.pk)
    assert token
    with pytest.raises(SiteBusy, match=f"{site.start_url} is being {first.work} by another process") as refused:
        take_site(site.pk, second)
    assert refused.value.heard_of
    finish_run(first, run.pk, token, RunStatus.DONE)
    assert take_site(site.pk, second).status == RunStatus.QUEUED


@pytest.mark.parametrize("model", MODELS)
def test_a_silent_run_is_taken_over_and_only_a_crawl_goes_on(site: Site, model: type[LeasedRun]) -> None:
    left = take_site(site.pk, model)
    assert claim_run(model, left.pk)
    silence(model)
    taken = take_site(site.pk, model)
    assert (taken.pk == left.pk) == (model is Crawl)
    assert claim_run(model, taken.pk)
    assert model._default_manager.filter(status__in=ACTIVE).count() == 1


def test_a_crawl_cut_short_goes_on_for_a_day(site: Site) -> None:
    crawl = take_site(site.pk, Crawl)
    token = claim_run(Crawl, crawl.pk)
    assert token
    finish_run(Crawl, crawl.pk, token, RunStatus.FAILED, error="down", figures={"so_far": {"with_text": 3}})
    assert take_site(site.pk, Crawl) == crawl
    Crawl.objects.update(status=RunStatus.STOPPED, finished_at=timezone.now() - timedelta(days=2))
    assert take_site(site.pk, Crawl) != crawl


def test_a_crawl_that_read_nothing_begins_anew(site: Site) -> None:
    crawl = take_site(site.pk, Crawl)
    Crawl.objects.update(status=RunStatus.FAILED, finished_at=timezone.now())
    assert take_site(site.pk, Crawl) != crawl


def test_a_command_waits_for_a_heartbeat_or_the_leases_end(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    run = take_site(site.pk, EmbeddingRun)
    assert claim_run(EmbeddingRun, run.pk)
    monkeypatch.setattr("crawler.foreground_runs.time.sleep", lambda _: beat())

    def beat() -> None:
        EmbeddingRun.objects.update(heartbeat_at=timezone.now())

    with pytest.raises(CommandError, match="is being embedded by another process"):
        take_site_in_foreground(site, Crawl)
    monkeypatch.setattr("crawler.foreground_runs.time.sleep", lambda _: silence(EmbeddingRun))
    assert take_site_in_foreground(site, Crawl).status == RunStatus.QUEUED
    assert EmbeddingRun.objects.get().status == RunStatus.STOPPED
