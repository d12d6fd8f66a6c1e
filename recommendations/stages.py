"""The three stages of a run, in order, with their rows and jobs. Leaves what becomes of them to pipeline.py."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q

from crawler.leases import ACTIVE, LeasedRun, RunStatus, expired_before
from crawler.models import Crawl
from embeddings.models import EmbeddingRun
from recommendations.models import RecommendationRun


@dataclass(frozen=True)
class Stage:
    """One stage: how people call it, its rows' model, its job, and the column that names its row in a run."""

    name: str
    model: type[LeasedRun]
    function: str
    column: str


STAGES = (
    Stage("crawl", Crawl, "crawler.jobs.run_crawl", "crawl_id"),
    Stage("embedding", EmbeddingRun, "embeddings.jobs.run_embedding", "embedding_run_id"),
    Stage("recommendation", RecommendationRun, "recommendations.jobs.run_recommendation", "pk"),
)

#: Runs whose three rows were queued together; one that a command made by itself has no such chain.
CHAINED = Q(crawl__isnull=False, embedding_run__isnull=False)
#: Runs of which at least one stage waits or works.
UNFINISHED = CHAINED & (Q(status__in=ACTIVE) | Q(crawl__status__in=ACTIVE) | Q(embedding_run__status__in=ACTIVE))


def stage_rows(run: RecommendationRun) -> Iterator[tuple[Stage, LeasedRun]]:
    """Each stage with its row as it stands in the database now."""
    for stage in STAGES:
        row = stage.model._default_manager.filter(pk=getattr(run, stage.column)).first()
        if row is not None:
            yield stage, row


def is_lease_over(row: LeasedRun) -> bool:
    """Whether a running row's worker has not been heard of for a lease."""
    return row.status == RunStatus.RUNNING and (row.heartbeat_at is None or row.heartbeat_at < expired_before())


def run_of_job(function: str, row_id: int) -> RecommendationRun | None:
    """The run that the job `function(row_id)` is a stage of."""
    for stage in STAGES:
        if stage.function == function:
            return RecommendationRun.objects.filter(CHAINED, **{stage.column: row_id}).order_by("-pk").first()
    return None
