"""The background job that reads a site. Leaves reading to services and the lease to leased_jobs."""

from typing import Any

from crawler.errors import CrawlError
from crawler.leased_jobs import Fence, run_leased
from crawler.leases import Progress
from crawler.models import Crawl


def run_crawl(crawl_id: int) -> None:
    """Do the crawl with this id, unless another worker holds it or it has ended."""
    site_id = Crawl.objects.filter(pk=crawl_id).values_list("site_id", flat=True).first()
    if site_id is None:
        return

    def work(progress: Progress, fence: Fence) -> dict[str, Any]:
        from crawler.services import crawl_site

        figures: dict[str, Any] = crawl_site(site_id, crawl_id, progress=progress, fence=fence)
        return figures

    run_leased(Crawl, crawl_id, work, expected=(CrawlError,))
