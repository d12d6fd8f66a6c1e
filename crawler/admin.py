"""Django admin of what was read: light lists and searches, for looking. Leaves sites to `recommendations.admin`."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from crawler.models import Crawl, Link, Page, Sentence
from linkrec_site.read_only_admin import ReadOnlyAdmin


@admin.register(Crawl)
class CrawlAdmin(ReadOnlyAdmin):
    list_display = ("id", "site", "status", "progress_done", "progress_total", "created_at", "finished_at")
    list_filter = ("status",)
    list_select_related = ("site",)
    raw_id_fields = ("site", "requested_by")


@admin.register(Page)
class PageAdmin(ReadOnlyAdmin):
    list_display = ("url", "site", "status", "reason", "is_target", "language", "depth", "word_count", "fetched_at")
    list_filter = ("status", "is_target", "is_in_sitemap", "site")
    list_select_related = ("site",)
    raw_id_fields = ("site", "last_crawl")
    search_fields = ("url", "title")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("headings", "hreflang", "description")


@admin.register(Link)
class LinkAdmin(ReadOnlyAdmin):
    list_display = ("page", "anchor_text", "target_url", "is_editorial", "is_nofollow")
    list_filter = ("is_editorial", "is_nofollow")
    list_select_related = ("page",)
    raw_id_fields = ("page", "target")
    search_fields = ("target_url", "anchor_text")


@admin.register(Sentence)
class SentenceAdmin(ReadOnlyAdmin):
    list_display = ("page", "ordinal", "block_kind", "is_boilerplate", "text")
    list_filter = ("block_kind", "is_boilerplate")
    list_select_related = ("page",)
    raw_id_fields = ("page",)
    search_fields = ("text",)
