"""What of old runs is not kept, and what becomes of runs that a command left unfinished. Leaves live runs alone."""

from datetime import timedelta

from django.utils import timezone

from crawler.leases import ACTIVE, RunStatus, lease_seconds
from crawler.models import Crawl
from embeddings.models import EmbeddingRun
from recommendations.models import RecommendationRun
from recommendations.stages import CHAINED, UNFINISHED

KEPT_RUNS = 3
KEPT_CRAWLS = 20
ABANDONED_LEASES = 20


def prune_runs(site_id: int) -> None:
    """Delete all but the last finished and the last failed runs, and all but the last crawls' rows."""
    runs = RecommendationRun.objects.filter(site_id=site_id).exclude(UNFINISHED).order_by("-pk")
    for ended in ((RunStatus.DONE,), (RunStatus.FAILED, RunStatus.STOPPED)):
        # One transaction a run: a large site's recommendations must not hold up other writers for long.
        for run in runs.filter(status__in=ended)[KEPT_RUNS:]:
            run.delete()
    for model in (Crawl, EmbeddingRun):
        rows = model.objects.filter(site_id=site_id).order_by("-pk")
        oldest = list(rows.values_list("pk", flat=True)[KEPT_CRAWLS - 1 : KEPT_CRAWLS])
        if oldest:
            rows.filter(pk__lt=oldest[0]).exclude(status__in=ACTIVE).delete()


def end_abandoned_runs() -> None:
    """Say of a run whose command was killed that it failed: no worker takes over what was asked for in a terminal."""
    silent_since = timezone.now() - timedelta(seconds=ABANDONED_LEASES * lease_seconds())
    sentence = "The command that did this was ended without a word. Start it again."
    RecommendationRun.objects.filter(status=RunStatus.RUNNING, heartbeat_at__lt=silent_since).exclude(CHAINED).update(
        status=RunStatus.FAILED, error=sentence, finished_at=timezone.now()
    )
    for model in (Crawl, EmbeddingRun):
        alone = model.objects.filter(recommendation_runs__isnull=True, heartbeat_at__lt=silent_since)
        alone.filter(status=RunStatus.RUNNING).update(
            status=RunStatus.FAILED, error=sentence, finished_at=timezone.now()
        )
