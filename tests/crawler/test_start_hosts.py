"""Where a start address leads: with and without www, to a sister host, to another site. Names resolve to loopback."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from crawler.address_guard import AddressGuard
from crawler.errors import AddressRefused, CrawlError
from crawler.http import HttpClient
from crawler.models import Page
from crawler.services import crawl_site, get_or_create_site
from tests.crawler.loopback import Handler, LoopbackSite, page, serve
from tests.factories import make_crawl

pytestmark = pytest.mark.django_db
NAMES = ("site.test", "www.site.test", "blog.site.test", "other.test")


@pytest.fixture
def named_site(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackSite]:
    """One server that answers to all the names; `answers` go by host and path."""
    really = socket.getaddrinfo

    def resolve(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        return really("127.0.0.1" if str(host).endswith(".test") else host, port, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)

    def by_host(handler: Handler) -> None:
        host = handler.headers["Host"].partition(":")[0]
        answer = handler.site.answers.get(f"{host}{handler.path}", (404, {}, ""))
        assert not callable(answer)
        status, headers, body = (200, {}, answer) if isinstance(answer, str) else answer
        port = {name: value.replace("PORT", str(handler.site.port)) for name, value in headers.items()}
        handler.answer(status, port, body.encode() if isinstance(body, str) else body)

    with serve(fallback=by_host) as site:
        yield site


def crawl(site: LoopbackSite, host: str = "site.test", allowed: tuple[str, ...] = NAMES) -> list[str]:
    row = get_or_create_site(f"http://{host}:{site.port}/")
    crawl_site(row.pk, make_crawl(row).pk, client=HttpClient(AddressGuard(allowed)))
    read = Page.objects.filter(status="read").order_by("id").values_list("url", flat=True)
    return [url.removeprefix("http://").replace(f":{site.port}", "") for url in read]


def test_www_and_bare_name_are_one_site(named_site: LoopbackSite) -> None:
    bare = f"http://site.test:{named_site.port}/a"
    named_site.answers = {
        "site.test/": (301, {"Location": "http://www.site.test:PORT/"}, ""),
        "site.test/a": (301, {"Location": "http://www.site.test:PORT/a"}, ""),
        "www.site.test/": page("Home", links={bare: "a", "/a": "a too"}),
        "www.site.test/a": page("A"),
    }
    assert crawl(named_site) == ["www.site.test/", "www.site.test/a"]


def test_a_page_that_only_the_other_spelling_of_the_host_answers(named_site: LoopbackSite) -> None:
    named_site.answers = {
        "site.test/": page("Home", links={"/a": "a"}),
        "site.test/a": (301, {"Location": "http://www.site.test:PORT/a"}, ""),
        "www.site.test/a": page("A"),
    }
    assert crawl(named_site) == ["site.test/", "site.test/a"]


def test_a_sister_host_is_followed(named_site: LoopbackSite) -> None:
    named_site.answers = {
        "site.test/": (302, {"Location": "http://blog.site.test:PORT/start"}, ""),
        "blog.site.test/start": page("Home", links={"/a": "a"}),
        "blog.site.test/a": page("A"),
    }
    assert crawl(named_site) == ["blog.site.test/start", "blog.site.test/a"]


def test_another_site_is_named_and_not_read(named_site: LoopbackSite) -> None:
    named_site.answers = {
        "site.test/": (302, {"Location": "http://other.test:PORT/"}, ""),
        "other.test/": page("Other"),
    }
    with pytest.raises(CrawlError, match=r"redirects to another site, http://other\.test"):
        crawl(named_site)
    assert not Page.objects.exists()


def test_a_start_page_may_not_lead_to_a_host_that_is_not_allowed(named_site: LoopbackSite) -> None:
    named_site.answers = {
        "site.test/": (302, {"Location": "http://blog.site.test:PORT/"}, ""),
        "blog.site.test/": page("Inside"),
    }
    with pytest.raises(AddressRefused, match=r"blog\.site\.test"):
        crawl(named_site, allowed=("site.test",))


def test_robots_and_sitemap_may_not_lead_inside(named_site: LoopbackSite) -> None:
    inside = f"http://other.test:{named_site.port}/inside"
    named_site.answers = {
        "site.test/": page("Home"),
        "site.test/robots.txt": (302, {"Location": inside}, ""),
        "site.test/sitemap.xml": (302, {"Location": inside}, ""),
        "other.test/inside": f"<urlset><url><loc>http://site.test:{named_site.port}/x</loc></url></urlset>",
    }
    assert crawl(named_site, allowed=("site.test",)) == ["site.test/"]
    assert "/inside" not in named_site.paths()
