"""The crawl's queue, kept in the database so that it survives a kill: Page rows that this crawl has not visited yet.

Pages are visited in the order of their ids, which is the order of discovery: breadth first. What only the sitemap
names comes in when no link leads on, and may take half of the room: a sitemap full of dead addresses must not push
out the pages that the site links to. Leaves what a visit gives to page_store.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from crawler.models import Page, PageStatus
from crawler.page_reasons import UNFOLLOWED

_CHUNK = 500
_REMEMBERED = 200_000
_SITEMAP_CHUNK = 100


class PageQueue:
    """The pages of one site that wait for one crawl."""

    def __init__(self, site_id: int, crawl_id: int, fence: Callable[[], None], *, max_rows: int) -> None:
        self._site_id, self._crawl_id, self._fence = site_id, crawl_id, fence
        self._max_rows = max_rows
        self._known: set[str] = set()
        self.rows = Page.objects.filter(site_id=site_id).count()
        self._left_out: set[int] = set()
        self._left_out_elsewhere = 0
        self._last_id = 0
        self._sitemap: deque[str] = deque()
        self.sitemap_size = 0

    @property
    def left_out(self) -> int:
        """How many of the addresses found there was no room for; counted no further than 200,000."""
        return len(self._left_out) + self._left_out_elsewhere

    def count_left_out(self, addresses: int) -> None:
        """Addresses that others had no room for."""
        self._left_out_elsewhere += addresses

    def waiting(self) -> QuerySet[Page]:
        unvisited = Q(last_crawl__isnull=True) | ~Q(last_crawl_id=self._crawl_id)
        rows = Page.objects.filter(unvisited, site_id=self._site_id).order_by("id")
        return rows.exclude(status=PageStatus.SKIPPED, reason=UNFOLLOWED)

    @property
    def room(self) -> int:
        """How many more addresses can be kept."""
        return max(0, self._max_rows - self.rows)

    def visited(self) -> QuerySet[Page]:
        return Page.objects.filter(site_id=self._site_id, last_crawl_id=self._crawl_id)

    def load(self, chunk: int = 100) -> Iterator[Page]:
        """The waiting pages, in chunks as they are asked for; ends when no more are waiting at that moment.

        May be iterated again later: it goes on behind the last page that it gave.
        """
        while pages := list(self.waiting().filter(id__gt=self._last_id)[:chunk]):
            for page in pages:
                self._last_id = page.id
                yield page

    def has_more(self) -> bool:
        """Whether `load` would give a page now."""
        return self.waiting().filter(id__gt=self._last_id).exists()

    def add(self, urls: Iterable[str]) -> int:
        """Put those URLs (of the site, normalized) into the queue that were never seen; how many these are."""
        return self._add(urls, self._max_rows)

    def hold_sitemap(self, urls: Iterable[str]) -> None:
        """Keep the sitemap's URLs until no link leads on."""
        self._sitemap = deque(urls)
        self.sitemap_size = len(self._sitemap)

    def add_from_sitemap(self) -> int:
        """Put the next of the sitemap's URLs that were never seen into the queue; 0 when there are no more."""
        while self._sitemap:
            chunk = [self._sitemap.popleft() for _ in range(min(_SITEMAP_CHUNK, len(self._sitemap)))]
            if added := self._add(chunk, self._max_rows // 2):
                return added
        return 0

    def add_rest_of_sitemap(self) -> None:
        """Note what the sitemap names beyond the pages that this crawl reads."""
        while self.add_from_sitemap():
            pass

    def _add(self, urls: Iterable[str], max_rows: int) -> int:
        fresh = [url for url in dict.fromkeys(urls) if url not in self._known]
        added = 0
        for start in range(0, len(fresh), _CHUNK):
            added += self._add_chunk(fresh[start : start + _CHUNK], max_rows)
        return added

    def _add_chunk(self, urls: list[str], max_rows: int) -> int:
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        rows = dict(Page.objects.filter(site_id=self._site_id, url__in=urls).values_list("url", "reason"))
        # What was seen in nofollow links alone is found only now, and gets its place in the queue.
        unfollowed = [url for url, reason in rows.items() if reason == UNFOLLOWED]
        stored = rows.keys() - set(unfollowed)
        new = [url for url in urls if url not in stored]
        room = max(0, max_rows - self.rows)
        if len(new) > room:
            if len(self._left_out) < _REMEMBERED:
                self._left_out.update(hash(url) for url in new[room:])
            new = new[:room]
        if new:
            with transaction.atomic():
                self._fence()
                placed = sorted(set(unfollowed).intersection(new))
                found_anew = Page.objects.filter(site_id=self._site_id, url__in=placed, reason=UNFOLLOWED)
                self.rows -= found_anew.delete()[1].get("crawler.Page", 0)
                Page.objects.bulk_create([Page(site_id=self._site_id, url=url) for url in new], ignore_conflicts=True)
        self.rows += len(new)
        self._known.update(stored, new)
        return len(new)

    def rows_of(self, urls: Sequence[str]) -> dict[str, Page]:
        """The rows of these URLs, new ones where there is room, for a source that hands on its pages whole."""
        self.add(urls)
        return {page.url: page for page in Page.objects.filter(site_id=self._site_id, url__in=list(urls))}

    def mark_in_sitemap(self, urls: Iterable[str], lastmods: Mapping[str, datetime]) -> None:
        """Note which pages the sitemap names, and when it says they changed: these, and no others."""
        listed = list(urls)
        wanted = set(listed)
        pages = Page.objects.filter(site_id=self._site_id)
        marked = set(pages.filter(is_in_sitemap=True).values_list("url", flat=True).iterator())
        for is_listed, changed in ((True, [u for u in listed if u not in marked]), (False, sorted(marked - wanted))):
            for start in range(0, len(changed), _CHUNK):
                with transaction.atomic():
                    self._fence()
                    pages.filter(url__in=changed[start : start + _CHUNK]).update(is_in_sitemap=is_listed)
        self._write_lastmods(lastmods)

    def _write_lastmods(self, lastmods: Mapping[str, datetime]) -> None:
        pages = Page.objects.filter(site_id=self._site_id)
        changed = []
        for page in pages.only("id", "url", "sitemap_lastmod").iterator():
            if page.sitemap_lastmod != (lastmod := lastmods.get(page.url)):
                page.sitemap_lastmod = lastmod
                changed.append(page)
        for start in range(0, len(changed), _CHUNK):
            with transaction.atomic():
                self._fence()
                pages.bulk_update(changed[start : start + _CHUNK], ["sitemap_lastmod"], batch_size=250)
