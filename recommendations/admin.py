"""Django admin: runs, suggestions and decisions, to be looked at and searched.

Decisions are made on the pages, where their rules hold; one that is deleted here is forgotten by the next run.
"""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from recommendations.models import Decision, Recommendation, RecommendationRun


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists stay light: no count of the whole table, one query for what they show."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(RecommendationRun)
class RecommendationRunAdmin(ReadOnlyAdmin):
    list_display = ("id", "site", "status", "model_name", "started_at", "finished_at", "attempts", "error")
    list_filter = ("status",)
    list_select_related = ("site",)
    search_fields = ("site__name",)


@admin.register(Recommendation)
class RecommendationAdmin(ReadOnlyAdmin):
    list_display = ("id", "source", "anchor_text", "target", "score", "status")
    list_filter = ("status", "site")
    list_select_related = ("source", "target")
    search_fields = ("source__url", "target__url", "anchor_text")
    ordering = ("-id",)


@admin.register(Decision)
class DecisionAdmin(ReadOnlyAdmin):
    list_display = ("id", "source_url", "anchor_text", "target_url", "status", "reason", "decided_by", "changed_at")
    list_filter = ("status", "reason", "site")
    list_select_related = ("decided_by",)
    search_fields = ("source_url", "target_url", "anchor_text", "decided_by__username")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Decision]:
        return super().get_queryset(request).defer("reasons", "alternatives")
