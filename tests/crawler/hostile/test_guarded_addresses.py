"""No request to a forbidden address, from wherever a crawl takes one. Nobody calls the witness, a second server."""

import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from crawler.address_guard import AddressGuard, is_public
from crawler.errors import AddressRefused, CrawlError, FetchError
from crawler.http import guarded_client
from crawler.models import Page
from crawler.services import get_or_create_site
from tests.crawler.hostile.crawling import GOOD, assert_good_pages_were_read, crawl, impatient_client
from tests.crawler.loopback import Answer, Handler, LoopbackSite, page, serve, sitemap

#: The witness's loopback address and others, as people spell what they want to hide. {port} is the witness's.
SPELLINGS = [
    "http://127.0.0.1:{port}/",
    "http://127.0.0.1.:{port}/",
    "http://127.1:{port}/",
    "http://2130706433:{port}/",
    "http://017700000001:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://0x7f000001:{port}/",
    "http://0x7f.0.0.0x1:{port}/",
    "http://①②⑦.⓪.⓪.①:{port}/",
    "http://127。0。0。1:{port}/",
    "http://%31%32%37.0.0.1:{port}/",
    "http://0:{port}/",
    "http://0.0.0.0:{port}/",
    "http://localhost:{port}/",
    "http://localhost.:{port}/",
    "http://LOCALHOST:{port}/",
    "http://[::1]:{port}/",
    "http://[0:0:0:0:0:0:0:1]:{port}/",
    "http://[::]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://[::127.0.0.1]:{port}/",
    "http://[::ffff:0:127.0.0.1]:{port}/",
    "http://[64:ff9b::127.0.0.1]:{port}/",
    "http://[64:ff9b:1::127.0.0.1]:{port}/",
    "http://[2002:7f00:1::]:{port}/",
    "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]:{port}/",
    "http://[2a00:1450::5efe:7f00:1]:{port}/",
    "http://[2a00:1450::200:5efe:7f00:1]:{port}/",
    "http://[fe80::1%25lo]:{port}/",
    "http://[fe80::1]:{port}/",
    "http://[fc00::1]:{port}/",
    "http://[ff02::1]:{port}/",
    "http://10.0.0.1:{port}/",
    "http://172.16.0.1:{port}/",
    "http://192.168.0.1:{port}/",
    "http://100.64.0.1:{port}/",
    "http://169.254.169.254:{port}/",
    "http://[fd00:ec2::254]:{port}/",
    "http://0xa9fea9fe/",
    "http://2852039166/",
    "http://224.0.0.1:{port}/",
    "http://255.255.255.255:{port}/",
    "http://good@127.0.0.1:{port}/",
]


@pytest.fixture
def witness() -> Iterator[LoopbackSite]:
    """A server on loopback that is not allowed, on both families; nobody may call it."""
    with serve(fallback=page("Secret")) as site:
        yield site
        assert not site.requests


def resolve_to(monkeypatch: pytest.MonkeyPatch, answers: list[list[str]]) -> list[str]:
    """Let evil.example resolve to these addresses, one list after the other; the last one stays. Who asked is told."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def getaddrinfo(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        if host != "evil.example":
            return real(host, port, *args, **kwargs)
        found = answers[min(len(asked), len(answers) - 1)]
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_is_refused_asked_for_or_redirected_to(spelling: str, witness: LoopbackSite) -> None:
    url = spelling.format(port=witness.port)
    with serve() as site, impatient_client(f"127.0.0.1:{site.port}") as client:
        site.answers["/a"] = (302, {"Location": url.encode().decode("latin-1")}, "")
        with pytest.raises(FetchError, match=r"refused|host name is not known|not http|not a valid"):
            client.get(site.at("/a"))
        with pytest.raises(FetchError, match=r"refused|host name is not known|not http|not a valid"):
            client.get(url)


@pytest.mark.django_db
@pytest.mark.parametrize("url", ["http://169.254.169.254/", "http://[::ffff:10.0.0.1]/", "http://localhost/"])
def test_no_crawl_starts_at_a_forbidden_address(url: str) -> None:
    with pytest.raises(CrawlError, match="private or special"):
        get_or_create_site(url)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "place", ["start", "page", "robots.txt", "sitemap", "sitemap index", "sitemap file", "via site"]
)
def test_a_crawl_reaches_the_witness_by_no_redirect_and_no_entry(place: str, witness: LoopbackSite) -> None:
    to_witness: Answer = (302, {"Location": witness.url}, "")
    index = f"<sitemapindex><sitemap><loc>{witness.at('/s.xml')}</loc></sitemap></sitemapindex>"
    answers: dict[str, dict[str, Answer]] = {
        "start": {"/": to_witness},
        "page": {"/attack": to_witness},
        "robots.txt": {"/robots.txt": to_witness},
        "sitemap": {"/sitemap.xml": sitemap(witness.url, witness.at("/x"))},
        "sitemap index": {"/sitemap.xml": (200, {"Content-Type": "application/xml"}, index)},
        "sitemap file": {"/robots.txt": f"Sitemap: {witness.at('/s.xml')}\n", "/sitemap.xml": to_witness},
        "via site": {"/attack": (301, {"Location": "/hop"}, ""), "/hop": to_witness},
    }
    with serve() as site:
        if place == "start":
            with pytest.raises(CrawlError, match=re.escape(witness.url)):
                crawl(site, answers[place])
            return
        crawl(site, answers[place], max_pages=20)
        assert_good_pages_were_read(site)
    assert not Page.objects.filter(url__contains=f":{witness.port}").exists()


@pytest.mark.django_db
def test_nothing_that_a_page_names_is_asked_of_the_witness(witness: LoopbackSite) -> None:
    url = witness.url
    head = (
        f'<link rel=canonical href="{url}c"><link rel=alternate hreflang=de href="{url}de"><base href="{url}">'
        f'<link rel=stylesheet href="{url}a.css"><link rel="preload prefetch preconnect dns-prefetch" href="{url}p">'
        f'<meta http-equiv=refresh content="30;url={url}r"><script src="{url}s.js"></script>'
        f'<style>@import url("{url}i.css"); p {{ background: url({url}bg.png) }}</style>'
    )
    body = (
        f'<img src="{url}i.png" srcset="{url}2.png 2x"><iframe src="{url}f"></iframe><object data="{url}o"></object>'
        f'<embed src="{url}e"><video src="{url}v" poster="{url}p.png"></video><a href="{url}a" ping="{url}ping">a</a>'
        f'<form action="{url}f"><input formaction="{url}g"></form><svg><use href="{url}u.svg"/></svg>'
    )
    with serve() as site:
        crawl(site, {"/attack": page("Attack", text=f"This page says a thing in a sentence. {body}", head=head)})
        assert Page.objects.get(url=site.at("/attack")).status == "read"
        assert_good_pages_were_read(site)


@pytest.mark.django_db
def test_a_name_that_resolves_elsewhere_the_second_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """127.0.0.2 plays the public server of the attacker, 127.0.0.1 on the same port is the witness."""
    monkeypatch.setattr(
        "crawler.address_guard.is_public", lambda address: str(address) == "127.0.0.2" or is_public(address)
    )
    asked = resolve_to(monkeypatch, [["127.0.0.2"]] * 3 + [["127.0.0.1"]])

    def answer_once(handler: Handler) -> None:
        handler.close_connection = True
        handler.answer(200, {"Connection": "close"}, page("Outer", links={"/a": "a", "/b": "b"}).encode())

    with (
        serve(fallback=page("Secret")) as inner,
        serve_beside(inner, answer_once) as outer,
        impatient_client() as client,
    ):
        url = f"http://evil.example:{inner.port}/"
        for _ in range(3):
            assert b"Outer" in client.get(url).body
        for _ in range(3):
            with pytest.raises(AddressRefused, match=r"evil\.example is at 127\.0\.0\.1"):
                client.get(url)
        assert len(asked) == 6
        assert len(outer.requests) == 3
        assert not inner.requests


def test_of_several_addresses_of_a_name_the_forbidden_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crawler.address_guard.is_public", lambda address: str(address) == "127.0.0.2")
    resolve_to(monkeypatch, [["127.0.0.1", "127.0.0.2", "10.0.0.1"]])
    with serve(fallback=page("Secret")) as inner, serve_beside(inner, page("Outer")) as outer:
        with impatient_client() as client:
            assert b"Outer" in client.get(f"http://evil.example:{inner.port}/").body
        assert len(outer.requests) == 1
        assert not inner.requests


def test_the_peer_is_looked_at_once_more(monkeypatch: pytest.MonkeyPatch, witness: LoopbackSite) -> None:
    """A machine whose routing turns a public address into a private one: the peer of the socket gives it away."""
    monkeypatch.setattr("crawler.address_guard.is_public", lambda address: str(address) == "127.0.0.9")
    resolve_to(monkeypatch, [["127.0.0.9"]])
    monkeypatch.setattr(socket.socket, "connect", reroute(socket.socket.connect, witness.port))
    with impatient_client() as client, pytest.raises(AddressRefused, match=r"evil\.example is at 127\.0\.0\.1"):
        client.get(f"http://evil.example:{witness.port}/")


def test_the_setting_opens_what_it_names_and_nothing_else(settings: Any, witness: LoopbackSite) -> None:
    with serve(GOOD) as site:
        settings.LINKREC_ALLOWED_PRIVATE_HOSTS = [f"127.0.0.1:{site.port}"]
        with guarded_client() as client:
            assert client.get(site.url).status == 200
            for url in (witness.url, f"http://localhost:{site.port}/", f"http://[::ffff:127.0.0.1]:{site.port}/"):
                with pytest.raises(AddressRefused, match="LINKREC_ALLOWED_PRIVATE_HOSTS"):
                    client.get(url)
        settings.LINKREC_ALLOWED_PRIVATE_HOSTS = []
        with guarded_client() as client, pytest.raises(AddressRefused):
            client.get(site.url)


def test_a_name_that_is_allowed_opens_no_metadata_service(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, [["169.254.169.254"]])
    with impatient_client("evil.example") as client, pytest.raises(AddressRefused, match=r"169\.254\.169\.254"):
        client.get("http://evil.example/")
    assert not AddressGuard(["evil.example"]).permits("evil.example", 80, "fe80::1%eth0")


def reroute(connect: Any, port: int) -> Any:
    return lambda sock, address: connect(sock, ("127.0.0.1", port))


def serve_beside(inner: LoopbackSite, answer: Answer) -> Any:
    """A server on 127.0.0.2 at the same port as the other one."""
    return serve(fallback=answer, address=("127.0.0.2", inner.port))
