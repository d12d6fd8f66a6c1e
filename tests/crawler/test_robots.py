"""robots.txt: the cases in which readers of it differ."""

import pytest

from crawler.robots import LONGEST_CRAWL_DELAY, allow_all, parse_robots, robots_url_of

URL = "https://example.com/robots.txt"
TEXT = b"""
User-agent: *
Disallow: /private
Allow: /private/open
Disallow: /*.cgi$
Crawl-delay: 2

User-agent: OtherBot
Disallow: /

Sitemap: /sitemap.xml
Sitemap: https://example.com/news.xml
Sitemap: not a url at all://
"""


@pytest.mark.parametrize(
    ("path", "is_allowed"),
    [("/", True), ("/private/x", False), ("/private/open/x", True), ("/a.cgi", False), ("/a.cgi?x", True)],
)
def test_rules(path: str, is_allowed: bool) -> None:
    assert parse_robots(TEXT, URL).is_allowed(f"https://example.com{path}") is is_allowed


def test_delay_and_sitemaps() -> None:
    rules = parse_robots(TEXT, URL)
    assert rules.crawl_delay == 2.0
    assert rules.sitemaps[:2] == ("https://example.com/sitemap.xml", "https://example.com/news.xml")


def test_our_own_group_counts_before_the_star() -> None:
    rules = parse_robots(b"User-agent: *\nDisallow: /\n\nUser-agent: linkrec\nDisallow: /x\nCrawl-delay: 9999\n", URL)
    assert rules.is_allowed("https://example.com/y")
    assert not rules.is_allowed("https://example.com/x")
    assert rules.crawl_delay == LONGEST_CRAWL_DELAY


@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe\x00\x00", b"<html>not here</html>", b"\0" * 5000, b"Disallow: /\n" * 10]
)
def test_what_is_not_understood_forbids_nothing(body: bytes) -> None:
    assert parse_robots(body, URL).is_allowed("https://example.com/x")


def test_a_byte_order_mark_does_not_hide_the_first_group() -> None:
    assert not parse_robots(b"\xef\xbb\xbfUser-agent: *\nDisallow: /", URL).is_allowed("https://example.com/x")


def test_no_robots_allows_all() -> None:
    assert allow_all().is_allowed("https://example.com/x")
    assert robots_url_of("https://example.com:8443/a/b?c") == "https://example.com:8443/robots.txt"
