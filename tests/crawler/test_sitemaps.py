"""Sitemaps as they are found, and as an attacker would write them."""

import gzip
import tracemalloc

import pytest

from crawler.sitemaps import SitemapBroken, parse_sitemap, unpack_gzip

URL = "https://example.com/sitemap.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(*urls: str, extra: str = "") -> bytes:
    entries = "".join(f"<url><loc>{url}</loc>{extra}</url>" for url in urls)
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {NS}>{entries}</urlset>'.encode()


def test_a_plain_sitemap_keeps_its_order_and_drops_repeats() -> None:
    body = urlset(
        "https://example.com/b", " https://EXAMPLE.com/a\n", "https://example.com/b", "mailto:x", "/c?x=1&amp;y=2"
    )
    sitemap = parse_sitemap(body, URL)
    assert sitemap.page_urls == ("https://example.com/b", "https://example.com/a", "https://example.com/c?x=1&y=2")
    assert not sitemap.problem


def test_extensions_do_not_name_pages() -> None:
    extra = '<i:image xmlns:i="urn:i"><i:loc>https://example.com/x.png</i:loc></i:image><lastmod>2024-01-01</lastmod>'
    assert parse_sitemap(urlset("https://example.com/a", extra=extra), URL).page_urls == ("https://example.com/a",)


def test_an_index_names_sitemaps() -> None:
    body = f"<sitemapindex {NS}><sitemap><loc>/s1.xml.gz</loc></sitemap></sitemapindex>".encode()
    assert parse_sitemap(body, URL).child_urls == ("https://example.com/s1.xml.gz",)


def test_without_namespace_with_bom_gzipped_or_as_text() -> None:
    bare = b"\xef\xbb\xbf<urlset><url><loc>https://example.com/a</loc></url></urlset>"
    assert parse_sitemap(bare, URL).page_urls == ("https://example.com/a",)
    assert parse_sitemap(gzip.compress(bare) + gzip.compress(b""), URL).page_urls == ("https://example.com/a",)
    text = b"https://example.com/a\r\nhttps://example.com/b\r\n\r\n"
    assert parse_sitemap(text, URL).page_urls == ("https://example.com/a", "https://example.com/b")
    wide = '<?xml version="1.0" encoding="UTF-16"?><urlset><url><loc>https://example.com/ü</loc></url></urlset>'
    assert parse_sitemap(wide.encode("utf-16"), URL).page_urls == ("https://example.com/%C3%BC",)


def test_what_stands_before_a_fault_is_kept() -> None:
    sitemap = parse_sitemap(urlset("https://example.com/a")[:-20] + b"<url><loc>x", URL)
    assert sitemap.page_urls == ("https://example.com/a",)
    assert "well-formed" in sitemap.problem
    assert "first 2" in parse_sitemap(urlset("/a", "/b", "/c"), URL, max_urls=2).problem


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"not a sitemap", "neither"),
        (b"<!doctype html><html><body>Not found</body></html>", "document type"),
        (b"<html><body>Not found</body></html>", "<html>"),
        (b"<opml/>", "<opml>"),
        (b"<urlset", "well-formed"),
        (b"\x1f\x8bdamaged", "gzip"),
    ],
)
def test_what_is_no_sitemap_says_why(body: bytes, words: str) -> None:
    with pytest.raises(SitemapBroken, match=words):
        parse_sitemap(body, URL)


def test_entities_are_refused() -> None:
    bomb = (
        b'<?xml version="1.0"?><!DOCTYPE u [<!ENTITY a "'
        + b"x" * 1000
        + b'"><!ENTITY b "&a;&a;">]><urlset>&b;</urlset>'
    )
    with pytest.raises(SitemapBroken, match="document type"):
        parse_sitemap(bomb, URL)
    hidden = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE u [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    hidden += "<urlset><url><loc>https://example.com/&a;</loc></url></urlset>"
    assert all("root" not in url for url in parse_sitemap(hidden.encode("utf-16"), URL).page_urls)


def test_a_gzip_bomb_stops_at_the_limit() -> None:
    bomb = gzip.compress(b"\0" * (64 * 1024 * 1024))
    tracemalloc.start()
    with pytest.raises(SitemapBroken, match="more than 1 MB"):
        unpack_gzip(bomb, limit=1024 * 1024)
    assert tracemalloc.get_traced_memory()[1] < 8 * 1024 * 1024
    tracemalloc.stop()


def test_a_large_sitemap_is_read() -> None:
    body = urlset(*(f"https://example.com/{number}" for number in range(10_000)))
    assert len(parse_sitemap(body, URL).page_urls) == 10_000


def test_when_pages_were_changed() -> None:
    entries = "".join(
        f"<url>{lastmod}<loc>https://example.com/{number}</loc></url>"
        for number, lastmod in enumerate(
            [
                "<lastmod>2024-05-06T07:08:09+02:00</lastmod>",
                "<lastmod> 2024-05-06 </lastmod>",
                "<lastmod>2024-05</lastmod>",
                "<lastmod>2024</lastmod>",
                "<lastmod>yesterday</lastmod>",
                "",
            ]
        )
    )
    found = parse_sitemap(f"<urlset {NS}>{entries}</urlset>".encode(), URL).lastmods
    assert {url[-1]: when.isoformat() for url, when in found.items()} == {
        "0": "2024-05-06T05:08:09+00:00",
        "1": "2024-05-06T00:00:00+00:00",
        "2": "2024-05-01T00:00:00+00:00",
        "3": "2024-01-01T00:00:00+00:00",
    }


def test_no_extension_names_a_page() -> None:
    extra = (
        '<news:news xmlns:news="urn:n"><news:title>t</news:title></news:news>'
        '<video:video xmlns:video="urn:v"><video:content_loc>https://example.com/v.mp4</video:content_loc></video:video>'
        '<image:image xmlns:image="urn:i"><image:loc>https://example.com/i.png</image:loc></image:image>'
        '<xhtml:link xmlns:xhtml="urn:x" rel="alternate" hreflang="de" href="https://example.com/de/a"/>'
    )
    assert parse_sitemap(urlset("https://example.com/a", extra=extra), URL).page_urls == ("https://example.com/a",)


def test_a_bare_ampersand_is_taken_for_what_was_meant() -> None:
    assert parse_sitemap(urlset("https://example.com/a?x=1&y=2&amp;z=3&#38;q=4"), URL).page_urls == (
        "https://example.com/a?x=1&y=2&z=3&q=4",
    )
    assert parse_sitemap(urlset("<![CDATA[https://example.com/a?x=1&y=2]]>"), URL).page_urls == (
        "https://example.com/a?x=1&y=2",
    )


RSS = """<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<link>https://example.com/</link><atom:link href="https://example.com/feed" rel="self"/>
<item><title>a</title><link>https://example.com/a</link><pubDate>Mon, 06 May 2024 07:08:09 GMT</pubDate></item>
<item><link> https://example.com/b </link></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.com/"/>
<entry><link rel="edit" href="https://example.com/edit"/><link href="https://example.com/a"/>
<updated>2024-05-06T07:08:09Z</updated></entry>
<entry><link rel="alternate" href="https://example.com/b"/></entry></feed>"""


@pytest.mark.parametrize("feed", [RSS, ATOM])
def test_feeds_are_sitemaps_too(feed: str) -> None:
    found = parse_sitemap(feed.encode(), URL)
    assert found.page_urls == ("https://example.com/a", "https://example.com/b")
    assert {url: when.isoformat() for url, when in found.lastmods.items()} == {
        "https://example.com/a": "2024-05-06T07:08:09+00:00"
    }


def test_text_in_two_byte_letters_and_lines_that_are_no_address() -> None:
    text = "https://example.com/a\r\nnot an address\r\nHTTPS://example.com/b"
    for body in (text.encode("utf-16"), text.encode(), gzip.compress(text.encode("utf-16"))):
        found = parse_sitemap(body, URL)
        assert found.page_urls == ("https://example.com/a", "https://example.com/b")
        assert found.problem == "1 of its lines are no address"
