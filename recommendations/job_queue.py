"""Puts jobs into the queue and looks whether one waits there. Leaves what is due to pipeline.py."""

import logging
import secrets

import django_rq
from redis.exceptions import RedisError
from rq.queue import Queue
from rq.registry import StartedJobRegistry

from linkrec_site.queue_settings import FAILURE_TTL_SECONDS, QUEUE_NAME
from recommendations.rq_job import JsonJob

logger = logging.getLogger(__name__)


class QueueUnreachable(Exception):
    """No queue server answers; what was asked for stands in the database and is done once one does."""


def enqueue_run(function: str, run_id: int, *, is_started_counted: bool) -> bool:
    """Queue `function(run_id)` unless it waits already; True when it was queued.

    `is_started_counted`: a job that a worker has begun counts as waiting too. Not so for a run whose lease is over.
    Two callers at once may queue it twice: the second one's claim finds nothing to do.
    """
    prefix = f"{function.rsplit('.', 1)[1]}-{run_id}-"
    try:
        queue = django_rq.get_queue(QUEUE_NAME, commit_mode="auto")
        job_ids = queue.job_ids
        if is_started_counted:
            job_ids = job_ids + _started_job_ids(queue)
        if any(job_id.startswith(prefix) for job_id in job_ids):
            return False
        queue.enqueue_call(
            function,
            args=(run_id,),
            job_id=prefix + secrets.token_hex(4),
            description=f"{function}({run_id})",
            failure_ttl=FAILURE_TTL_SECONDS,
        )
    except RedisError as error:
        raise QueueUnreachable(f"The queue server cannot be reached ({error}).") from error
    return True


def _started_job_ids(queue: Queue) -> list[str]:
    registry = StartedJobRegistry(queue=queue, job_class=JsonJob)
    # No cleanup here: that is the workers' maintenance, and an expired entry belongs to a dead worker.
    expired = set(registry.get_expired_job_ids())
    return [job_id for job_id in registry.get_job_ids(cleanup=False) if job_id not in expired]
