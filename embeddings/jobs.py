"""The background job that embeds a site. Leaves embedding to services and the lease to crawler.leased_jobs."""

from typing import Any

from crawler.leased_jobs import Fence, run_leased
from crawler.leases import Progress
from embeddings.errors import EmbeddingError
from embeddings.models import EmbeddingRun


def run_embedding(embedding_run_id: int) -> None:
    """Do the embedding with this id, unless another worker holds it or it has ended."""
    row = EmbeddingRun.objects.filter(pk=embedding_run_id).values_list("site_id", "model_name").first()
    if row is None:
        return
    site_id, model_name = row

    def work(progress: Progress, fence: Fence) -> dict[str, Any]:
        # Here and not above: the service loads torch, and the web process names this module without running it.
        from embeddings.services import embed_site

        figures: dict[str, Any] = embed_site(site_id, model_name=model_name or None, progress=progress, fence=fence)
        return figures

    run_leased(EmbeddingRun, embedding_run_id, work, expected=(EmbeddingError,), columns=("model_name",))
