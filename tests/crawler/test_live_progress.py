"""What the person who waits is told: counts by reason, a rate over the last minute, and an honest time left."""

import pytest

from crawler.live_progress import LiveProgress
from crawler.models import Page, PageStatus
from crawler.services import crawl_site, get_or_create_site
from tests.crawler.loopback import page, serve
from tests.factories import make_crawl, make_site

pytestmark = pytest.mark.django_db


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def rows(count: int, status: str = PageStatus.READ, reason: str = "", http_status: int | None = 200) -> list[Page]:
    return [Page(status=status, reason=reason, http_status=http_status) for _ in range(count)]


def test_counts_rate_and_time_left() -> None:
    clock, run = Clock(), make_crawl(make_site())
    live = LiveProgress(run.site_id, run.pk, lambda: None, lambda: 0.5, clock)
    live.tell(200, 150, 0)
    run.refresh_from_db()
    assert (run.live["pages_per_second"], run.live["seconds_left"]) == (None, None)
    clock.now += 10
    live.add(rows(30) + rows(4, PageStatus.SKIPPED, "not a web page: its name ends in .pdf", None))
    live.add(rows(3, PageStatus.FAILED, "HTTP 500", 500) + rows(2, reason="last visit failed: timed out: x"))
    live.add(rows(1, PageStatus.GONE, "HTTP 404", 404))
    live.tell(200, 160, 7)
    run.refresh_from_db()
    assert run.live == {
        "found": 200,
        "fetched": 36,
        "read": 30,
        "unchanged": 7,
        "waiting": 160,
        "skipped": {"not a web page": 4},
        "failed": {"HTTP 500": 3, "timed out": 2, "HTTP 404": 1},
        "pages_per_second": 4.0,
        # 40 s at that rate, but politeness allows two pages a second.
        "seconds_left": 80,
    }


def test_the_rate_is_that_of_the_last_minute_and_writes_are_rare() -> None:
    clock, run = Clock(), make_crawl(make_site())
    live = LiveProgress(run.site_id, run.pk, lambda: None, clock=clock)
    for _ in range(300):
        clock.now += 0.1
        live.add(rows(10))
    assert live.as_json(0, 100, 0)["pages_per_second"] == 100
    for _ in range(65):
        clock.now += 1
        live.add(rows(1))
    assert live.as_json(0, 90, 0)["seconds_left"] == pytest.approx(90, abs=2)
    live.tell(1, 1, 0)
    clock.now += 1.9
    live.tell(2, 2, 0)
    run.refresh_from_db()
    assert run.live["found"] == 1
    clock.now += 0.2
    live.tell(3, 3, 0)
    run.refresh_from_db()
    assert run.live["found"] == 3


def test_a_crawl_ends_with_its_counts_and_another_attempt_begins_with_them() -> None:
    links = {"/a": "a", "/b": "b", "/c.pdf": "c", "/d": "d"}
    with serve({"/": page("Home", links=links), "/a": page("A"), "/b": (500, {}, "")}) as site:
        run = make_crawl(get_or_create_site(site.url))
        crawl_site(run.site_id, run.pk)
        run.refresh_from_db()
        counts = {"found": 5, "fetched": 4, "read": 2, "waiting": 0, "seconds_left": 0}
        assert run.live.items() >= counts.items()
        assert run.live["skipped"] == {"not a web page": 1}
        assert run.live["failed"] == {"HTTP 500": 1, "HTTP 404": 1}
        again = LiveProgress(run.site_id, run.pk, lambda: None).as_json(5, 0, 0)
        assert again == run.live | {"unchanged": 0}
