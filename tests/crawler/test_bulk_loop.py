"""Sources that hand on their pages whole: what is stored, where a new attempt goes on, what becomes of absent pages."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from crawler.errors import CrawlError, CrawlHeld
from crawler.extraction import extract_page
from crawler.leases import LeaseLost
from crawler.models import Crawl, Page
from crawler.services import crawl_site
from crawler.sources.types import BulkPage, KnownPage, Opening, Outcome, SourcePage
from tests.crawler.loopback import page
from tests.factories import make_crawl, make_site

pytestmark = pytest.mark.django_db


class Shelf:
    """A bulk source of pages in memory."""

    site_url = "https://shelf.example/"

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts
        self.began_behind: list[str] = []

    def open(self) -> Opening:
        return Opening(self.site_url, self.site_url)

    def pages(self, known: Callable[[Sequence[str]], Mapping[str, KnownPage]], cursor: str) -> Iterator[BulkPage]:
        self.began_behind.append(cursor)
        for key, text in sorted(self.texts.items()):
            if key > cursor:
                url = f"{self.site_url}{key}"
                stored = known([key]).get(key)
                if stored and stored.source_sha256 == text:
                    result = SourcePage(url, Outcome.UNCHANGED, source_key=key)
                else:
                    content = extract_page(page(key, text=text).encode(), url, {})
                    result = SourcePage(url, Outcome.READ, content=content, source_key=key, source_sha256=text)
                yield BulkPage(key, result)

    def look_for(self, missing: Mapping[str, KnownPage]) -> Iterator[BulkPage]:
        """Nothing is known of what is not on the shelf."""
        return iter(())

    def stop(self) -> None:
        """Nothing waits."""


def test_what_a_bulk_source_no_longer_hands_on_is_gone_after_two_crawls(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf({f"{n:03}": f"The text of number {n} is not long, but it is here." for n in range(70)})
    monkeypatch.setattr("crawler.services.make_source", lambda site, client: shelf)
    row = make_site(start_url=shelf.site_url)

    def read(**options: Any) -> dict[str, Any]:
        run = make_crawl(row)
        Crawl.objects.filter(pk=run.pk).update(**options)
        return crawl_site(row.pk, run.pk)

    assert read()["read"] == 70
    run = make_crawl(row)
    left = 3

    def fence() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise LeaseLost("killed")

    with pytest.raises(LeaseLost):
        crawl_site(row.pk, run.pk, fence=fence)
    crawl_site(row.pk, run.pk)
    assert shelf.began_behind[-1] > "030"
    del shelf.texts["005"]
    shelf.texts["006"] = "Another text."
    figures = read()
    assert (figures["read"], figures["unchanged"], figures["gone"]) == (69, 68, 0)
    assert read()["gone"] == 1
    gone = Page.objects.get(source_key="005")
    assert (gone.status, gone.reason) == (
        "gone",
        "missed in two complete crawls in a row: the source has it no longer",
    )
    for key in list(shelf.texts)[:30]:
        del shelf.texts[key]
    with pytest.raises(CrawlHeld, match="Only 39 of the 69"):
        read()
    assert read(are_losses_confirmed=True)["gone"] == 30


def test_what_a_source_gave_before_it_broke_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    class Torn(Shelf):
        def pages(self, known: Callable[[Sequence[str]], Mapping[str, KnownPage]], cursor: str) -> Iterator[BulkPage]:
            yield from super().pages(known, cursor)
            raise CrawlError("The file ends before its end.")

    shelf = Torn({f"{n:03}": f"The text of number {n} is not long, but it is here." for n in range(11)})
    monkeypatch.setattr("crawler.services.make_source", lambda site, client: shelf)
    row = make_site(start_url=shelf.site_url)
    with pytest.raises(CrawlError, match="ends before its end"):
        crawl_site(row.pk, make_crawl(row).pk)
    assert Page.objects.filter(site=row, status="read").count() == 11
