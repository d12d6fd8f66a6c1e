"""Hostile sitemaps and robots.txt: each leaves a note or ends the crawl in one sentence, and good pages are read."""

import gzip
import re
import time

import pytest

from crawler.errors import CrawlError
from crawler.models import Page
from tests.crawler.hostile.attacks import NOISE, STATUS, TEXT, drip, pour, raw, redirect, silence
from tests.crawler.hostile.crawling import assert_good_pages_were_read, crawl
from tests.crawler.loopback import Answer, Handler, serve

pytestmark = pytest.mark.django_db

ROBOTS = "User-agent: *\nAllow: /\nSitemap: /sitemap.xml\n"
XML = b'<?xml version="1.0"?>'
OPEN = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
LAUGHS = (
    XML
    + b"<!DOCTYPE urlset [<!ENTITY a0 'lol'>"
    + b"".join(b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 12))
    + b"]>" + OPEN + b"<url><loc>&a11;</loc></url></urlset>"
)  # fmt: skip
LATE = XML + b"<!--" + b"x" * 70_000 + b"-->" + LAUGHS[len(XML) :]
OUTSIDE = b"<!DOCTYPE urlset [<!ENTITY x SYSTEM '%s'>]>" + OPEN + b"<url><loc>http://127.0.0.1/&x;</loc></url></urlset>"
MOST = 60 * 1024 * 1024
DEEP = OPEN + b"<url>" * 100_000 + b"<loc>/x</loc>" + b"</url>" * 100_000 + b"</urlset>"

SITEMAPS: dict[str, tuple[Answer, str]] = {
    "gzip bomb": ((200, {}, gzip.compress(OPEN + b" " * MOST, 1)), "unpacks to more than 50 MB"),
    "gzip of gzip": ((200, {}, gzip.compress(gzip.compress(OPEN + b" " * MOST, 1))), "cannot be read"),
    "bomb as encoding": ((200, {"Content-Encoding": "gzip"}, gzip.compress(b"\0" * MOST, 1)), "larger than 50 MB"),
    "damaged gzip": ((200, {}, b"\x1f\x8b" + NOISE), "gzip data is damaged"),
    "billion laughs": ((200, {}, LAUGHS), "declares a document type"),
    "laughs after a long comment": ((200, {}, LATE), "sitemap.xml"),
    "entity of a file": ((200, {}, OUTSIDE % b"file:///etc/passwd"), "declares a document type"),
    "entity of the network": ((200, {}, OUTSIDE % b"http://127.0.0.1:WITNESS/"), "declares a document type"),
    "2 GB": (pour(STATUS + b"Content-Length: 2147483648\r\n\r\n", OPEN), "larger than 50 MB"),
    "endless": (pour(STATUS + b"Connection: close\r\n\r\n" + OPEN, b"<url/>" * 20_000), "passed over"),
    "byte by byte": (drip(STATUS + b"\r\n"), "did not answer in full within 1 seconds"),
    "silence": (silence, "did not answer in full within 1 seconds"),
    "100,000 deep": ((200, {}, DEEP), "sitemap.xml"),
    "an index of itself": (
        (200, {}, b"<sitemapindex><sitemap><loc>/sitemap.xml</loc></sitemap></sitemapindex>"),
        "No URL was found",
    ),
    "invalid UTF-8": ((200, {}, XML + OPEN + b"<url><loc>/\xff\xfe</loc></url></urlset>"), "sitemap"),
    "NUL bytes": ((200, {}, XML + OPEN + b"\0<url>\0<loc>/a\0b</loc></url></urlset>"), "sitemap"),
    "an address of 9 MB": ((200, {}, OPEN + b"<url><loc>/" + b"x" * 9_000_000 + b"</loc></url></urlset>"), "sitemap"),
    "other sites": (
        (200, {}, OPEN + b"<url><loc>http://169.254.169.254/</loc></url>" * 3 + b"</urlset>"),
        "on another site and were ignored",
    ),
    "redirects without end": (redirect("/sitemap.xml"), "redirects in a circle"),
}


@pytest.mark.parametrize("name", SITEMAPS)
def test_the_sitemap_leaves_a_note_and_the_pages_are_read(name: str) -> None:
    answer, words = SITEMAPS[name]
    started = time.process_time()
    with serve() as witness, serve() as site:
        if name == "entity of the network":
            answer = (200, {}, OUTSIDE % witness.url.encode())
        figures = crawl(site, {"/robots.txt": ROBOTS, "/sitemap.xml": answer}, max_pages=20)
        assert re.search(words, "\n".join(figures["notes"])), figures["notes"]
        assert_good_pages_were_read(site)
        assert not witness.requests
    assert not Page.objects.filter(url__contains="root:").exists()
    assert time.process_time() - started < 20


def index_of_indexes(handler: Handler) -> None:
    """Each sitemap names three more."""
    children = "".join(f"<sitemap><loc>{handler.path}{n}.xml</loc></sitemap>" for n in "abc")
    handler.answer(200, {"Content-Type": "application/xml"}, f"<sitemapindex>{children}</sitemapindex>".encode())


def test_sitemaps_that_name_sitemaps_without_end_are_followed_three_deep() -> None:
    with serve(fallback=index_of_indexes) as site:
        figures = crawl(site, {"/robots.txt": ROBOTS, "/attack": TEXT.decode()}, max_pages=20)
        assert any("nested more than 3 deep" in note for note in figures["notes"])
        assert len(site.requests) < 100
        assert_good_pages_were_read(site)


def test_sitemaps_that_cannot_be_had_are_given_up_after_some() -> None:
    children = "".join(f"<sitemap><loc>/s{number}.xml</loc></sitemap>" for number in range(500))
    with serve(fallback=raw(b"")) as site:
        answers: dict[str, Answer] = {"/sitemap.xml": (200, {}, f"<sitemapindex>{children}</sitemapindex>")}
        figures = crawl(site, {**answers, "/robots.txt": ROBOTS, "/attack": TEXT.decode()}, max_pages=20)
        assert "10 sitemaps in a row could not be had; 490 were not tried." in figures["notes"]
        assert_good_pages_were_read(site)


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        pytest.param(pour(STATUS + b"Connection: close\r\n\r\n", b"# x\n" * 20_000), "larger than 10 MB", id="endless"),
        pytest.param(redirect("/robots.txt"), "redirects in a circle", id="a circle"),
        pytest.param(redirect("http://169.254.169.254/"), "private or special", id="to the metadata service"),
        pytest.param((200, {}, b"\0\xff\xfe" * 1_000), "", id="no text"),
        pytest.param((200, {}, b"User-agent: *\nDisallow: " + b"/x" * 200_000), "", id="a rule of 400,000 letters"),
        pytest.param((200, {}, b"User-agent: *\n" + b"Disallow: /x\n" * 30_000), "", id="30,000 rules"),
        pytest.param((200, {}, b"User-agent: *\nDisallow: /" + b"*a" * 25 + b"b$"), "", id="stars"),
        pytest.param((200, {}, b"User-agent: *\nCrawl-delay: nan\nCrawl-delay: -1e999"), "", id="no delay"),
        pytest.param((200, {"Content-Encoding": "gzip"}, gzip.compress(b"#" * MOST, 1)), "larger", id="gzip bomb"),
    ],
)
def test_a_hostile_robots_txt_is_noted_and_the_pages_are_read(answer: Answer, note: str) -> None:
    started = time.process_time()
    with serve() as site:
        answers: dict[str, Answer] = {"/robots.txt": answer, "/attack": "a" * 60}
        answers["/" + "a" * 200] = TEXT.decode()
        figures = crawl(site, answers, max_pages=20)
        assert note in "\n".join(figures["notes"])
        assert_good_pages_were_read(site)
    assert time.process_time() - started < 20


@pytest.mark.parametrize("answer", [silence, drip(STATUS + b"\r\n"), drip(b"HTTP/1.1 2")])
def test_a_robots_txt_without_end_ends_the_crawl_in_one_sentence(answer: Answer) -> None:
    with serve() as site, pytest.raises(CrawlError, match=r"robots\.txt did not answer in full within 1 seconds"):
        crawl(site, {"/robots.txt": answer})
