"""Which run of a site is shown, and how its pipeline stands. Leaves starting and stopping to `pipeline`."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max
from django.utils import timezone

from crawler.leases import LeasedRun, RunStatus, lease_seconds
from crawler.models import Crawl, Site
from recommendations.models import RecommendationRun

STAGE_NAMES = ("Read the pages", "Embed the sentences", "Find the links")


def shown_run(site_id: int) -> RecommendationRun | None:
    """The run whose suggestions people see: the latest that was finished, never one that is being written."""
    return RecommendationRun.objects.filter(site_id=site_id, status=RunStatus.DONE).order_by("-id").first()


def is_code_linkable(site: Site, run: RecommendationRun | None) -> bool:
    """Whether links may stand on inline code: the site's setting, else what its last run learned from its own links."""
    if site.is_inline_code_linkable is not None:
        return site.is_inline_code_linkable
    return bool(run and run.figures.get("is_code_linkable"))


@dataclass(frozen=True, slots=True)
class StageState:
    """One stage of a pipeline as people see it."""

    name: str
    status: str
    done: int
    total: int
    note: str
    error: str
    started_at: datetime | None
    finished_at: datetime | None
    is_silent: bool  # running, but its worker has not been heard of for a while
    is_unbegun: bool  # ended before it began: by a stop, or by what became of a stage before it

    @property
    def seconds(self) -> int | None:
        if self.started_at is None:
            return None
        return int(((self.finished_at or timezone.now()) - self.started_at).total_seconds())


@dataclass(frozen=True, slots=True)
class PipelineState:
    """Crawl, embedding and recommendation of one pipeline, as one thing with one state."""

    run_id: int
    site_id: int
    status: str
    stages: tuple[StageState, ...]
    error: str
    requested_by: str
    created_at: datetime
    finished_at: datetime | None
    is_stopping: bool
    crawl: Crawl | None
    run: RecommendationRun
    is_chained: bool  # all three stages were asked for at once; not so what a command in a terminal did

    @property
    def is_active(self) -> bool:
        return self.status in (RunStatus.QUEUED, RunStatus.RUNNING)

    @property
    def is_held(self) -> bool:
        """Whether its crawl lost so many pages that an admin is to look first."""
        return bool(not self.is_active and self.crawl and self.crawl.is_held and not self.crawl.are_losses_confirmed)

    @property
    def can_retry(self) -> bool:
        return self.is_chained and not self.is_held and self.status in (RunStatus.FAILED, RunStatus.STOPPED)

    @property
    def stage(self) -> StageState | None:
        """The stage that is at work or comes next."""
        return next((stage for stage in self.stages if stage.status != RunStatus.DONE), None)


def pipeline_states(site_ids: list[int]) -> dict[int, PipelineState]:
    """The latest pipeline of each site that ever had one, in one query."""
    latest = (
        RecommendationRun.objects.filter(site_id__in=site_ids).values("site_id").annotate(last=Max("id")).values("last")
    )
    runs = RecommendationRun.objects.filter(pk__in=latest).select_related(
        "crawl", "crawl__requested_by", "embedding_run"
    )
    return {run.site_id: state_of(run) for run in runs}


def state_of(run: RecommendationRun) -> PipelineState:
    """What a run and its earlier stages say together."""
    rows: list[tuple[str, LeasedRun]] = [
        (name, row)
        for name, row in zip(STAGE_NAMES, (run.crawl, run.embedding_run, run), strict=True)
        if row is not None
    ]
    stages = tuple(
        _stage_of(name, row, is_behind=any(before.status != RunStatus.DONE for _, before in rows[:number]))
        for number, (name, row) in enumerate(rows)
    )
    requested_by: Any = run.crawl.requested_by if run.crawl else None
    status = _status_of([stage.status for stage in stages])
    return PipelineState(
        run_id=run.pk,
        site_id=run.site_id,
        status=status,
        stages=stages,
        error=next((stage.error for stage in stages if stage.status == RunStatus.FAILED and stage.error), ""),
        requested_by=str(requested_by or ""),
        created_at=run.created_at,
        finished_at=max((stage.finished_at for stage in stages if stage.finished_at), default=None),
        is_stopping=any(row.is_stop_requested and row.is_active for _, row in rows),
        crawl=run.crawl,
        run=run,
        is_chained=run.crawl_id is not None and run.embedding_run_id is not None,
    )


def _stage_of(name: str, row: LeasedRun, *, is_behind: bool) -> StageState:
    silent_since = timezone.now() - timedelta(seconds=lease_seconds())
    return StageState(
        name=name,
        status=row.status,
        done=row.progress_done,
        total=row.progress_total,
        note=row.progress_note,
        error=row.error,
        started_at=row.started_at,
        finished_at=row.finished_at,
        is_silent=row.status == RunStatus.RUNNING and (row.heartbeat_at is None or row.heartbeat_at < silent_since),
        # One that is tried again keeps the time at which it began before.
        is_unbegun=row.status == RunStatus.STOPPED and (is_behind or row.started_at is None),
    )


def _status_of(statuses: list[str]) -> str:
    # A stage that is still at work comes first: those behind it may have been stopped already.
    for status in (RunStatus.RUNNING, RunStatus.FAILED, RunStatus.STOPPED):
        if status in statuses:
            return status
    if all(status == RunStatus.DONE for status in statuses):
        return RunStatus.DONE
    if all(status == RunStatus.QUEUED for status in statuses):
        return RunStatus.QUEUED
    return RunStatus.RUNNING
