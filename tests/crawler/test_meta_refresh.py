"""Redirects by <meta http-equiv=refresh>, and pages that only load themselves anew."""

import pytest

from crawler.meta_refresh import refresh_target
from crawler.models import Page
from crawler.services import crawl_site, get_or_create_site
from tests.crawler.loopback import Answer, page, serve
from tests.factories import make_crawl

URL = "https://example.com/a/"


@pytest.mark.parametrize(
    ("html", "target"),
    [
        ('<meta http-equiv="refresh" content="0; url=/b">', "https://example.com/b"),
        ("<META HTTP-EQUIV=Refresh CONTENT='0;URL=\"c\"'>", "https://example.com/a/c"),
        ('<meta content="3 ; https://other.example/" http-equiv="refresh">', "https://other.example/"),
        ('<base href="/x/"><meta http-equiv="refresh" content="0;url=y">', "https://example.com/x/y"),
        ('<meta http-equiv="refresh" content="0; url=/a/#top">', ""),
        ('<meta http-equiv="refresh" content="60; url=/b">', ""),
        ('<meta http-equiv="refresh" content="30">', ""),
        ('<noscript><meta http-equiv="refresh" content="0; url=/no-script"></noscript>', ""),
        ('<!-- <meta http-equiv="refresh" content="0; url=/b"> -->', ""),
        ('<meta http-equiv="refresh" content="0; url=javascript:alert(1)">', ""),
        ("<p>nothing of the kind</p>", ""),
    ],
)
def test_where_a_page_sends_its_reader(html: str, target: str) -> None:
    assert refresh_target(f"<!doctype html><html><head>{html}</head><body>x</body></html>".encode(), URL) == target


REFRESH = '<html><head><meta http-equiv="refresh" content="0; url={}"></head><body>Moved, wait.</body></html>'


@pytest.mark.django_db
def test_chains_and_circles_of_every_kind_of_redirect() -> None:
    answers: dict[str, Answer] = {
        "/": page("Home", links={"/one": "one", "/round": "round", "/off": "off", "/self": "self"}),
        "/one": (302, {"Location": "/two"}, ""),
        "/two": REFRESH.format("/three"),
        "/three": (308, {"Location": "/end"}, ""),
        "/end": page("End"),
        "/round": REFRESH.format("/about"),
        "/about": (301, {"Location": "/round"}, ""),
        "/off": REFRESH.format("https://elsewhere.example/"),
        "/self": (301, {"Location": "/self#x"}, ""),
    }
    with serve(answers) as site:
        row = get_or_create_site(site.url)
        crawl_site(row.pk, make_crawl(row).pk)
        rows = {found.url.removeprefix(site.url): found for found in Page.objects.all()}
        assert {path: found.status for path, found in rows.items()} == {
            "": "read", "one": "redirect", "two": "redirect", "three": "redirect", "end": "read",
            "round": "failed", "about": "failed", "off": "skipped", "self": "failed",
        }  # fmt: skip
        assert {rows[path].redirect_url for path in ("one", "two", "three")} == {site.at("/end")}
        assert rows[""].outlinks.get(target_url=site.at("/one")).target == rows["end"]
        assert "https://elsewhere.example/" in rows["off"].reason


@pytest.mark.django_db
def test_canonical_and_hreflang_across_hosts_and_in_circles() -> None:
    def named(url: str) -> str:
        return f'<link rel="canonical" href="{url}">'

    alternates = (
        '<link rel="alternate" hreflang="de" href="/de"><link rel="alternate" hreflang="fr" href="https://f.example/">'
    )
    answers: dict[str, Answer] = {
        "/": page("Home", links={"/copy": "copy", "/abroad": "abroad", "/x": "x", "/y": "y", "/lost": "lost"}),
        "/copy": page("Copy", head=named("/real")),
        "/real": page("Real", head=alternates),
        "/de": page("Echt"),
        "/abroad": page("Abroad", head=named("https://elsewhere.example/abroad")),
        "/x": page("X", head=named("/y")),
        "/y": page("Y", head=named("/x")),
        "/lost": page("Lost", head=named("/gone")),
    }
    with serve(answers) as site:
        row = get_or_create_site(site.url)
        crawl_site(row.pk, make_crawl(row).pk)
        rows = {found.url.removeprefix(site.url): found for found in Page.objects.filter(status="read")}
        assert {path for path, found in rows.items() if found.is_target} == {"", "real", "x", "y", "lost"}
        assert rows["real"].hreflang == {"de": site.at("/de"), "fr": "https://f.example/"}
        assert rows["abroad"].reason == "canonical is another page: https://elsewhere.example/abroad"
        assert rows[""].outlinks.get(target_url=site.at("/copy")).target == rows["real"]
