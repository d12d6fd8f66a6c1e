"""One process at a time works on a site, whichever stage it does: who works there now, and how others take their turn.

A crawl rewrites the sentences that an embedding reads, and an embedding the vectors that a ranking reads. So every
leased run of the site counts, of whichever app. That a site has one active run of a kind is a constraint in the
database too. Leaves the waiting of commands to foreground_runs, and chains of stages to recommendations.
"""

from datetime import timedelta
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from crawler.errors import SiteBusy
from crawler.leases import ACTIVE, LeasedRun, RunStatus, expired_before
from crawler.models import Crawl, Site

#: A crawl that failed or was stopped so long ago begins anew: what it read may have changed since.
RESUMED_WITHIN = timedelta(days=1)
LEFT_BEHIND = "The process that did this was ended without a word, and another one took the site over."


def leased_models() -> list[type[LeasedRun]]:
    """The models of all stages."""
    return [model for model in apps.get_models() if issubclass(model, LeasedRun)]


def runs_of(model: type[LeasedRun], site_id: int) -> QuerySet[LeasedRun]:
    """The site's runs of one stage."""
    # Each stage's model has a site; their abstract base cannot name one, since sites are defined after it.
    manager: Any = model._default_manager
    runs: QuerySet[LeasedRun] = manager.filter(site_id=site_id)
    return runs


def active_runs(site_id: int) -> list[LeasedRun]:
    """Every run of the site that waits or works, of any stage."""
    return [run for model in leased_models() for run in runs_of(model, site_id).filter(status__in=ACTIVE)]


def refuse_while_busy(site: Site) -> None:
    """Raises SiteBusy while another process works on the site or is about to.

    A run that waits is about to be done if anything of its site was heard of within a lease: its worker may be
    between two stages.
    """
    active = active_runs(site.pk)
    since = expired_before()
    for run in active:
        if run.status == RunStatus.RUNNING and run.heartbeat_at is not None and run.heartbeat_at >= since:
            raise SiteBusy(
                f"{site.start_url} is being {run.work} by another process ({run}). "
                "Wait until it ends, or stop it first.",
                heard_of=f"{run.attempt_token} {run.heartbeat_at}",
            )
    waiting = next((run for run in active if run.status == RunStatus.QUEUED), None)
    if waiting is not None and (waiting.created_at >= since or _was_worked_on(site.pk)):
        raise SiteBusy(
            f"{site.start_url} is about to be {waiting.work} by another process ({waiting}). "
            "Wait until it ends, or stop it first."
        )


def end_left_runs(site_id: int) -> None:
    """Stop the site's runs that nobody holds. Call after `refuse_while_busy`, in its transaction."""
    for run in active_runs(site_id):
        type(run)._default_manager.filter(pk=run.pk).update(
            status=RunStatus.STOPPED, error=LEFT_BEHIND, finished_at=timezone.now()
        )


def take_site(site_id: int, model: type[LeasedRun], **values: Any) -> LeasedRun:
    """A queued run of `model` for this process to claim: a crawl that was cut short, else a new run.

    Raises SiteBusy while another process works on the site.
    """
    with transaction.atomic():
        site = Site.objects.select_for_update().get(pk=site_id)
        refuse_while_busy(site)
        resumed = _unfinished_crawl(site_id) if model is Crawl else None
        end_left_runs(site_id)
        if resumed is None:
            new: Any = model
            run: LeasedRun = new.objects.create(site=site, **values)
            return run
        # Without its token: whoever held it, and was thought dead, must not write any more.
        Crawl.objects.filter(pk=resumed.pk).update(
            status=RunStatus.QUEUED, attempt_token="", is_stop_requested=False, error="", finished_at=None
        )
        resumed.refresh_from_db()
        return resumed


def _was_worked_on(site_id: int) -> bool:
    since = expired_before()
    return any(runs_of(model, site_id).filter(heartbeat_at__gte=since).exists() for model in leased_models())


def _unfinished_crawl(site_id: int) -> Crawl | None:
    """The site's last crawl, if it was cut short with pages read."""
    last = Crawl.objects.filter(site_id=site_id).order_by("-pk").first()
    if last is None or last.status == RunStatus.DONE:
        return None
    if last.is_active:
        return last
    if last.is_held and not last.are_losses_confirmed:
        # It has read everything, and would only say the same again: what it did not find is looked for anew.
        return None
    is_recent = last.finished_at is not None and last.finished_at >= timezone.now() - RESUMED_WITHIN
    return last if is_recent and last.figures.get("so_far", {}).get("with_text") else None
