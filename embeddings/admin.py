"""Embedding runs in Django's admin, to look at: the jobs alone write them."""

from django.contrib import admin
from django.http import HttpRequest

from embeddings.models import EmbeddingRun


@admin.register(EmbeddingRun)
class EmbeddingRunAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = (
        "id",
        "site",
        "model_name",
        "status",
        "progress_done",
        "progress_total",
        "started_at",
        "finished_at",
    )
    list_filter = ("status", "model_name")
    list_select_related = ("site",)
    search_fields = ("site__name", "site__start_url", "model_name")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: EmbeddingRun | None = None) -> bool:
        return False
