"""Sites behind a password or a header: who is sent it, and what is said to those who have none."""

import base64
import socket
from typing import Any

import pytest

from crawler.address_guard import AddressGuard
from crawler.credentials import Credentials, store_credentials
from crawler.errors import CrawlError
from crawler.http import HttpClient
from crawler.models import Page, Site
from crawler.services import crawl_site, get_or_create_site
from crawler.site_access import SiteAccess
from tests.crawler.loopback import Answer, Handler, LoopbackSite, page, serve, sitemap
from tests.factories import make_crawl

WORD = "Basic " + base64.b64encode("ed:tëa".encode()).decode()


def behind(answer: Answer) -> Answer:
    """The answer for those who know the password, 401 for all others."""

    def guarded(handler: Handler) -> None:
        if handler.headers.get("Authorization") != WORD or handler.headers.get("X-Staging") != "yes":
            handler.answer(401, {"WWW-Authenticate": "Basic"}, b"")
            return
        status, headers, body = (200, {}, answer) if isinstance(answer, str) else answer  # type: ignore[misc]
        handler.answer(status, headers, body.encode() if isinstance(body, str) else body)

    return guarded


def site_of(site: LoopbackSite, *, host: str = "127.0.0.1") -> Site:
    row = get_or_create_site(f"http://{host}:{site.port}/")
    store_credentials(row, Credentials("ed", "tëa", {"X-Staging": "yes"}))
    return row


@pytest.mark.django_db
def test_pages_robots_and_sitemaps_are_asked_with_the_password() -> None:
    with serve() as site:
        site.answers = {
            "/": behind(page("Home", links={"/a": "a"})),
            "/a": behind(page("A")),
            "/b": behind(page("B")),
            "/robots.txt": behind("User-agent: *\nSitemap: /map.xml\nDisallow: /no"),
            "/map.xml": behind(sitemap(site.at("/b"), site.at("/no/x"))),
        }
        row = site_of(site)
        crawl_site(row.pk, make_crawl(row).pk)
        found = dict(Page.objects.values_list("url", "status"))
        assert found == {site.url: "read", site.at("/a"): "read", site.at("/b"): "read", site.at("/no/x"): "skipped"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("status", "words"), [(401, "asks for a user name and password. Enter them"), (403, "shuts this crawler out")]
)
def test_a_site_that_lets_nobody_in_says_what_to_do(status: int, words: str) -> None:
    with serve(fallback=(status, {}, "")) as site:
        row = get_or_create_site(site.url)
        with pytest.raises(CrawlError, match=words):
            crawl_site(row.pk, make_crawl(row).pk)


@pytest.mark.django_db
@pytest.mark.parametrize("are_subdomains_included", [False, True])
def test_other_hosts_are_sent_nothing(are_subdomains_included: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    really = socket.getaddrinfo

    def resolve(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        return really("127.0.0.1" if str(host).endswith(".test") else host, port, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with serve({"/": page("Home"), "/robots.txt": (404, {}, "")}) as site:
        there = {name: f"http://{name}:{site.port}" for name in ("site.test", "sub.site.test", "other.test")}
        links = {f"{origin}/{name}": name for name, origin in there.items()}
        site.answers["/"] = page("Home", links={**links, "/moved": "moved", "/moved-below": "below"})
        site.answers["/moved"] = (302, {"Location": f"{there['other.test']}/other.test"}, "")
        site.answers["/moved-below"] = (302, {"Location": f"{there['sub.site.test']}/sub.site.test"}, "")
        for name in there:
            site.answers[f"/{name}"] = page(f"On {name}")
        row = site_of(site, host="site.test")
        row.are_subdomains_included = are_subdomains_included
        row.save()
        crawl_site(row.pk, make_crawl(row).pk, client=HttpClient(AddressGuard(tuple(there))))
        sent = {headers["host"].partition(":")[0]: "authorization" in headers for _, headers in site.requests}
        assert sent == {"site.test": True} | ({"sub.site.test": True} if are_subdomains_included else {})
        hosts = {url.split("/")[2].partition(":")[0] for url in Page.objects.values_list("url", flat=True)}
        assert hosts == sent.keys()


@pytest.mark.parametrize(
    ("site", "url", "is_sent"),
    [
        ("https://h/", "https://h/a", True),
        ("https://h/", "https://www.h/a", True),
        ("http://h/", "https://h/a", True),
        ("https://h/", "http://h/a", False),
        ("https://h/", "https://h:8443/a", False),
        ("https://h/", "https://sub.h/a", False),
        ("https://h/", "https://h.evil.example/a", False),
    ],
)
def test_where_headers_go(site: str, url: str, is_sent: bool) -> None:
    assert bool(SiteAccess(site, {"X-Key": "1"}).headers_for(url)) is is_sent


def test_a_redirect_to_another_host_loses_them() -> None:
    with serve() as other, serve() as site:
        other.answers["/x"] = page("Elsewhere")
        site.answers["/a"] = (302, {"Location": other.at("/x")}, "")
        with HttpClient(AddressGuard(["127.0.0.1"])) as client:
            client.authorize(site.url, {"Authorization": WORD})
            assert client.get(site.at("/a")).status == 200
        assert site.requests[0][1]["authorization"] == WORD
        assert "authorization" not in other.requests[0][1]
