"""The worker: RQ's, with intervals that let another take over within a lease or two, and a stop that loses nothing.

Every interval follows from LINKREC_LEASE_SECONDS. Leaves the leases to crawler.leases, what runs next to
pipeline, and what is due between jobs to maintenance.
"""

import logging
import os
import signal
import threading
from types import FrameType
from typing import Any

from django.db import connections
from rq import Worker
from rq.executions import Execution
from rq.job import Job
from rq.queue import Queue

from crawler.leased_jobs import WorkerStopping
from crawler.leases import lease_seconds
from linkrec_site.process_death import die_with_parent
from linkrec_site.queue_settings import SERIALIZER
from recommendations.maintenance import finish_after_job, look_after_runs
from recommendations.rq_job import JsonJob

#: How long a job may take to give its run back when the worker is stopped.
STOP_SECONDS = 8


class LeaseWorker(Worker):
    """One queue, JSON, short intervals; its job process dies with it."""

    job_class = JsonJob

    def __init__(self, queues: Any, *args: Any, **kwargs: Any) -> None:
        # Whatever `manage.py rqworker` passes: its own defaults would mean pickles and a takeover after minutes.
        kwargs |= {
            "serializer": SERIALIZER,
            "job_class": JsonJob,
            # The worker blocks on the queue for worker_ttl - 15 seconds, and looks for lost runs in between.
            "worker_ttl": 15 + max(1, lease_seconds() // 6),
            "maintenance_interval": max(1, lease_seconds() // 3),
            "job_monitoring_interval": max(1, lease_seconds() // 6),
        }
        kwargs.pop("default_worker_ttl", None)
        super().__init__(queues, *args, **kwargs)
        if len(self.queues) > 1:
            raise ValueError(
                f"This worker was given {len(self.queues)} queues. Give it one: a job is lost when a worker that "
                "listens to two is killed right after the pop."
            )

    def get_heartbeat_ttl(self, job: Job, working_time: float = 0.0) -> int:
        """RQ adds a minute, which is twice a lease."""
        return max(2, lease_seconds() * 2 // 3)

    def run_maintenance_tasks(self) -> None:
        self.log.addFilter(_is_worth_logging)
        super().run_maintenance_tasks()  # type: ignore[no-untyped-call]
        try:
            look_after_runs()
        finally:
            # The job process is forked from this one and must not inherit an open database.
            connections.close_all()

    def handle_warm_shutdown_request(self) -> None:
        """Ask the job to give its run back, instead of waiting until it ends."""
        super().handle_warm_shutdown_request()  # type: ignore[no-untyped-call]
        if self.horse_pid:
            self.kill_horse(signal.SIGTERM)

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        die_with_parent(self._parent_pid, signal.SIGKILL)
        connections.close_all()
        super().main_work_horse(job, queue)

    def fork_work_horse(self, job: Job, queue: Queue) -> None:
        self._parent_pid = os.getpid()
        super().fork_work_horse(job, queue)

    def setup_work_horse_signals(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, _stop_job)

    def perform_job(self, job: Job, queue: Queue, execution: Execution) -> bool:
        is_done = super().perform_job(job, queue, execution)
        try:
            finish_after_job(job)
        except Exception:
            self.log.exception("Worker %s: the next stage was not queued; maintenance does it", self.name)
        return is_done


def _is_worth_logging(record: logging.LogRecord) -> bool:
    # Maintenance every few seconds would fill the log with the same two lines.
    return not str(record.msg).startswith("Worker %s: cleaning")


def _stop_job(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # A step that does not return to Python in time is cut off: the lease runs out, and another attempt follows.
    timer = threading.Timer(STOP_SECONDS, os._exit, (1,))
    timer.daemon = True
    timer.start()
    raise WorkerStopping(f"signal {number}")
