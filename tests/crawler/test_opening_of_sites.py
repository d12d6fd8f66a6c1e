"""What is learned of a site before its pages are read: sitemaps as sites have them, over real sockets."""

import gzip
from datetime import UTC, datetime
from typing import Any

import pytest

from crawler.models import Page
from crawler.services import crawl_site, get_or_create_site
from tests.crawler.loopback import LoopbackSite, page, serve, sitemap
from tests.factories import make_crawl

pytestmark = pytest.mark.django_db
XML = {"Content-Type": "application/xml"}


def crawl(site: LoopbackSite, **values: Any) -> dict[str, Any]:
    row = get_or_create_site(site.url)
    for name, value in values.items():
        setattr(row, name, value)
    row.save()
    return crawl_site(row.pk, make_crawl(row).pk)


def read(site: LoopbackSite) -> set[str]:
    return {url.removeprefix(site.url) for url in Page.objects.filter(status="read").values_list("url", flat=True)}


def index(*urls: str) -> str:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>"


def test_sitemaps_of_every_kind_that_robots_txt_names() -> None:
    with serve({"/": page("Home")}) as site:
        for name in "abcdef":
            site.answers[f"/{name}"] = page(name)
        feed = f"<rss><channel><item><link>{site.at('/c')}</link></item></channel></rss>"
        packed = gzip.compress(str(sitemap(site.at("/d"))[2]).encode())
        wide = f'<?xml version="1.0" encoding="UTF-16"?><urlset><url><loc>{site.at("/f")}</loc></url></urlset>'
        site.answers |= {
            "/robots.txt": "User-agent: *\nAllow: /\n\nSitemap: /index.xml\nsitemap: /feed\nSITEMAP: /list.txt\n"
            "Sitemap: https://elsewhere.example/map.xml\n",
            "/index.xml": (200, XML, index(site.at("/one.xml"), site.at("/index.xml"), "/packed", site.at("/404.xml"))),
            "/one.xml": (200, XML, "\n\n<urlset><url><loc>\n/a\n</loc></url><url><loc>/b</loc></url></urlset>"),
            "/packed": (200, {"Content-Type": "application/octet-stream"}, packed),
            "/feed": (200, {"Content-Type": "application/rss+xml"}, feed),
            "/list.txt": (200, {"Content-Type": "text/plain"}, f"\ufeff{site.at('/e')}\r\nhttps://elsewhere.example/x\r\n"),
            "/wide.xml": (200, XML, wide.encode("utf-16")),
        }  # fmt: skip
        site.answers["/robots.txt"] = str(site.answers["/robots.txt"]) + "Sitemap: /wide.xml\n"
        figures = crawl(site)
        assert read(site) == {"", "a", "b", "c", "d", "e", "f"}
        notes = " ".join(figures["notes"])
        assert "elsewhere.example/map.xml was ignored" in notes
        assert "1 URLs in the sitemap are on another site and were ignored: https://elsewhere.example/x" in notes
        assert "404.xml answers with HTTP 404" in notes
        assert site.paths().count("/index.xml") == 1


def test_when_the_sitemap_says_that_a_page_changed_is_kept() -> None:
    with serve({"/": page("Home"), "/a": page("A")}) as site:
        lines = f"<url><loc>{site.at('/a')}</loc><lastmod>2024-05-06</lastmod></url><url><loc>{site.url}</loc></url>"
        site.answers["/sitemap.xml"] = (200, XML, f"<urlset>{lines}</urlset>")
        crawl(site)
        found = dict(Page.objects.values_list("url", "sitemap_lastmod"))
        assert found[site.url] is None
        assert found[site.at("/a")] == datetime(2024, 5, 6, tzinfo=UTC)


def test_what_the_scope_leaves_out_has_its_reason_and_dropped_parameters_hold_for_links() -> None:
    links = {"/a?ref=home&id=1": "a", "/tag/x": "tag", "/a?id=1&ref=foot": "a again"}
    with serve({"/": page("Home", links=links), "/a?id=1": page("A"), "/b?ref=map": page("B")}) as site:
        site.answers["/sitemap.xml"] = sitemap(site.at("/tag/y"), site.at("/a?id=1&ref=map"))
        crawl(site, exclude_patterns="/tag/*", dropped_parameters="ref")
        rows = {row.url.removeprefix(site.url): row for row in Page.objects.all()}
        assert {path: row.status for path, row in rows.items()} == {
            "": "read", "a?id=1": "read", "tag/x": "skipped", "tag/y": "skipped",
        }  # fmt: skip
        assert all("/tag/*" in rows[path].reason for path in ("tag/x", "tag/y"))
        targets = set(rows[""].outlinks.filter(target=rows["a?id=1"]).values_list("target_url", flat=True))
        assert targets == {site.at("/a?id=1")}


def test_a_parameter_that_is_dropped_later_turns_old_addresses_into_redirects() -> None:
    answers = {"/": page("Home", links={"/a?v=1": "a"}), "/a?v=1": page("A"), "/a": page("A")}
    with serve(answers) as site:
        crawl(site)
        assert read(site) == {"", "a?v=1"}
        crawl(site, dropped_parameters="v")
        assert read(site) == {"", "a"}
        old = Page.objects.get(url=site.at("/a?v=1"))
        assert (old.status, old.redirect_url) == ("redirect", site.at("/a"))
        home = Page.objects.get(url=site.url)
        assert home.outlinks.get().target == Page.objects.get(url=site.at("/a"))
