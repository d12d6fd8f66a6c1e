"""Crawls a site on loopback as the product does, with short patience and one port allowed."""

from collections.abc import Mapping
from typing import Any

from crawler.address_guard import AddressGuard
from crawler.http import FetchPolicy, HttpClient
from crawler.models import Page
from crawler.services import crawl_site, get_or_create_site
from tests.crawler.loopback import Answer, LoopbackSite, page
from tests.factories import make_crawl

IMPATIENT = FetchPolicy(total_seconds=1.0, idle_seconds=0.5, retry_wait_seconds=0.01, longest_wait_seconds=0.5)
#: Good pages before and after the attack in the order of links.
LINKS = {"/good-1": "one", "/attack": "the attack", "/good-2": "two", "/good-3": "three"}
GOOD: dict[str, Answer] = {
    "/": page("Home", links=LINKS),
    "/good-1": page("Good one"),
    "/good-2": page("Good two"),
    "/good-3": page("Good three"),
}


def impatient_client(*allowed: str) -> HttpClient:
    return HttpClient(AddressGuard(allowed), policy=IMPATIENT)


def crawl(site: LoopbackSite, answers: Mapping[str, Answer], **limits: Any) -> dict[str, Any]:
    """Crawl the good pages and these, through a guard that allows this one port alone."""
    site.answers = {**GOOD, **answers}
    row = get_or_create_site(site.url, **limits)
    return crawl_site(row.pk, make_crawl(row).pk, client=impatient_client(f"127.0.0.1:{site.port}"))


def assert_good_pages_were_read(site: LoopbackSite) -> None:
    read = Page.objects.filter(status="read", url__in=[site.at(path) for path in GOOD])
    assert {row.url for row in read} == {site.at(path) for path in GOOD}
    assert all(row.word_count for row in read)
