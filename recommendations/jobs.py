"""The background job that recommends a site's links. Leaves recommending to services, the lease to leased_jobs."""

from typing import Any

from crawler.leased_jobs import Fence, run_leased
from crawler.leases import Progress
from embeddings.errors import EmbeddingError
from recommendations.errors import RecommendationError
from recommendations.models import RecommendationRun


def run_recommendation(run_id: int) -> None:
    """Do the recommendation run with this id, unless another worker holds it or it has ended."""
    run = RecommendationRun.objects.filter(pk=run_id).select_related("embedding_run").first()
    if run is None:
        return
    site_id, options = run.site_id, run.options
    # The one that the chain has embedded with: chosen anew it might be another, after the crawl or a changed setting.
    model_name = run.embedding_run.model_name if run.embedding_run else run.model_name
    asked = {name: options[name] for name in ("top", "threshold") if options.get(name) is not None}

    def work(progress: Progress, fence: Fence) -> dict[str, Any]:
        from recommendations.decisions import reconcile_decisions
        from recommendations.report.storing import store_site_report
        from recommendations.services import recommend_site

        # First what the crawl found of earlier decisions, so that an applied link is not proposed again.
        reconcile_decisions(site_id, fence=fence)
        figures = recommend_site(
            site_id, run_id, model_name=model_name or None, progress=progress, fence=fence, **asked
        )
        store_site_report(site_id, run_id, model_name=figures["model_name"], progress=progress, fence=fence)
        return figures

    run_leased(RecommendationRun, run_id, work, expected=(RecommendationError, EmbeddingError))
