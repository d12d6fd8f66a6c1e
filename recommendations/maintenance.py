"""What every worker does between jobs: runs on their way again, schedules that are due, people who are to be told.

Each step is safe in many workers at once, and none keeps another from being done. Leaves the steps to their modules.
"""

import logging
from collections.abc import Callable

from rq.job import Job

from accounts.notice_mails import send_due_mails
from recommendations.pipeline import advance_after_job, requeue_lost
from recommendations.run_ends import tell_of_ended_runs
from recommendations.scheduled_runs import start_due_runs

logger = logging.getLogger(__name__)


def look_after_runs() -> None:
    """Each worker's maintenance calls it every few seconds."""
    _do_all(requeue_lost, start_due_runs, tell_of_ended_runs, send_due_mails)


def finish_after_job(job: Job) -> None:
    """What the worker calls when a job has ended, however it ended."""
    _do_all(lambda: advance_after_job(job), tell_of_ended_runs, send_due_mails)


def _do_all(*steps: Callable[[], object]) -> None:
    for step in steps:
        try:
            step()
        except Exception:
            # What is due stays in the database, and the next worker's maintenance finds it.
            logger.exception("A step of the workers' maintenance failed; it is tried again.")
