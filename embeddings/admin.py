"""Embedding runs in Django's admin, to look at: the jobs alone write them."""

from django.contrib import admin

from embeddings.models import EmbeddingRun
from linkrec_site.read_only_admin import ReadOnlyAdmin


@admin.register(EmbeddingRun)
class EmbeddingRunAdmin(ReadOnlyAdmin):
    list_display = (
        "id", "site", "model_name", "status", "progress_done", "progress_total", "started_at", "finished_at",
    )  # fmt: skip
    list_filter = ("status", "model_name")
    list_select_related = ("site",)
    search_fields = ("site__name", "site__start_url", "model_name")
