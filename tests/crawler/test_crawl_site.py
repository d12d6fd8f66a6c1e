"""Whole crawls of small sites over real sockets: which rows come out."""

import gzip
from typing import Any

import pytest

from crawler.errors import BadStartUrl
from crawler.models import Crawl, Link, Page, PageBody, Sentence, Site
from crawler.services import crawl_site, get_or_create_site
from tests.crawler.loopback import Answer, LoopbackSite, page, serve, sitemap
from tests.factories import make_crawl

pytestmark = pytest.mark.django_db


def crawl(site: LoopbackSite, **options: Any) -> dict[str, Any]:
    """Crawl the served site; its figures."""
    row = get_or_create_site(site.url, **options)
    return crawl_site(row.pk, make_crawl(row).pk)


def statuses(site: LoopbackSite) -> dict[str, str]:
    origin = site.url.rstrip("/")
    return {url.removeprefix(origin): status for url, status in Page.objects.values_list("url", "status")}


def reason(site: LoopbackSite, path: str) -> str:
    return Page.objects.get(url=site.at(path)).reason


def target_of(site: LoopbackSite, source: str, target_path: str) -> str | None:
    link = Link.objects.get(page__url=site.at(source), target_url=site.at(target_path))
    return link.target.url.removeprefix(site.url.rstrip("/")) if link.target else None


def test_links_are_followed_breadth_first_and_rows_are_whole() -> None:
    answers: dict[str, Answer] = {
        "/": page("Home", links={"/a": "apples", "/b#part": "bears", "https://example.org/": "elsewhere"}),
        "/a": page("Apples", links={"/c": "cats", "/": "home"}),
        "/b": page("Bears", links={"/c": "cats again"}),
        "/c": page("Cats"),
        "/lonely": page("Lonely"),
    }
    with serve(answers) as site:
        figures = crawl(site)
        assert statuses(site) == {"/": "read", "/a": "read", "/b": "read", "/c": "read"}
        assert dict(Page.objects.values_list("title", "depth")) == {"Home": 0, "Apples": 1, "Bears": 1, "Cats": 2}
        home = Page.objects.get(url=site.url)
        assert (home.h1, home.language, home.is_target, home.http_status) == ("Home", "en", True, 200)
        assert list(home.outlinks.order_by("ordinal").values_list("target_url", "anchor_text")) == [
            (site.at("/a"), "apples"),
            (site.at("/b"), "bears"),
        ]
        assert set(home.outlinks.values_list("is_editorial", flat=True)) == {True}
        assert target_of(site, "/a", "/c") == "/c"
        blocks = PageBody.objects.get(page=home).blocks
        for sentence in home.sentences.all():
            assert blocks[sentence.block_ordinal]["text"][sentence.start : sentence.end] == sentence.text
            assert sentence.block_kind == blocks[sentence.block_ordinal]["kind"]
        assert figures["read"] == figures["targets"] == 4
        assert figures["sentences"] == Sentence.objects.count() > 0
        assert figures["links"] == Link.objects.count() == 5
        assert any("sitemap" in note for note in figures["notes"])
        assert sorted(path for path in site.paths() if path in answers) == ["/", "/", "/a", "/b", "/c"]


def test_the_sitemap_is_read_and_marks_its_pages() -> None:
    with serve() as site:
        index = f"<sitemapindex><sitemap><loc>{site.at('/s.xml.gz')}</loc></sitemap></sitemapindex>"
        names = sitemap(site.url, site.at("/z"), site.at("/gone"), "https://elsewhere.example/x")
        site.answers |= {
            "/robots.txt": (200, {"Content-Type": "text/plain"}, "User-agent: *\nDisallow: /no\nSitemap: /index.xml\n"),
            "/index.xml": (200, {"Content-Type": "text/xml"}, index),
            "/s.xml.gz": (200, {"Content-Type": "application/gzip"}, gzip.compress(str(names[2]).encode())),
            "/": page("Home", links={"/a": "apples", "/no/x": "secret"}),
            "/a": page("Apples"),
            "/z": page("Zebras"),
        }
        figures = crawl(site)
        assert statuses(site) == {"/": "read", "/z": "read", "/gone": "gone", "/a": "read", "/no/x": "skipped"}
        assert set(Page.objects.filter(is_in_sitemap=True).values_list("url", flat=True)) == {
            site.url,
            site.at("/z"),
            site.at("/gone"),
        }
        assert Page.objects.get(url=site.at("/z")).depth is None
        assert figures["skipped"] == {"blocked by robots.txt": 1}
        assert figures["gone"] == 1
        assert "/no/x" not in site.paths()
        assert any("1 URLs in the sitemap are on another site" in note for note in figures["notes"])


def test_a_sitemap_of_dead_addresses_pushes_out_no_linked_page() -> None:
    with serve() as site:
        names = {f"/{n}": f"page {n}" for n in range(5)}
        dead = [site.at(f"/no/{n}") for n in range(900)]
        site.answers |= {
            "/sitemap.xml": sitemap(*dead, *(site.at(path) for path in names)),
            "/": page("Home", links=names),
            **{path: page(name, links={f"{path}/more": "more"}) for path, name in names.items()},
            **{f"{path}/more": page(f"more of {name}") for path, name in names.items()},
        }
        # Room for 1,080 addresses, half of it for the sitemap.
        figures = crawl(site, max_pages=8)
        assert figures["read"] == 8
        assert figures["gone"] == 0
        assert statuses(site).keys() >= {"/", *names, *(f"{path}/more" for path in names)}
        figures = crawl(site, max_pages=20)
        assert figures["read"] == 11
        assert figures["gone"] == 600 - 11
        assert Page.objects.filter(is_in_sitemap=True, status="read").count() == 5
        assert any("not all could be kept" in note for note in figures["notes"])


def test_links_lead_to_where_readers_end() -> None:
    answers: dict[str, Answer] = {
        "/": page(
            "Home", links={"/old": "o", "/chain": "c", "/dead": "d", "/away": "w", "/loop": "l", "/printed": "p"}
        ),
        "/old": (301, {"Location": "/new"}, ""),
        "/chain": (302, {"Location": "/old"}, ""),
        "/new": page("New"),
        "/away": (301, {"Location": "https://example.org/"}, ""),
        "/loop": (302, {"Location": "/loop2"}, ""),
        "/loop2": (302, {"Location": "/loop"}, ""),
        "/printed": page("New in print", head='<link rel="canonical" href="/chain">'),
    }
    with serve(answers) as site:
        figures = crawl(site)
        assert statuses(site) == {
            "/": "read",
            "/old": "redirect",
            "/chain": "redirect",
            "/new": "read",
            "/dead": "gone",
            "/away": "skipped",
            "/loop": "failed",
            "/loop2": "failed",
            "/printed": "read",
        }
        assert Page.objects.get(url=site.at("/chain")).redirect_url == site.at("/new")
        for path in ("/old", "/chain", "/printed"):
            assert target_of(site, "/", path) == "/new"
        for path in ("/dead", "/away", "/loop"):
            assert target_of(site, "/", path) is None
        assert reason(site, "/away") == "redirects to another site: https://example.org/"
        assert reason(site, "/printed").startswith("canonical is another page")
        assert set(Page.objects.filter(is_target=True).values_list("title", flat=True)) == {"Home", "New"}
        assert Page.objects.get(title="New").depth == 1
        assert figures["failed"] == {"redirect loop": 2}


def test_endless_redirects_end() -> None:
    answers: dict[str, Answer] = {"/": page("Home", links={"/r/0": "r"})}
    with serve(answers) as site:
        site.fallback = lambda handler: handler.answer(
            404 if not handler.path.startswith("/r/") else 302,
            {"Location": f"/r/{handler.path.rsplit('/')[-1]}0"},
            b"",
        )
        figures = crawl(site)
        assert figures["redirects"] <= 10
        assert figures["failed"] == {"redirect loop": 1}


def test_spellings_of_one_page_are_one_page() -> None:
    twin = page("Twin", links={"/other/": "other"})
    answers: dict[str, Answer] = {
        "/": page(
            "Home", links={"/twin/": "a", "/twin": "b", "/twin.html": "c", "/twin/index.html": "d", "/twin?x=1": "e"}
        ),
        **dict.fromkeys(("/twin/", "/twin", "/twin.html", "/twin/index.html", "/twin?x=1"), twin),
        "/index.html": page("Home", links={}),
        "/other/": page("Other", links={"/other": "not the same", "/index.html": "home"}),
        "/other": page("Other, but not the same"),
    }
    with serve(answers) as site:
        crawl(site)
        read = {path for path, status in statuses(site).items() if status == "read"}
        assert read == {"/", "/twin/", "/other/", "/other", "/index.html"}
        assert reason(site, "/twin.html") == f"the same text: as {site.at('/twin/')}"
        assert {target_of(site, "/", path) for path in ("/twin/", "/twin", "/twin.html", "/twin?x=1")} == {"/twin/"}


def test_a_canonical_that_cannot_be_read_or_leads_back_does_not_hide_a_page() -> None:
    answers: dict[str, Answer] = {
        "/": page("Home", links={"/a/": "a", "/b": "b", "/c": "c", "/d": "d"}),
        "/a/": page("A", head='<link rel="canonical" href="/a">'),
        "/a": (301, {"Location": "/a/"}, ""),
        "/b": page("B", head='<link rel="canonical" href="/missing">'),
        "/c": page("C", head='<link rel="canonical" href="https://example.org/c">'),
        "/d": page("D", head='<meta name="robots" content="noindex"><link rel="canonical" href="/d">'),
    }
    with serve(answers) as site:
        crawl(site)
        assert set(Page.objects.filter(is_target=True).values_list("title", flat=True)) == {"Home", "A", "B"}
        assert reason(site, "/d") == "noindex"
        assert target_of(site, "/", "/c") == "/c"


def test_every_address_says_what_became_of_it() -> None:
    answers: dict[str, Answer] = {
        "/": page(
            "Home",
            links={"/pic": "1", "/x.pdf": "2", "/big": "3", "/bad": "4", "/forbidden": "5", "/empty": "6", "/self": "7"}
            | {"/meta": "8", "/nohtml": "9"},
        ),
        "/pic": (200, {"Content-Type": "image/png"}, b"\x89PNG"),
        "/big": page("Big", text="word " * 2_200_000),
        "/bad": (500, {}, "oops"),
        "/forbidden": (403, {}, "no"),
        "/empty": "<html><head><title>Empty</title></head><body></body></html>",
        "/self": (302, {"Location": "/self"}, ""),
        "/meta": (302, {"Location": "http://169.254.169.254/latest/"}, ""),
        "/nohtml": (200, {"Content-Type": ""}, b"%PDF-1.4"),
    }
    with serve(answers) as site:
        figures = crawl(site)
        assert statuses(site)["/pic"] == "skipped"
        assert reason(site, "/pic") == "not a web page: it is image/png"
        assert reason(site, "/x.pdf") == "not a web page: its name ends in .pdf"
        assert reason(site, "/big").startswith("too large: ")
        assert reason(site, "/bad") == "HTTP 500"
        assert reason(site, "/forbidden") == "HTTP 403"
        assert reason(site, "/empty") == "no text"
        assert reason(site, "/self") == "redirect loop: to itself"
        assert reason(site, "/meta").startswith("redirects to another site")
        assert reason(site, "/nohtml") == "not a web page: it is of no known type"
        assert figures["skipped"] == {"not a web page": 3, "too large": 1, "redirects to another site": 1}
        assert figures["failed"] == {"HTTP 500": 1, "HTTP 403": 1, "redirect loop": 1}
        assert "/x.pdf" not in site.paths()


def test_nofollow_links_are_kept_but_not_followed() -> None:
    home = (
        '<html lang="en"><body><p>Go <a rel="nofollow" href="/trap">there</a> or <a href="/a">here</a>, now.</p></body>'
    )
    inner = page("A", links={"/hidden": "hidden"}, head='<meta name="robots" content="nofollow">')
    with serve({"/": home, "/a": inner, "/trap": page("T"), "/hidden": page("H")}) as site:
        crawl(site)
        assert statuses(site) == {"/": "read", "/a": "read", "/trap": "skipped", "/hidden": "skipped"}
        assert reason(site, "/trap") == "not followed: only nofollow links lead here"
        assert "/trap" not in site.paths()
        assert dict(Link.objects.values_list("anchor_text", "is_nofollow")) == {
            "there": True,
            "here": False,
            "hidden": True,
        }


def test_the_page_limit_is_exact_and_can_be_raised() -> None:
    def numbered(count: int) -> dict[str, Answer]:
        return {"/": page("Home", links={f"/{n}": f"number {n}" for n in range(count)})} | {
            f"/{n}": page(f"Number {n}") for n in range(count)
        }

    with serve(numbered(60)) as site:
        figures = crawl(site, max_pages=40)
        assert figures["read"] == 40
        assert any("limit of 40 pages" in note for note in figures["notes"])
        assert Page.objects.filter(status="new", reason="not read: the limit is 40 pages").count() == 21
        assert crawl(site, max_pages=100)["read"] == 61


def test_a_start_page_that_moved_within_its_site() -> None:
    with serve({"/": (302, {"Location": "/en/"}, ""), "/en/": page("Home", links={"/": "top", "/en/a": "a"})}) as site:
        site.answers["/en/a"] = page("A")
        crawl(site)
        assert statuses(site) == {"/": "redirect", "/en/": "read", "/en/a": "read"}
        assert Page.objects.get(url=site.at("/en/")).depth == 0


def test_hostile_pages_end_in_a_reason_and_the_crawl_goes_on() -> None:
    answers: dict[str, Answer] = {
        "/": page("Home", links={f"/{n}": f"n{n}" for n in range(7)} | {"/fine": "fine"}),
        "/0": "<div>" * 100_000 + "deep text in here",
        "/1": page("Links", text=" ".join(f'<a href="/l{n % 50}?x={n % 3}">{n}</a>' for n in range(20_000))),
        "/2": f'<p title="{"a" * 10_000_000}">x',
        "/3": b"<html><body><p>NUL \0 bytes and \xff\xfe broken text stay here.</p></body>".decode("latin-1"),
        "/4": (200, {"Content-Type": "text/html"}, bytes(range(256)) * 2000),
        "/5": "<p>" + "&#55357;&#0;&#xD800; odd entities </p>" * 50,
        "/6": page("x" * 100_000, text="<b>" * 5000 + "bold" + "</b>" * 5000),
        "/fine": page("Fine"),
    }
    with serve(answers) as site:
        crawl(site, max_pages=12)
        assert statuses(site)["/fine"] == "read"
        for number in range(7):
            row = Page.objects.get(url=site.at(f"/{number}"))
            assert row.status == "read" or row.reason


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://example.com/", "not the address of a web site"),
        ("mailto:me@example.com", "not the address"),
        ("", "not the address"),
        ("https://user:secret@example.com/", "user name or password"),
        ("http://localhost:8000/", "LINKREC_ALLOWED_PRIVATE_HOSTS"),
        ("http://10.1.2.3/", "LINKREC_ALLOWED_PRIVATE_HOSTS"),
        ("http://[::1]/", "LINKREC_ALLOWED_PRIVATE_HOSTS"),
    ],
)
def test_start_urls_that_cannot_be(url: str, words: str) -> None:
    with pytest.raises(BadStartUrl, match=words):
        get_or_create_site(url)
    assert not Site.objects.exists()


def test_a_site_is_known_by_its_normalized_address() -> None:
    site = get_or_create_site("Example.com")
    assert (site.start_url, site.name, site.seconds_between_requests) == ("https://example.com/", "example.com", 0.1)
    again = get_or_create_site("https://EXAMPLE.com:443/#top", name="Mine", max_pages=7)
    assert again.pk == site.pk
    assert Site.objects.get().max_pages == 7
    assert get_or_create_site("http://127.0.0.1:8000/").seconds_between_requests == 0.0
    assert not Crawl.objects.exists()
