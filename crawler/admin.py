"""Django admin of what was read: light lists and searches, for looking; nothing here is made by hand."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from crawler.models import Crawl, Link, Page, Sentence, Site


class ReadRowsAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that a crawl makes: they can be looked at and found, not added."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(Site)
class SiteAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "start_url", "max_pages", "model_name", "created_at")
    search_fields = ("name", "start_url")


@admin.register(Crawl)
class CrawlAdmin(ReadRowsAdmin):
    list_display = ("id", "site", "status", "progress_done", "progress_total", "created_at", "finished_at")
    list_filter = ("status",)
    list_select_related = ("site",)
    raw_id_fields = ("site", "requested_by")


@admin.register(Page)
class PageAdmin(ReadRowsAdmin):
    list_display = ("url", "site", "status", "reason", "is_target", "language", "depth", "word_count", "fetched_at")
    list_filter = ("status", "is_target", "is_in_sitemap", "site")
    list_select_related = ("site",)
    raw_id_fields = ("site", "last_crawl")
    search_fields = ("url", "title")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("headings", "hreflang", "description")


@admin.register(Link)
class LinkAdmin(ReadRowsAdmin):
    list_display = ("page", "anchor_text", "target_url", "is_editorial", "is_nofollow")
    list_filter = ("is_editorial", "is_nofollow")
    list_select_related = ("page",)
    raw_id_fields = ("page", "target")
    search_fields = ("target_url", "anchor_text")


@admin.register(Sentence)
class SentenceAdmin(ReadRowsAdmin):
    list_display = ("page", "ordinal", "block_kind", "is_boilerplate", "text")
    list_filter = ("block_kind", "is_boilerplate")
    list_select_related = ("page",)
    raw_id_fields = ("page",)
    search_fields = ("text",)
