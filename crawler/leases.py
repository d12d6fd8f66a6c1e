"""Leased runs: the rows that background jobs claim, keep alive and write under.

A run is claimed by one UPDATE that matches only when it is queued, or running with an expired heartbeat; the claim
writes a new attempt token, and every later write of the job is fenced by that token. So a job that was thought dead
cannot write after its successor. Leaves the work itself to the services.
"""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone


class LeaseLost(Exception):
    """Another worker took this run over, or it was stopped: stop writing at once."""


class RunStatus(models.TextChoices):
    QUEUED = "queued", "queued"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"
    STOPPED = "stopped", "stopped"


#: A run that waits or works; a site has one of a kind.
ACTIVE = (RunStatus.QUEUED, RunStatus.RUNNING)


class LeasedRun(models.Model):
    """One run of one stage on one site. Progress is in the unit that the stage names in `progress_note`."""

    #: What is done to the site, in words: "it is being ...".
    work: ClassVar[str] = "worked on"

    status = models.CharField(max_length=10, choices=RunStatus, default=RunStatus.QUEUED)
    attempt_token = models.CharField(max_length=32, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    is_stop_requested = models.BooleanField(default=False)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)
    progress_note = models.CharField(max_length=200, blank=True)
    error = models.TextField(blank=True)
    figures = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE


def lease_seconds() -> int:
    """How long a run belongs to its worker after the last heartbeat: LINKREC_LEASE_SECONDS."""
    return int(settings.LINKREC_LEASE_SECONDS)


def heartbeat_seconds() -> float:
    """How often a worker says that it is alive: six times a lease, so that a few lost ones do no harm."""
    return lease_seconds() / 6


def expired_before() -> datetime:
    """A heartbeat older than this no longer holds its run."""
    return timezone.now() - timedelta(seconds=lease_seconds())


def one_active_run(name: str) -> models.UniqueConstraint:
    """The constraint of each stage's model: a site has one run that waits or works."""
    return models.UniqueConstraint(fields=("site",), condition=models.Q(status__in=ACTIVE), name=name)


def claim_run(model: type[LeasedRun], run_id: int) -> str | None:
    """Take the run if it is free: its new attempt token, or None when another worker holds it or it has ended."""
    now = timezone.now()
    token = secrets.token_hex(16)
    free = models.Q(status=RunStatus.QUEUED) | models.Q(status=RunStatus.RUNNING, heartbeat_at__lt=expired_before())
    changed = model._default_manager.filter(free, pk=run_id).update(
        status=RunStatus.RUNNING,
        attempt_token=token,
        attempts=models.F("attempts") + 1,
        heartbeat_at=now,
        started_at=Coalesce("started_at", now),
        error="",
    )
    return token if changed else None


def fence_run(model: type[LeasedRun], run_id: int, token: str, **values: Any) -> None:
    """Write `values` and a heartbeat under the token. Call inside the transaction of the rows it guards.

    Raises LeaseLost when the token is no longer the run's or a stop was asked for.
    """
    held = model._default_manager.filter(
        pk=run_id, attempt_token=token, status=RunStatus.RUNNING, is_stop_requested=False
    )
    if not held.update(heartbeat_at=timezone.now(), **values):
        raise LeaseLost(f"{model.__name__} {run_id} is no longer held by this worker.")


def finish_run(model: type[LeasedRun], run_id: int, token: str, status: str, **values: Any) -> bool:
    """End the run under its token; False when it was no longer ours."""
    held = model._default_manager.filter(pk=run_id, attempt_token=token, status=RunStatus.RUNNING)
    return bool(held.update(status=status, finished_at=timezone.now(), **values))


def release_run(model: type[LeasedRun], run_id: int, token: str) -> bool:
    """Give the run back unfinished, for the next worker to go on with; False when it was no longer ours."""
    held = model._default_manager.filter(pk=run_id, attempt_token=token, status=RunStatus.RUNNING)
    # Giving back is no failed attempt: a machine may be stopped and started as often as one likes.
    attempts = Greatest(models.F("attempts") - 1, 0)
    return bool(held.update(status=RunStatus.QUEUED, attempt_token="", attempts=attempts))


#: What services are handed to report progress and keep the lease: (done, total, note). It may raise LeaseLost.
Progress = Callable[[int, int, str], None]


def ignore_progress(done: int, total: int, note: str) -> None:
    """The progress callback of those who do not look."""
