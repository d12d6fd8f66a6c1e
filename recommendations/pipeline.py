"""Crawl, embed, recommend as one chain: starts, stops and retries it, and sees to it that it goes on.

The database says what is due; the queue only wakes workers. So a queue that was lost, or a worker killed between one
stage's end and the next one's start, costs a few seconds and nothing else: `requeue_lost` looks again and again.
Leaves the stages' work to their jobs.
"""

import logging
from typing import Any

from django.db import transaction
from django.utils import timezone
from rq.job import Job

from crawler.errors import SiteBusy
from crawler.leases import ACTIVE, LeasedRun, RunStatus
from crawler.models import Crawl, Site
from crawler.site_turns import end_left_runs, refuse_while_busy
from embeddings.models import EmbeddingRun
from recommendations.errors import PipelineConflict
from recommendations.job_queue import QueueUnreachable, enqueue_run
from recommendations.models import RecommendationRun
from recommendations.pruning import end_abandoned_runs, prune_runs
from recommendations.stages import UNFINISHED, Stage, is_lease_over, run_of_job, stage_rows

logger = logging.getLogger(__name__)

#: A run whose worker dies so often is not tried again: something in it kills workers.
MAX_ATTEMPTS = 5


def latest_pipeline(site_id: int) -> RecommendationRun | None:
    """The newest run of the site, whatever has become of it."""
    return RecommendationRun.objects.filter(site_id=site_id).select_related("crawl", "embedding_run").first()


def active_pipeline(site_id: int) -> RecommendationRun | None:
    """The run of the site of which a stage waits or works."""
    return RecommendationRun.objects.filter(UNFINISHED, site_id=site_id).first()


def start_pipeline(
    site_id: int, requested_by: Any = None, *, options: dict[str, Any] | None = None
) -> RecommendationRun:
    """Queue the three stages for the site; the run that is already under way where there is one.

    Raises PipelineConflict while an earlier one is still stopping, or a command works on the site.
    """
    with transaction.atomic():
        run = write_pipeline(site_id, requested_by, options or {})
    wake_workers(run)
    return run


def write_pipeline(site_id: int, requested_by: Any, options: dict[str, Any]) -> RecommendationRun:
    """The rows of `start_pipeline`, inside the caller's transaction; `wake_workers` after it. `options["full"]` asks
    for every page to be read and ranked anew.
    """
    site = Site.objects.select_for_update().get(pk=site_id)
    active = active_pipeline(site_id)
    if active is not None:
        if active.status not in ACTIVE:
            raise PipelineConflict(f"The last run of {site.name} is still stopping. Try again in half a minute.")
        _note_who_asked(active, requested_by)
        return active
    _take_turn(site)
    is_full = bool(options.get("full"))
    return RecommendationRun.objects.create(
        site=site,
        crawl=Crawl.objects.create(site=site, requested_by=requested_by, is_full_asked=is_full),
        embedding_run=EmbeddingRun.objects.create(site=site),
        options=options,
    )


def stop_pipeline(run_id: int) -> None:
    """Ask every stage of the run to stop; those that only wait have stopped when this returns."""
    run = RecommendationRun.objects.get(pk=run_id)
    for stage, row in stage_rows(run):
        rows = stage.model._default_manager.filter(pk=row.pk)
        rows.filter(status__in=ACTIVE).update(is_stop_requested=True)
        _end(rows.filter(status=RunStatus.QUEUED), RunStatus.STOPPED, "Stopped on request.")


def retry_pipeline(run_id: int, requested_by: Any = None, *, are_losses_confirmed: bool = False) -> RecommendationRun:
    """Queue a failed or stopped run again; finished stages stay, the others go on where they were.

    With `are_losses_confirmed` a run whose crawl is held is taken up again whole, however it ended. Raises
    PipelineConflict for a run that is under way, is finished, or has a newer one after it.
    """
    with transaction.atomic():
        run = RecommendationRun.objects.select_related("site", "crawl").get(pk=run_id)
        site = Site.objects.select_for_update().get(pk=run.site_id)
        _refuse_to_retry(run, are_losses_confirmed=are_losses_confirmed)
        _take_turn(site)
        for stage, row in stage_rows(run):
            if row.status != RunStatus.DONE or are_losses_confirmed:
                stage.model._default_manager.filter(pk=row.pk).update(
                    status=RunStatus.QUEUED, attempts=0, is_stop_requested=False, error="", finished_at=None
                )
        if are_losses_confirmed and run.crawl_id is not None:
            Crawl.objects.filter(pk=run.crawl_id).update(are_losses_confirmed=True)
        RecommendationRun.objects.filter(pk=run_id).update(is_told=False)
        _note_who_asked(run, requested_by)
    run.refresh_from_db()
    wake_workers(run)
    return run


def advance(run: RecommendationRun) -> None:
    """Queue the first stage that is not done, if it is nobody's; end the stages behind one that failed.

    Raises QueueUnreachable. Safe to call at any time from any process.
    """
    for stage, row in stage_rows(run):
        if row.status == RunStatus.DONE:
            continue
        rows = stage.model._default_manager.filter(pk=row.pk, attempt_token=row.attempt_token, status=row.status)
        if row.status in (RunStatus.FAILED, RunStatus.STOPPED):
            _stop_behind(run, stage, row)
        elif row.is_stop_requested and (row.status == RunStatus.QUEUED or is_lease_over(row)):
            _end(rows, RunStatus.STOPPED, "Stopped on request.")
        elif is_lease_over(row) and row.attempts >= MAX_ATTEMPTS:
            _end(rows, RunStatus.FAILED, _gave_up(stage, row))
        elif row.status == RunStatus.QUEUED or is_lease_over(row):
            is_waiting = row.status == RunStatus.QUEUED
            if enqueue_run(stage.function, row.pk, is_started_counted=is_waiting) and not is_waiting:
                logger.warning("The %s %s lost its worker and was queued again.", stage.name, row.pk)
        return


def advance_after_job(job: Job) -> None:
    """What the worker calls when a job has ended, however it ended."""
    run = run_of_job(job.func_name or "", job.args[0])
    if run is None:
        return
    advance(run)
    run.refresh_from_db()
    if run.status not in ACTIVE:
        prune_runs(run.site_id)


def requeue_lost() -> None:
    """Bring every unfinished run on its way again; each worker's maintenance calls it."""
    end_abandoned_runs()
    for run in RecommendationRun.objects.filter(UNFINISHED):
        advance(run)


def wake_workers(run: RecommendationRun) -> None:
    """Queue the run's next stage after its rows are written. Without a queue server it waits for one."""
    try:
        advance(run)
    except QueueUnreachable as error:
        # The rows are what counts: the next worker that starts finds them.
        logger.warning("Run %s waits until a worker is there: %s", run.pk, error)


def _refuse_to_retry(run: RecommendationRun, *, are_losses_confirmed: bool) -> None:
    """Raises PipelineConflict for a run that cannot be taken up again."""
    name = run.site.name
    newest = latest_pipeline(run.site_id)
    if newest is None or newest.pk != run.pk:
        raise PipelineConflict(f"Run {run.pk} has a newer one after it. Start a new run of {name}.")
    if active_pipeline(run.site_id) is not None:
        raise PipelineConflict(f"Run {run.pk} of {name} is under way. Stop it first, or wait.")
    if run.crawl is None or run.embedding_run_id is None:
        raise PipelineConflict(f"Run {run.pk} of {name} was a command's in a terminal. Start a new run.")
    if are_losses_confirmed and not run.crawl.is_held:
        raise PipelineConflict(f"Run {run.pk} of {name} waits for no confirmation. Nothing was changed.")
    if run.status == RunStatus.DONE and not are_losses_confirmed:
        raise PipelineConflict(f"Run {run.pk} of {name} is finished. Start a new run.")


def _note_who_asked(run: RecommendationRun, person: Any) -> None:
    """Whoever asks for a run that another has asked for is told of its end too."""
    asked = run.options.get("also_asked", [])
    if person is None or person.pk in asked or (run.crawl and run.crawl.requested_by_id == person.pk):
        return
    run.options = {**run.options, "also_asked": [*asked, person.pk]}
    RecommendationRun.objects.filter(pk=run.pk).update(options=run.options)


def _take_turn(site: Site) -> None:
    """Raises PipelineConflict while a command works on the site; ends what a killed one left."""
    try:
        refuse_while_busy(site)
    except SiteBusy as error:
        raise PipelineConflict(str(error)) from error
    end_left_runs(site.pk)


def _stop_behind(run: RecommendationRun, failed: Stage, failed_row: LeasedRun) -> None:
    became = "failed" if failed_row.status == RunStatus.FAILED else "was stopped"
    sentence = f"Not begun, because the {failed.name} {became}: {failed_row.error or 'no reason is known.'}"
    is_behind = False
    for stage, row in stage_rows(run):
        if is_behind:
            queued = stage.model._default_manager.filter(pk=row.pk, status=RunStatus.QUEUED)
            _end(queued, RunStatus.STOPPED, sentence)
        is_behind = is_behind or stage == failed


def _end(rows: Any, status: str, error: str) -> None:
    rows.update(status=status, error=error, finished_at=timezone.now())


def _gave_up(stage: Stage, row: LeasedRun) -> str:
    return (
        f"The {stage.name} ended {row.attempts} workers without a word, perhaps for want of memory. "
        "The worker's log may say why; trying again goes on where it stopped."
    )
