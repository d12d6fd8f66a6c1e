"""Whether anything will happen: is the queue server there, and does a worker listen? Asked by pages, never by jobs."""

from dataclasses import dataclass
from datetime import UTC, timedelta

import django_rq
from django.core.cache import cache
from django.utils import timezone
from redis.exceptions import RedisError
from rq import Worker
from rq.worker import BaseWorker

from crawler.leases import lease_seconds
from linkrec_site.queue_settings import QUEUE_NAME, SERIALIZER
from recommendations.rq_job import JsonJob

_REMEMBERED_SECONDS = 3


@dataclass(frozen=True, slots=True)
class QueueHealth:
    """What the queue's server says."""

    is_reachable: bool
    workers: int

    @property
    def warning(self) -> str:
        """One sentence for people; empty when all is well."""
        if not self.is_reachable:
            return (
                "The queue cannot be reached, so nothing moves now. Nothing is lost: start it with “make run”, "
                "or look at REDIS_URL, and the work goes on by itself."
            )
        if not self.workers:
            return (
                "No worker is running, so this waits. Start one with “make run”, or with "
                "“python manage.py run_worker”, and it goes on by itself."
            )
        return ""


def queue_health() -> QueueHealth:
    """Ask the queue's server, at most every few seconds: progress is polled by every open window."""
    known: QueueHealth | None = cache.get("queue-health")
    if known is None:
        known = _ask()
        cache.set("queue-health", known, _REMEMBERED_SECONDS)
    return known


def _ask() -> QueueHealth:
    try:
        workers = Worker.all(queue=django_rq.get_queue(QUEUE_NAME), job_class=JsonJob, serializer=SERIALIZER)
    except (RedisError, OSError):
        return QueueHealth(is_reachable=False, workers=0)
    # A killed worker's entry outlives it by more than a minute; its heartbeat does not.
    return QueueHealth(is_reachable=True, workers=sum(_is_alive(worker) for worker in workers))


def _is_alive(worker: BaseWorker) -> bool:
    heard = worker.last_heartbeat
    if heard is None:
        return False
    if heard.tzinfo is None:
        heard = heard.replace(tzinfo=UTC)
    return timezone.now() - heard < timedelta(seconds=lease_seconds())
