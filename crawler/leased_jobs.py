"""Does one leased run in a background job: claims it, keeps its lease alive, calls one service, ends it.

What every job of the three apps shares. Leaves the work to the service, and what comes next to the pipeline.
"""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import Error as DatabaseFault
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from crawler.leases import (
    LeasedRun,
    LeaseLost,
    Progress,
    RunStatus,
    claim_run,
    fence_run,
    finish_run,
    heartbeat_seconds,
    lease_seconds,
    release_run,
)

logger = logging.getLogger(__name__)

Fence = Callable[[], None]
PROGRESS_SECONDS = 1.0


class WorkerStopping(BaseException):
    """This worker is being stopped. No Exception, so that no service takes it for a fault of its own."""


class HeldRun:
    """A run that this process holds: what its service is given to report progress and to guard its writes."""

    def __init__(self, model: type[LeasedRun], run_id: int, token: str) -> None:
        self._model, self._run_id, self._token = model, run_id, token
        self._is_lost = threading.Event()
        self._last_report = 0.0
        self._last_note = ""

    def fence(self) -> None:
        """Raises LeaseLost unless the run is still ours; call it inside a write transaction."""
        self._check()
        fence_run(self._model, self._run_id, self._token)

    def report_progress(self, done: int, total: int, note: str) -> None:
        """Write the progress at most once a second, or when the note or the end is new."""
        self._check()
        now = time.monotonic()
        if now - self._last_report < PROGRESS_SECONDS and note == self._last_note and done < total:
            return
        self._last_report, self._last_note = now, note
        fence_run(
            self._model,
            self._run_id,
            self._token,
            progress_done=max(done, 0),
            progress_total=max(total, 0),
            progress_note=note[:200],
        )

    def finish(self, status: str, **values: Any) -> bool:
        return finish_run(self._model, self._run_id, self._token, status, **values)

    def settle(self) -> None:
        """After an interruption: stopped when that was asked for, else given back to the queue, if still ours."""
        if self._is_stop_requested():
            self.finish(RunStatus.STOPPED, error="Stopped on request.")
        else:
            release_run(self._model, self._run_id, self._token)

    @contextmanager
    def kept_alive(self) -> Iterator[None]:
        """Heartbeats from a thread while the body runs, however long its steps are."""
        ended = threading.Event()
        thread = threading.Thread(target=self._beat, args=(ended,), name="heartbeat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _beat(self, ended: threading.Event) -> None:
        try:
            while not ended.wait(heartbeat_seconds()):
                try:
                    if not self._is_kept():
                        self._is_lost.set()
                        # A third of a lease for the service to notice; then its worker process interrupts it.
                        if not ended.wait(lease_seconds() / 3):
                            _interrupt_worker()
                        return
                except DatabaseFault as error:
                    # A busy or restarting database: the lease outlives several missed heartbeats.
                    logger.warning("%s %s: a heartbeat was missed: %s", self._model.__name__, self._run_id, error)
                    connection.close()
        finally:
            connection.close()

    def _is_kept(self) -> bool:
        held = self._model._default_manager.filter(
            pk=self._run_id, attempt_token=self._token, status=RunStatus.RUNNING, is_stop_requested=False
        )
        return bool(held.update(heartbeat_at=timezone.now()))

    def _check(self) -> None:
        if self._is_lost.is_set():
            raise LeaseLost(f"{self._model.__name__} {self._run_id} was stopped or taken over.")

    def _is_stop_requested(self) -> bool:
        rows = self._model._default_manager.filter(pk=self._run_id)
        return bool(rows.values_list("is_stop_requested", flat=True).first())


def run_leased(
    model: type[LeasedRun],
    run_id: int,
    work: Callable[[Progress, Fence], dict[str, Any]],
    *,
    expected: tuple[type[Exception], ...],
    columns: tuple[str, ...] = (),
) -> None:
    """Do `work` as this run if it is free. `expected` errors carry the sentence that people read; `columns` names
    figures that the row has columns for as well.

    Ends the run as done, failed or stopped; gives it back when the worker is stopped; leaves it to whoever took it
    over; and re-raises what failed it. A database that cannot be written to ends nothing: the lease runs out, and
    another attempt follows.
    """
    token = claim_run(model, run_id)
    if token is None:
        logger.info("%s %s is held by another worker or has ended.", model.__name__, run_id)
        return
    run = HeldRun(model, run_id, token)
    try:
        with run.kept_alive():
            run.fence()
            figures = work(run.report_progress, run.fence)
        run.finish(RunStatus.DONE, figures=figures, error="", **{name: figures[name] for name in columns})
    except (LeaseLost, WorkerStopping):
        run.settle()
    except KeyboardInterrupt:
        run.finish(RunStatus.STOPPED, error="Interrupted from the keyboard.")
        raise
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        run.finish(RunStatus.FAILED, error=_sentence(error, expected))
        raise


def _interrupt_worker() -> None:
    # Only a worker's job process has a handler for it; a command or a test must not end here.
    if callable(signal.getsignal(signal.SIGTERM)):
        os.kill(os.getpid(), signal.SIGTERM)


def _sentence(error: Exception, expected: tuple[type[Exception], ...]) -> str:
    if isinstance(error, expected) and str(error):
        return str(error)
    return (
        f"An unexpected error ended it: {type(error).__name__}: {str(error).rstrip('.')}. "
        "The worker's log has the details; trying again goes on where it stopped."
    )
