"""Hosts that are asked too often: 429, 503, Retry-After."""

import pytest

from crawler.address_guard import AddressGuard
from crawler.http import FetchPolicy, HttpClient
from crawler.models import Page
from crawler.pacing import Pacer
from crawler.services import crawl_site, get_or_create_site
from tests.crawler.loopback import Handler, page, serve
from tests.crawler.test_pacing import Clock, starts
from tests.factories import make_crawl


@pytest.mark.django_db
@pytest.mark.parametrize("status", [429, 503])
def test_a_page_whose_server_was_busy_is_asked_again_when_all_others_were(status: int) -> None:
    turns: list[str] = []

    def busy(handler: Handler) -> None:
        turns.append(handler.path)
        body = page("Busy", links={"/behind": "behind"}).encode()
        handler.answer(status if len(turns) <= 2 else 200, {"Retry-After": "0"}, body)

    with serve({"/": page("Home", links={"/busy": "busy", "/b": "b"}), "/b": page("B")}) as site:
        site.answers |= {"/busy": busy, "/behind": page("Behind")}
        row = get_or_create_site(site.url)
        policy = FetchPolicy(tries=2, retry_wait_seconds=0.01)
        crawl_site(row.pk, make_crawl(row).pk, client=HttpClient(AddressGuard(["127.0.0.1"]), policy=policy))
        assert set(Page.objects.values_list("status", flat=True)) == {"read"}
        assert Page.objects.count() == 4
        assert len(turns) == 3


@pytest.mark.django_db
def test_a_page_that_stays_busy_fails_with_its_status() -> None:
    with serve({"/": page("Home", links={"/busy": "busy"}), "/busy": (429, {}, "")}) as site:
        row = get_or_create_site(site.url)
        policy = FetchPolicy(tries=1)
        crawl_site(row.pk, make_crawl(row).pk, client=HttpClient(AddressGuard(["127.0.0.1"]), policy=policy))
        assert Page.objects.get(url=site.at("/busy")).reason == "HTTP 429"
        assert site.paths().count("/busy") == 2


def test_a_host_that_was_too_busy_is_asked_half_as_often_and_recovers_slowly() -> None:
    clock = Clock()
    pacer = Pacer(0.5, clock=clock.time, sleep=clock.sleep)
    starts(pacer, clock, "a", 2)
    for _ in range(4):
        # Four connections are told at once.
        pacer.slow_down("a")
    _, second, third = starts(pacer, clock, "a", 3)
    assert third - second == pytest.approx(1.0)
    for _ in range(3):
        pacer.speed_up("a")
    starts(pacer, clock, "a", 1)
    one, two = starts(pacer, clock, "a", 2)
    assert 0.5 < two - one < 1.0
    for _ in range(20):
        pacer.speed_up("a")
    starts(pacer, clock, "a", 1)
    one, two = starts(pacer, clock, "a", 2)
    assert two - one == pytest.approx(0.5)
