"""Addresses of the editors' pages and of the API."""

from django.urls import path

from recommendations.api import lookup as api_lookup
from recommendations.api import report_lists
from recommendations.api import views as api
from recommendations.views import (
    deciding,
    exports,
    held,
    lookup,
    marking,
    notices,
    pages,
    pipelines,
    report,
    site_settings,
    sites,
    suggestions,
)

urlpatterns = [
    path("", sites.site_list, name="sites"),
    path("sites/add/", sites.site_add, name="site-add"),
    path("sites/<int:site_id>/", sites.site_detail, name="site"),
    path("sites/<int:site_id>/settings/", site_settings.site_settings_page, name="site-settings"),
    path("sites/<int:site_id>/rename/", site_settings.site_rename, name="site-rename"),
    path("sites/<int:site_id>/remove/", site_settings.site_remove, name="site-remove"),
    path("sites/<int:site_id>/suggestions/", suggestions.site_suggestions, name="suggestions"),
    path("sites/<int:site_id>/report/", report.site_report_page, name="report"),
    path("sites/<int:site_id>/report/<slug:key>/", report.report_list, name="report-list"),
    path("sites/<int:site_id>/report/<slug:key>.csv", report.report_csv, name="report-csv"),
    path("sites/<int:site_id>/export.csv", exports.export_csv, name="export"),
    path("sites/<int:site_id>/progress/", pipelines.progress, name="progress"),
    path("sites/<int:site_id>/recrawl/", pipelines.recrawl, name="recrawl"),
    path("sites/<int:site_id>/stop/", pipelines.stop, name="stop"),
    path("sites/<int:site_id>/retry/", pipelines.retry, name="retry"),
    path("sites/<int:site_id>/confirm-losses/", pipelines.confirm_losses, name="confirm-losses"),
    path("sites/<int:site_id>/missing-pages/", held.missing_page_list, name="missing-pages"),
    path("sites/<int:site_id>/lookup/", lookup.lookup_page, name="lookup"),
    path("sites/<int:site_id>/pages/<int:page_id>/", pages.page_detail, name="page"),
    path("sites/<int:site_id>/pages/<int:page_id>/inlinks/", pages.page_inlinks, name="page-inlinks"),
    path("sites/<int:site_id>/pages/<int:page_id>/important/", marking.mark_important, name="mark-important"),
    path("recommendations/<int:recommendation_id>/decide/", deciding.decide_suggestion, name="decide"),
    path("recommendations/<int:recommendation_id>/words/", deciding.choose_words, name="words"),
    path("notices/", notices.notice_list, name="notices"),
    path("notices/bell/", notices.notice_bell, name="notice-bell"),
    path("notices/read/", notices.all_notices_read, name="notices-read"),
    path("notices/<int:notice_id>/read/", notices.notice_read, name="notice-read"),
    path("api/v1/sites", api.SiteListView.as_view(), name="api-sites"),
    path(
        "api/v1/sites/<str:site_id>/recommendations", api.RecommendationListView.as_view(), name="api-recommendations"
    ),
    path("api/v1/sites/<str:site_id>/report", api.ReportView.as_view(), name="api-report"),
    path("api/v1/sites/<str:site_id>/lookup", api_lookup.LookupView.as_view(), name="api-lookup"),
    path("api/v1/sites/<str:site_id>/report/<slug:key>", report_lists.ReportListView.as_view(), name="api-report-list"),
    path("api/<path:rest>", api.NotFoundView.as_view(), name="api-not-found"),
]
