"""Does one leased run in a terminal: the same lease as a background job has, with a progress bar on stderr.

Shared by every command that does a stage. Leaves the work to the service, the lease to leased_jobs, and whose turn it
is to site_turns.
"""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from crawler.errors import SiteBusy
from crawler.leased_jobs import Fence, run_leased
from crawler.leases import LeasedRun, Progress, RunStatus
from crawler.models import Site
from crawler.site_turns import take_site

LOOK_SECONDS = 0.3


class ProgressBar:
    """A tqdm bar on stderr that follows (done, total, note) reports."""

    def __init__(self, label: str) -> None:
        self._bar = tqdm(desc=label, file=sys.stderr, mininterval=0.5, dynamic_ncols=True)

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()

    def report(self, done: int, total: int, note: str) -> None:
        """Show the state; a total of 0 means that it is not known yet."""
        self._bar.total = total or None
        self._bar.n = done
        self._bar.set_postfix_str(note, refresh=False)
        self._bar.update(0)


def take_site_in_foreground(site: Site, model: type[LeasedRun], **values: Any) -> LeasedRun:
    """The site's run of `model` for this command to do. Raises CommandError while another process works on the site.

    A process that was killed looks alive until its lease is over, so this waits for a heartbeat or for that end.
    """
    heard_of = ""
    while True:
        try:
            return take_site(site.pk, model, **values)
        except SiteBusy as error:
            if not error.heard_of or (heard_of and error.heard_of != heard_of):
                raise CommandError(str(error)) from error
            if not heard_of:
                sys.stderr.write(f"Another process was at work on {site.start_url}; looking whether it still is.\n")
            heard_of = error.heard_of
            time.sleep(LOOK_SECONDS)


def run_in_foreground(
    model: type[LeasedRun],
    run_id: int,
    label: str,
    work: Callable[[Progress, Fence], dict[str, Any]],
    expected: tuple[type[Exception], ...],
    columns: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Do the run and return its figures. Raises CommandError with one sentence when it did not end well."""
    with ProgressBar(label) as bar:

        def shown_work(progress: Progress, fence: Fence) -> dict[str, Any]:
            def report(done: int, total: int, note: str) -> None:
                bar.report(done, total, note)
                progress(done, total, note)

            return work(report, fence)

        try:
            run_leased(model, run_id, shown_work, expected=expected, columns=columns)
        except expected as error:
            raise CommandError(str(error)) from error
    run = model._default_manager.get(pk=run_id)
    if run.status != RunStatus.DONE:
        raise CommandError(run.error or f"{label} was stopped or taken over by another process. Start it again.")
    figures: dict[str, Any] = run.figures
    return figures
