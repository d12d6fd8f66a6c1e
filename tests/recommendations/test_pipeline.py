"""The chain of stages as rows: what starts, stops, is tried again and is pruned. No queue server answers here."""

from datetime import timedelta

import pytest
from django.utils import timezone

from crawler.leases import RunStatus, claim_run, finish_run
from crawler.models import Crawl, Site
from crawler.site_turns import take_site
from embeddings.models import EmbeddingRun
from linkrec_site.first_run import view_run
from recommendations.errors import PipelineConflict
from recommendations.models import RecommendationRun
from recommendations.pipeline import (
    active_pipeline,
    latest_pipeline,
    retry_pipeline,
    start_pipeline,
    stop_pipeline,
)
from recommendations.pruning import KEPT_CRAWLS, KEPT_RUNS, end_abandoned_runs, prune_runs
from recommendations.selectors_runs import pipeline_states

pytestmark = pytest.mark.django_db


@pytest.fixture
def site() -> Site:
    return Site.objects.create(name="A site", start_url="https://a.example/")


def fail_crawl(run: RecommendationRun) -> None:
    assert run.crawl_id is not None
    token = claim_run(Crawl, run.crawl_id)
    assert token
    finish_run(Crawl, run.crawl_id, token, RunStatus.FAILED, error="It is down.")


def statuses(run: RecommendationRun) -> list[str]:
    run = RecommendationRun.objects.select_related("crawl", "embedding_run").get(pk=run.pk)
    assert run.crawl is not None
    assert run.embedding_run is not None
    return [run.crawl.status, run.embedding_run.status, run.status]


def test_a_second_request_returns_the_run_that_is_under_way(site: Site) -> None:
    first = start_pipeline(site.pk, options={"top": 3})
    assert statuses(first) == ["queued"] * 3
    assert start_pipeline(site.pk) == first == latest_pipeline(site.pk) == active_pipeline(site.pk)
    assert first.options == {"top": 3}


def test_two_sites_run_beside_each_other(site: Site) -> None:
    other = Site.objects.create(name="Another", start_url="https://b.example/")
    assert start_pipeline(site.pk) != start_pipeline(other.pk)


def test_stopping_ends_what_waits_and_asks_what_works(site: Site) -> None:
    run = start_pipeline(site.pk)
    assert run.crawl_id is not None
    claim_run(Crawl, run.crawl_id)
    stop_pipeline(run.pk)
    assert statuses(run) == ["running", "stopped", "stopped"]
    assert Crawl.objects.get().is_stop_requested
    with pytest.raises(PipelineConflict, match="still stopping"):
        start_pipeline(site.pk)


def test_a_retry_keeps_finished_stages(site: Site) -> None:
    run = start_pipeline(site.pk)
    assert run.crawl_id is not None
    token = claim_run(Crawl, run.crawl_id)
    assert token
    finish_run(Crawl, run.crawl_id, token, RunStatus.DONE)
    stop_pipeline(run.pk)
    assert statuses(retry_pipeline(run.pk)) == ["done", "queued", "queued"]


def test_a_failed_crawl_can_be_tried_again_once_at_a_time(site: Site) -> None:
    run = start_pipeline(site.pk)
    fail_crawl(run)
    stop_pipeline(run.pk)
    retry_pipeline(run.pk)
    crawl = Crawl.objects.get()
    assert (crawl.status, crawl.error, crawl.is_stop_requested) == ("queued", "", False)
    with pytest.raises(PipelineConflict, match="under way"):
        retry_pipeline(run.pk)


def test_only_the_newest_unfinished_run_is_tried_again(site: Site) -> None:
    old = start_pipeline(site.pk)
    stop_pipeline(old.pk)
    new = start_pipeline(site.pk)
    with pytest.raises(PipelineConflict, match="newer one"):
        retry_pipeline(old.pk)
    for model in (Crawl, EmbeddingRun, RecommendationRun):
        model.objects.filter(site=site).update(status=RunStatus.DONE)
    with pytest.raises(PipelineConflict, match="is finished"):
        retry_pipeline(new.pk)


def test_old_runs_are_pruned_and_the_crawls_rows_kept(site: Site) -> None:
    for _ in range(KEPT_CRAWLS + 2):
        run = start_pipeline(site.pk)
        for model in (Crawl, EmbeddingRun, RecommendationRun):
            model.objects.filter(status=RunStatus.QUEUED).update(status=RunStatus.DONE)
    waiting = start_pipeline(site.pk)
    prune_runs(site.pk)
    kept = list(RecommendationRun.objects.values_list("pk", flat=True))
    assert kept == [waiting.pk, *range(run.pk, run.pk - KEPT_RUNS, -1)]
    assert Crawl.objects.count() == EmbeddingRun.objects.count() == KEPT_CRAWLS


def test_a_run_is_free_again_when_its_lease_is_over(site: Site) -> None:
    run = start_pipeline(site.pk)
    assert run.crawl_id is not None
    assert claim_run(Crawl, run.crawl_id)
    assert claim_run(Crawl, run.crawl_id) is None
    Crawl.objects.update(heartbeat_at=timezone.now() - timedelta(hours=1))
    assert claim_run(Crawl, run.crawl_id)
    assert Crawl.objects.get().attempts == 2


def test_what_a_killed_command_left_is_ended_and_a_chain_is_not(site: Site) -> None:
    chained = start_pipeline(site.pk)
    assert chained.crawl_id is not None
    other = Site.objects.create(name="Another", start_url="https://b.example/")
    alone = RecommendationRun.objects.create(site=other)
    lone_crawl = Crawl.objects.create(site=other)
    for model, pk in ((Crawl, chained.crawl_id), (Crawl, lone_crawl.pk), (RecommendationRun, alone.pk)):
        assert claim_run(model, pk)
    end_abandoned_runs()
    assert not RecommendationRun.objects.filter(status=RunStatus.FAILED).exists()
    for rows in (Crawl.objects, RecommendationRun.objects):
        rows.update(heartbeat_at=timezone.now() - timedelta(hours=1))
    end_abandoned_runs()
    assert statuses(chained) == ["running", "queued", "queued"]
    assert {RecommendationRun.objects.get(pk=alone.pk).status, Crawl.objects.get(pk=lone_crawl.pk).status} == {"failed"}


def test_a_command_at_work_on_the_site_keeps_a_run_from_starting(site: Site) -> None:
    failed = start_pipeline(site.pk)
    fail_crawl(failed)
    stop_pipeline(failed.pk)
    Crawl.objects.update(heartbeat_at=timezone.now() - timedelta(hours=1))
    command = take_site(site.pk, EmbeddingRun)
    assert claim_run(EmbeddingRun, command.pk)
    with pytest.raises(PipelineConflict, match="is being embedded by another process"):
        start_pipeline(site.pk)
    with pytest.raises(PipelineConflict, match="is being embedded by another process"):
        retry_pipeline(failed.pk)
    EmbeddingRun.objects.filter(pk=command.pk).update(heartbeat_at=timezone.now() - timedelta(hours=1))
    run = start_pipeline(site.pk)
    assert statuses(run) == ["queued"] * 3
    assert EmbeddingRun.objects.get(pk=command.pk).status == "stopped"


def test_what_a_command_did_alone_is_not_tried_again(site: Site) -> None:
    run = RecommendationRun.objects.create(site=site, status=RunStatus.FAILED, error="No text.")
    with pytest.raises(PipelineConflict, match="a command's in a terminal"):
        retry_pipeline(run.pk)
    state = pipeline_states([site.pk])[site.pk]
    assert (state.status, state.can_retry) == ("failed", False)


def test_failed_runs_do_not_pile_up(site: Site) -> None:
    shown = RecommendationRun.objects.create(site=site, status=RunStatus.DONE)
    failed = [RecommendationRun.objects.create(site=site, status=RunStatus.FAILED).pk for _ in range(KEPT_RUNS + 2)]
    waiting = start_pipeline(site.pk)
    prune_runs(site.pk)
    kept = set(RecommendationRun.objects.values_list("pk", flat=True))
    assert kept == {shown.pk, waiting.pk, *failed[-KEPT_RUNS:]}


def test_the_view_of_a_deleted_sites_run_is_an_end(site: Site) -> None:
    run = start_pipeline(site.pk)
    assert not view_run(run.pk).outcome
    site.delete()
    assert "deleted" in view_run(run.pk).outcome
