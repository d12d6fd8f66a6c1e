"""Lists of addresses as people have them, and the crawl of exactly those."""

from typing import Any

import pytest
from django.core.files.base import ContentFile

from crawler.errors import CrawlError
from crawler.models import Page, Site
from crawler.services import crawl_site, get_or_create_site
from crawler.source_files import keep_source_file
from crawler.sources.url_list import read_url_list
from tests.crawler.loopback import Answer, LoopbackSite, page, serve
from tests.factories import make_crawl

A, B = "https://example.com/a", "https://example.com/b"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{A}\n{B}\n".encode(), id="text"),
        pytest.param(f"\ufeff{A}\r\n\r\n  {B}  \r\n{A}".encode(), id="BOM, blanks, twice"),
        pytest.param(f"# pages\n{A}\n#{A}x\n{B}".encode(), id="comments"),
        pytest.param(f"URL\n{A}\n{B}\n".encode(), id="a head line"),
        pytest.param(f"Title,URL,Clicks\nTea,{A},4\nMilk,{B},5\n".encode(), id="CSV"),
        pytest.param(f'"Title","URL"\n"Tea, hot","{A}"\n"Milk","{B}"\n'.encode(), id="quotes"),
        pytest.param(f"Title;URL\nTea;{A}\nMilk;{B}\n".encode(), id="semicolons"),
        pytest.param(f"Title\tURL\nTea, hot\t{A}\nMilk\t{B}\n".encode(), id="tabs"),
        pytest.param(f"Title\tURL\nTea\t{A}\nMilk\t{B}\n".encode("utf-16"), id="UTF-16"),
        pytest.param(f"{A}\n{B}\n".encode("utf-16-le"), id="UTF-16 without a mark"),
        pytest.param(f"Titel;URL\nGr\xfcn;{A}\nWei\xdf;{B}\n".encode("latin-1"), id="Latin-1"),
        pytest.param(b"example.com/a\nexample.com/b\n", id="without scheme"),
        pytest.param(f"<{A}>\n<{B}>\n".encode(), id="in brackets"),
        pytest.param(f'"Tea\nwith milk",{A}\n"b",{B}\n'.encode(), id="a line break in quotes"),
    ],
)
def test_lists_as_they_are_found(body: bytes) -> None:
    found = read_url_list(body)
    assert found.urls == (A, B)
    assert found.bad_count == 0


def test_commas_and_semicolons_may_be_in_addresses() -> None:
    urls = ("https://example.com/a,b;c?x=1,2", "https://example.com/d;e,f")
    assert read_url_list("\n".join(urls).encode()).urls == urls


def test_lines_without_an_address_are_told_with_their_number() -> None:
    found = read_url_list(f"{A}\nnot an address\n\nmailto:x@example.com\n{B}".encode())
    assert found.urls == (A, B)
    assert found.bad_lines == ((2, "not an address"), (4, "mailto:x@example.com"))
    assert read_url_list(b"nothing\nhere").bad_count >= 1
    assert read_url_list(b"").urls == read_url_list(b"\0\xff\xfe\0").urls == ()


def make_list(site: LoopbackSite, text: str, **values: Any) -> Site:
    row = get_or_create_site(site.url)
    row.source_kind = "list"
    for name, value in values.items():
        setattr(row, name, value)
    row.save()
    keep_source_file(row, ContentFile(text.encode(), name="list.txt"))
    return row


def statuses(site: LoopbackSite) -> dict[str, str]:
    return {url.removeprefix(site.url[:-1]): status for url, status in Page.objects.values_list("url", "status")}


SITE: dict[str, Answer] = {
    "/": page("Home", links={"/a": "a", "/c": "c"}),
    "/a": page("A", links={"/c": "c", "/b": "b"}),
    "/b": page("B"),
    "/c": page("C"),
    "/old": (301, {"Location": "/older"}, ""),
    "/older": (301, {"Location": "/b"}, ""),
    "/out": (301, {"Location": "https://elsewhere.example/"}, ""),
}


@pytest.mark.django_db
def test_exactly_the_listed_pages_are_read_and_redirects_followed_to_their_end() -> None:
    with serve(SITE) as site:
        row = make_list(
            site,
            f"Address\n{site.at('/a')}\n{site.at('/old')}\n{site.at('/a')}\n{site.at('/out')}\nnonsense here\n"
            f"{site.at('/gone')}\nhttps://elsewhere.example/x\n",
        )
        for _ in range(2):
            figures = crawl_site(row.pk, make_crawl(row).pk)
            assert statuses(site) == {
                "/a": "read",
                "/old": "redirect",
                "/older": "redirect",
                "/b": "read",
                "/out": "skipped",
                "/gone": "gone",
            }
            notes = " ".join(figures["notes"])
            assert "line 6: nonsense here" in notes
            assert "https://elsewhere.example/x" in notes
        assert "/c" not in site.paths()
        keep_source_file(row, ContentFile(f"{site.at('/c')}\n{site.at('/b')}".encode(), name="list.txt"))
        crawl_site(row.pk, make_crawl(row).pk)
        assert Page.objects.get(url=site.at("/a")).reason.startswith("not on the list")
        assert {path for path, status in statuses(site).items() if status == "read"} == {"/c", "/b"}


@pytest.mark.django_db
def test_a_site_without_a_start_page_and_with_robots_txt() -> None:
    answers = {path: answer for path, answer in SITE.items() if path != "/"}
    with serve({**answers, "/robots.txt": "User-agent: *\nDisallow: /b\n"}) as site:
        row = make_list(site, f"{site.at('/a')}\n{site.at('/b')}\n")
        crawl_site(row.pk, make_crawl(row).pk)
        assert statuses(site) == {"/a": "read", "/b": "skipped"}
        assert Page.objects.get(url=site.at("/b")).reason == "blocked by robots.txt"


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["", "no\naddress\nat all", "https://elsewhere.example/x"])
def test_a_list_without_an_address_of_the_site_says_so(text: str) -> None:
    with serve(SITE) as site:
        row = make_list(site, text)
        with pytest.raises(CrawlError, match="holds no address of"):
            crawl_site(row.pk, make_crawl(row).pk)
        assert not Page.objects.exists()
