"""What the rows tell a source before a crawl, or another attempt at one, goes on. Leaves its meaning to the source."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from django.db.models import Exists, OuterRef

from crawler.frontier import TRAP
from crawler.models import Link, Page, PageEvent, PageStatus


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """The rows of one site as crawl `crawl_id` finds them. A full crawl judges anew what earlier ones refused."""

    site_id: int
    crawl_id: int
    is_full: bool = False

    def visited_pages(self) -> Iterator[tuple[str, Sequence[str], Callable[[], Iterable[str]]]]:
        """URL, title and texts, and links of the pages that this crawl has read, in the order in which it did."""
        pages = Page.objects.filter(
            site_id=self.site_id, last_crawl_id=self.crawl_id, status=PageStatus.READ, pending_status=""
        )
        rows = pages.order_by("id").values_list("id", "url", "title", "body__blocks").iterator(chunk_size=200)
        for key, url, title, blocks in rows:
            yield url, (title, *(block["text"] for block in blocks or ())), partial(_links_of, key)

    def read_urls(self) -> Iterator[str]:
        """What is still as another crawl than this one has read it, or a later state of that."""
        earlier = PageEvent.objects.filter(page=OuterRef("pk"), status=PageStatus.READ).exclude(crawl_id=self.crawl_id)
        pages = Page.objects.filter(Exists(earlier), site_id=self.site_id, status=PageStatus.READ)
        return pages.values_list("url", flat=True).iterator()

    def skip_reasons(self) -> Iterator[str]:
        """Why addresses were skipped as traps: by earlier crawls too, unless all is judged anew."""
        pages = Page.objects.filter(site_id=self.site_id, reason__startswith=TRAP)
        if self.is_full:
            pages = pages.filter(last_crawl_id=self.crawl_id)
        return pages.order_by().values_list("reason", flat=True).distinct().iterator()

    def redirect_pairs(self) -> Iterator[tuple[str, str]]:
        """Addresses that redirect, and where to."""
        pages = Page.objects.filter(site_id=self.site_id, status=PageStatus.REDIRECT)
        return pages.values_list("url", "redirect_url").iterator()


def _links_of(page_id: int) -> Iterator[str]:
    return Link.objects.filter(page_id=page_id).values_list("target_url", flat=True).iterator()
