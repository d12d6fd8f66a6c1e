"""One embedding of a site's sentences. The vectors themselves live in the vector store, not in rows."""

from django.db import models

from crawler.leases import LeasedRun, one_active_run
from crawler.models import Site


class EmbeddingRun(LeasedRun):
    """`figures` counts sentences embedded anew and reused, and seconds."""

    work = "embedded"

    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="embedding_runs")
    model_name = models.CharField(max_length=200, blank=True, help_text="Empty until the site's languages are known.")

    class Meta:
        ordering = ("-id",)
        constraints = (one_active_run("one_active_embedding_run"),)

    def __str__(self) -> str:
        return f"embedding {self.pk} of {self.site_id}"
