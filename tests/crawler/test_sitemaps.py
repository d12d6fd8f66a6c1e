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
