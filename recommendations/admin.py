"""Django admin: a site's settings, to be changed; runs, suggestions and decisions, to be looked at and searched.

Decisions are made and undone on the pages, where their rules hold.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from crawler.models import Page, Site
from linkrec_site.read_only_admin import ReadOnlyAdmin
from recommendations.forms import SiteSettingsForm
from recommendations.models import Decision, Recommendation, RecommendationRun
from recommendations.site_deletion import delete_site, is_busy


@admin.register(Site)
class SiteAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A site's settings; deleting one goes by the service, which knows of its vectors and does not gather its rows."""

    form = SiteSettingsForm
    list_display = ("name", "start_url", "max_pages", "model_name", "created_at")
    search_fields = ("name", "start_url")

    def get_deleted_objects(
        self, objs: Iterable[Site], request: HttpRequest
    ) -> tuple[list[Any], dict[Any, int], set[str], list[Any]]:
        """Sites and their pages, counted; Django would list every row. A site with an active run is protected."""
        sites = list(objs)
        pages = Page.objects.filter(site__in=sites).count()
        names = [f"{site.name} ({site.start_url}), its pages, suggestions and decisions" for site in sites]
        busy = [f"{site.name}: a run is under way. Stop it first." for site in sites if is_busy(site.pk)]
        return names, {"sites": len(sites), "pages": pages}, set(), busy

    def save_model(self, request: HttpRequest, obj: Site, form: Any, change: bool) -> None:
        # Only what was changed: a worker may move the site's next run at the same time.
        obj.save(update_fields=form.changed_data if change else None)

    def delete_model(self, request: HttpRequest, obj: Site) -> None:
        # Django wraps this in one transaction; the service has short ones of its own.
        transaction.on_commit(partial(delete_site, obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Site]) -> None:
        for site_id in list(queryset.values_list("pk", flat=True)):
            transaction.on_commit(partial(delete_site, site_id))


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
