"""Deletes a site with all that is known of it: rows in short transactions, then its vectors.

Leaves asking to the admin. Cut short, it is simply called again; a site that is half deleted can be read anew.
"""

from django.db import transaction

from crawler.models import Link, Page, PageBody, Sentence, Site
from crawler.site_turns import active_runs
from crawler.source_files import drop_source_file
from embeddings.vector_store import forget_site_vectors
from recommendations.errors import PipelineConflict
from recommendations.models import RankedSource, Recommendation, ReportRow

_PAGES_AT_ONCE = 500
_ROWS_AT_ONCE = 5_000


def is_busy(site_id: int) -> bool:
    """Whether a run of the site waits or works, whichever stage it is."""
    return bool(active_runs(site_id))


def delete_site(site_id: int) -> None:
    """Delete the site, its pages, suggestions, decisions and vectors. Raises PipelineConflict while a run is active."""
    # Django would gather a large site's rows in memory and hold the database up for everybody meanwhile.
    while page_ids := list(Page.objects.filter(site_id=site_id).values_list("pk", flat=True)[:_PAGES_AT_ONCE]):
        with transaction.atomic():
            _lock_idle(site_id)
            for column in ("source_id__in", "target_id__in"):
                Recommendation.objects.filter(**{column: page_ids}).delete()
            for model in (RankedSource, Sentence, Link, PageBody):
                model._default_manager.filter(page_id__in=page_ids).delete()
            Page.objects.filter(pk__in=page_ids).delete()
    rows = ReportRow.objects.filter(report__site_id=site_id).order_by()
    while row_ids := list(rows.values_list("pk", flat=True)[:_ROWS_AT_ONCE]):
        with transaction.atomic():
            _lock_idle(site_id)
            ReportRow.objects.filter(pk__in=row_ids).delete()
    with transaction.atomic():
        _lock_idle(site_id)
        forget_site_vectors(site_id)
        for site in Site.objects.filter(pk=site_id):
            drop_source_file(site)
        Site.objects.filter(pk=site_id).delete()


def _lock_idle(site_id: int) -> None:
    site = Site.objects.select_for_update().filter(pk=site_id).first()
    if site is not None and is_busy(site_id):
        raise PipelineConflict(f"{site.name} is being read, or waits for it. Stop its run before you delete it.")
