"""Crawls that cannot succeed: one clear sentence, and what was there before is still there."""

from collections.abc import Callable
from typing import Any

import pytest
from django.forms.models import model_to_dict

from crawler.address_guard import AddressGuard
from crawler.errors import CrawlError
from crawler.http import FetchPolicy, HttpClient
from crawler.models import Link, Page, PageBody, Sentence
from crawler.services import crawl_site, get_or_create_site
from tests.crawler.loopback import Answer, Handler, LoopbackSite, page, serve
from tests.crawler.test_http import declared_two_gigabytes, endless_body, header_flood, silence
from tests.factories import make_crawl

pytestmark = pytest.mark.django_db

GOOD: dict[str, Answer] = {
    "/": page("Home", links={"/a": "a", "/b": "b"}),
    "/a": page("A", links={"/": "home"}),
    "/b": page("B"),
}


def crawl(site: LoopbackSite) -> dict[str, Any]:
    row = get_or_create_site(site.url)
    policy = FetchPolicy(total_seconds=1.0, idle_seconds=0.5, retry_wait_seconds=0.01, longest_wait_seconds=0.5)
    client = HttpClient(AddressGuard(["127.0.0.1"]), policy=policy)
    return crawl_site(row.pk, make_crawl(row).pk, client=client)


def content() -> list[Any]:
    """All that was read, without the marks of the visit itself."""
    visit = {"last_crawl", "fetched_at", "reason", "http_status", "response_seconds"}
    pages = [
        {name: value for name, value in model_to_dict(row).items() if name not in visit}
        for row in Page.objects.filter(status="read").order_by("id")
    ]
    rows = [list(model.objects.order_by("pk").values()) for model in (Sentence, Link, PageBody)]
    return [pages, *rows]


def onward(handler: Handler) -> None:
    handler.answer(302, {"Location": f"{handler.path}x"}, b"")


SHELL = "<html><head><title>App</title></head><body><script>render()</script></body></html>"


@pytest.mark.parametrize(
    ("answers", "fallback", "words"),
    [
        pytest.param({}, (500, {}, ""), "answers with HTTP 500", id="every page 500"),
        pytest.param({"/": (500, {}, "")}, None, "answers with HTTP 500", id="start page 500"),
        pytest.param({"/": (503, {"Retry-After": "86400"}, "")}, None, "answers with HTTP 503", id="start page 503"),
        pytest.param({}, None, "answers with HTTP 404", id="nothing there"),
        pytest.param({"/": (403, {}, "")}, None, "answers with HTTP 403", id="forbidden"),
        pytest.param({"/": (302, {"Location": "/"}, "")}, None, "redirects in a circle", id="redirect to itself"),
        pytest.param({}, onward, "redirects more than 10 times", id="endless redirects"),
        pytest.param({"/": declared_two_gigabytes}, None, "larger than 10 MB", id="2 GB declared"),
        pytest.param({"/": endless_body}, None, "larger than 10 MB", id="2 GB and more streamed"),
        pytest.param({"/": silence}, None, "did not answer in full within 1 seconds", id="silence"),
        pytest.param({"/": header_flood}, None, "not valid HTTP", id="header flood"),
        pytest.param({"/": SHELL}, None, "No text was found on any page", id="no text"),
        pytest.param({"/": (200, {"Content-Type": "image/png"}, b"x")}, None, "it is image/png", id="a picture"),
        pytest.param(
            {**GOOD, "/robots.txt": "User-agent: *\nDisallow: /"}, None, "blocked by robots.txt", id="robots forbid all"
        ),
        pytest.param({**GOOD, "/robots.txt": (500, {}, "")}, None, "robots.txt answers with HTTP 500", id="robots 500"),
        pytest.param(
            {"/": (302, {"Location": "http://93.184.215.14/"}, "")}, None, "93.184.215.14", id="leaves the site"
        ),
        pytest.param(
            {"/": (302, {"Location": "http://169.254.169.254/"}, "")}, None, "private or special", id="metadata service"
        ),
        pytest.param(
            {"/sitemap.xml": "<urlset></urlset>", "/": SHELL}, None, "No text was found", id="empty sitemap, no text"
        ),
    ],
)
def test_one_sentence_and_nothing_lost(
    answers: dict[str, Answer], fallback: Callable[[Handler], None] | None, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The one case that would leave this machine must end at the guard's door.
    monkeypatch.setattr("crawler.address_guard.is_public", lambda address: False)
    with serve(GOOD) as site:
        crawl(site)
        before = content()
        assert len(before[0]) == 3
        site.answers = dict(answers)
        site.fallback = fallback or site.fallback
        with pytest.raises(CrawlError, match=words) as raised:
            crawl(site)
        assert "\n" not in str(raised.value)
        assert str(raised.value).rstrip().endswith((".", "?"))
        assert content() == before


def test_a_site_that_is_down_keeps_what_was_read() -> None:
    with serve(GOOD) as site:
        crawl(site)
        before = content()
    with pytest.raises(CrawlError, match="no connection"):
        crawl(site)
    assert content() == before


@pytest.mark.parametrize(
    "sitemap",
    ["", "<urlset></urlset>", "<urlset><url><loc>", "not a sitemap", (500, {}, ""), (200, {}, b"\x1f\x8bbroken")],
)
def test_an_empty_or_broken_sitemap_is_noted_and_links_are_followed(sitemap: Answer) -> None:
    robots = "User-agent: *\nAllow: /\nSitemap: /sitemap.xml\n"
    with serve({**GOOD, "/robots.txt": robots, "/sitemap.xml": sitemap}) as site:
        figures = crawl(site)
        assert figures["read"] == 3
        assert any("sitemap.xml" in note for note in figures["notes"])


def test_pages_that_fail_later_keep_their_text_and_404_takes_it_away() -> None:
    with serve(GOOD) as site:
        crawl(site)
        site.answers["/a"] = (500, {}, "oops")
        site.answers["/b"] = (410, {}, "gone")
        figures = crawl(site)
        kept, gone = Page.objects.get(url=site.at("/a")), Page.objects.get(url=site.at("/b"))
        assert (kept.status, kept.reason, kept.is_target) == ("read", "last visit failed: HTTP 500", True)
        assert kept.sentences.exists()
        assert kept.outlinks.exists()
        assert (gone.status, gone.is_target, gone.word_count) == ("gone", False, 0)
        assert not gone.sentences.exists()
        assert not PageBody.objects.filter(page=gone).exists()
        assert Link.objects.get(target_url=site.at("/b")).target is None
        assert figures["gone"] == 1
        site.answers["/a"] = GOOD["/a"]
        crawl(site)
        kept.refresh_from_db()
        assert kept.reason == ""


def test_a_page_that_lost_its_text_keeps_the_old() -> None:
    with serve(GOOD) as site:
        crawl(site)
        site.answers["/a"] = SHELL
        crawl(site)
        kept = Page.objects.get(url=site.at("/a"))
        assert kept.reason == "last visit failed: no text was found on it"
        assert kept.title == "A"
        assert kept.sentences.exists()


def test_a_site_that_goes_down_in_the_middle_stops_the_crawl() -> None:
    links = {f"/{number}": f"n{number}" for number in range(60)}
    with serve({"/": page("Home", links=links)}) as site:
        site.fallback = lambda handler: setattr(handler, "close_connection", True)
        site.answers["/robots.txt"] = site.answers["/sitemap.xml"] = site.answers["/sitemap_index.xml"] = (404, {}, "")
        with pytest.raises(CrawlError, match="stopped answering after 1 pages"):
            crawl(site)
        assert Page.objects.filter(status="read").count() == 1
        site.fallback = page("Back", text="The page is back, and it says something in a sentence of its own.")
        figures = crawl(site)
        assert figures["read"] == 61
