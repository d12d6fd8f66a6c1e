"""What a first run prepares for people: the admin account and the first site with its run.

Leaves processes to supervisor.py and printing to the command.
"""

import secrets
from dataclasses import dataclass

from django.contrib.auth import get_user_model

from crawler.leases import RunStatus
from crawler.models import Site
from recommendations.models import RecommendationRun
from recommendations.pipeline import active_pipeline, latest_pipeline, retry_pipeline, start_pipeline

ADMIN_NAME = "admin"
STAGE_LABELS = ("Reading the site", "Embedding its text", "Recommending links")


def make_admin_account() -> str | None:
    """The generated password of a new admin account; None when an admin is there already."""
    users = get_user_model().objects
    if users.filter(is_superuser=True).exists():
        return None
    password = secrets.token_urlsafe(12)
    users.create_superuser(username=ADMIN_NAME, password=password)
    return password


def begin_first_run(site: Site) -> RecommendationRun | None:
    """The site's run that is to be watched: under way, tried again or new. None when it has finished before.

    Raises PipelineConflict while a command works on the site, or an earlier run of it is still stopping.
    """
    active = active_pipeline(site.pk)
    if active is not None:
        return active
    if site.recommendation_runs.filter(status=RunStatus.DONE).exists():
        return None
    newest = latest_pipeline(site.pk)
    if newest is not None and newest.crawl_id and newest.embedding_run_id:
        return retry_pipeline(newest.pk)
    return start_pipeline(site.pk)


@dataclass(frozen=True)
class RunView:
    """Where a run stands, in words: `line` for the terminal, `outcome` once it has ended."""

    stage: int
    line: str
    outcome: str


def view_run(run_id: int) -> RunView:
    """Read the run's rows: the stage that waits or works, or how it ended."""
    run = RecommendationRun.objects.select_related("crawl", "embedding_run").filter(pk=run_id).first()
    if run is None:
        return RunView(-1, "", "The run is gone; its site was deleted.")
    rows = [row for row in (run.crawl, run.embedding_run, run) if row is not None]
    for stage, (label, row) in enumerate(zip(STAGE_LABELS, rows, strict=False)):
        if row.status in (RunStatus.FAILED, RunStatus.STOPPED):
            return RunView(stage, "", row.error or "The run was stopped.")
        if row.status != RunStatus.DONE:
            count = f"{row.progress_done} of {row.progress_total}" if row.progress_total else ""
            words = ", ".join(part for part in (count, row.progress_note) if part)
            return RunView(stage, f"{label}: {words or 'waiting for the worker'}", "")
    count = run.figures.get("recommendations", 0)
    return RunView(len(rows), "", f"{count} links are suggested.")
