"""Starts the runs that schedules ask for, once each, however many workers look.

A due site is claimed by one UPDATE that matches only while its `next_run_at` is the one that was seen; it and the run's
rows are one transaction. So of two workers one starts it, a killed one leaves either both or nothing, and times that
were missed while no worker was there start one run, not ten. Leaves the times to crawler.schedules.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from crawler.models import Site
from crawler.schedules import BadSchedule, next_time
from recommendations.errors import PipelineConflict
from recommendations.models import RecommendationRun
from recommendations.pipeline import wake_workers, write_pipeline

logger = logging.getLogger(__name__)

#: A site that is busy when its time has come is looked at again so much later.
BUSY_DELAY = timedelta(minutes=5)


def start_due_runs(now: datetime | None = None) -> list[RecommendationRun]:
    """Start what is due and nobody else has started."""
    now = now or timezone.now()
    scheduled = Site.objects.exclude(schedule="")
    for site in scheduled.filter(next_run_at=None):
        scheduled.filter(pk=site.pk, schedule=site.schedule, next_run_at=None).update(next_run_at=_next_of(site, now))
    started = [_start_if_first(site, now) for site in scheduled.filter(next_run_at__lte=now)]
    runs = [run for run in started if run is not None]
    for run in runs:
        wake_workers(run)
    return runs


def plan_next_run(site: Site) -> None:
    """Settle when the site is read next, after its schedule was changed. Leaves saving to the caller."""
    site.next_run_at = _next_of(site, timezone.now()) if site.schedule else None


def _start_if_first(site: Site, now: datetime) -> RecommendationRun | None:
    try:
        with transaction.atomic():
            if not _claim(site, _next_of(site, now)):
                return None
            return write_pipeline(site.pk, None, {"scheduled": True})
    except PipelineConflict as error:
        later = now + BUSY_DELAY
        logger.info("The scheduled run of %s waits: %s", site.start_url, error)
        _claim(site, min(later, _next_of(site, now) or later))
        return None


def _claim(site: Site, next_run_at: datetime | None) -> bool:
    """Whether this process is the one that starts the run that is due."""
    seen = Site.objects.filter(pk=site.pk, schedule=site.schedule, next_run_at=site.next_run_at)
    return bool(seen.update(next_run_at=next_run_at))


def _next_of(site: Site, now: datetime) -> datetime | None:
    try:
        return next_time(site.schedule, now, timezone.get_default_timezone())
    except BadSchedule as error:
        # Forms refuse it; what was written past them must not hold up the other sites.
        logger.warning("The schedule of %s is not followed: %s", site.start_url, error)
        return None
