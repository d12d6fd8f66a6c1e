"""Crawls a site for a command, in the foreground. Shared by every command that crawls; leaves the run to
foreground_runs and the reading to services.
"""

from datetime import datetime
from typing import Any

from django.core.management.base import CommandError

from crawler.errors import CrawlError
from crawler.foreground_runs import run_in_foreground, take_site_in_foreground
from crawler.leased_jobs import Fence
from crawler.leases import Progress, RunStatus
from crawler.models import Crawl, PageStatus, Site
from crawler.services import crawl_site


def crawl_in_foreground(
    site: Site, began_at: datetime, *, is_full: bool = False, are_losses_confirmed: bool = False
) -> dict[str, Any]:
    """Read the site; the figures. Raises CommandError.

    A site that is younger than the command, which `began_at` then, is taken away again when nothing could be read:
    it was a typing mistake or a dead host, and the command has said so.
    """
    if are_losses_confirmed:
        # A crawl that was held for this word is gone on with; it must not be read again for it.
        Crawl.objects.filter(site=site, is_held=True).update(are_losses_confirmed=True)
    crawl = take_site_in_foreground(site, Crawl, is_full_asked=is_full, are_losses_confirmed=are_losses_confirmed)

    def work(progress: Progress, fence: Fence) -> dict[str, Any]:
        return crawl_site(site.pk, crawl.pk, progress=progress, fence=fence)

    try:
        return run_in_foreground(Crawl, crawl.pk, "crawl", work, (CrawlError,))
    except CommandError:
        if site.created_at >= began_at and _is_all_that_was_done(site, crawl.pk):
            site.delete()
        raise


def _is_all_that_was_done(site: Site, crawl_id: int) -> bool:
    """Whether that failed crawl is all there is of the site."""
    runs = list(site.crawls.values_list("pk", "status"))
    return runs == [(crawl_id, RunStatus.FAILED)] and not site.pages.filter(status=PageStatus.READ).exists()
