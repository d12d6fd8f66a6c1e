"""Metadata: title, description, canonical, robots, hreflang."""

import pytest

from tests.crawler.extraction.reading import read


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<title> A\n title </title><meta property=og:title content=Other>", "A title"),
        ("<title></title><meta property=og:title content='Open title'>", "Open title"),
        ("<meta name=twitter:title content=Bird>", "Bird"),
        ("<svg><title>icon</title></svg>", ""),
        ("<title>1 &lt; 2 &amp; so</title>", "1 < 2 & so"),
        ("<title>Caf&amp;eacute; &amp;amp; Pr&amp;aacute;cticas</title>", "Café & Prácticas"),
        ("<title>R&amp;D; AT&amp;T &amp;nosuchname; a&amp;b</title>", "R&D; AT&T &nosuchname; a&b"),
    ],
)
def test_title(head: str, expected: str) -> None:
    assert read(f"<head>{head}</head><p>x").title == expected


def test_description() -> None:
    assert read("<meta name=Description content=' All\n about '>").description == "All about"
    assert read("<meta property=og:description content='Graph'>").description == "Graph"


@pytest.mark.parametrize(
    ("head", "headers", "expected"),
    [
        ("", {}, (False, False)),
        ("<meta name=robots content='noindex, follow'>", {}, (True, False)),
        ("<meta name=ROBOTS content=NONE>", {}, (True, True)),
        ("<meta name=googlebot content=nofollow><meta name=robots content=noindex>", {}, (True, True)),
        ("<meta name=bingbot content=noindex>", {}, (False, False)),
        ("<meta name=robots content='max-snippet:-1, index'>", {}, (False, False)),
        ("", {"x_robots_tag": "noindex"}, (True, False)),
        ("", {"x_robots_tag": "otherbot: noindex, nofollow"}, (False, False)),
        ("", {"x_robots_tag": "linkrec: noindex"}, (True, False)),
        ("", {"x_robots_tag": "linkrec: none"}, (True, True)),
        ("<meta name=linkrec content=noindex>", {}, (True, False)),
        ("<meta name=otherbot content=noindex>", {}, (False, False)),
        ("", {"x_robots_tag": "unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, nofollow"}, (True, True)),
        ("", {"x_robots_tag": "otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST"}, (False, False)),
        ("<meta name=robots content='unavailable_after: 2010-06-25T15:00:00Z'>", {}, (True, False)),
        ("<meta name=robots content='unavailable_after: some day'>", {}, (False, False)),
        ("", {"x_robots_tag": "otherbot: noindex, googlebot: nofollow"}, (False, True)),
        ("", {"x_robots_tag": "unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow"}, (False, True)),
    ],
)
def test_robots(head: str, headers: dict[str, str], expected: tuple[bool, bool]) -> None:
    page = read(f"<head>{head}</head><p>x", **headers)
    assert (page.is_noindex, page.is_nofollow) == expected


@pytest.mark.parametrize(
    ("head", "link_header", "expected"),
    [
        ("<link rel=canonical href='../tea?utm_source=x#top'>", "", "https://example.org/tea"),
        ("<link rel='Canonical' href='HTTPS://Example.org:443/tea'>", "", "https://example.org/tea"),
        ("<link rel=canonical href='/a'><link rel=canonical href='/b'>", "", "https://example.org/a"),
        ("<link rel=canonical href='ftp://x/'>", "", ""),
        ("", '<https://example.org/t>; rel="canonical"', "https://example.org/t"),
        ("", "</style.css>; rel=preload, </t>; rel=canonical", "https://example.org/t"),
        ("<base href=/docs/><link rel=canonical href=a>", "", "https://example.org/docs/a"),
    ],
)
def test_canonical(head: str, link_header: str, expected: str) -> None:
    assert read(f"<head>{head}</head><p>x", link=link_header).canonical_url == expected


def test_hreflang_may_climb_above_the_root() -> None:
    page = read(
        "<link rel=alternate hreflang=DE href='../../../../de/tea'><link rel=alternate hreflang=x-default href=/>"
    )
    assert page.hreflang == {"de": "https://example.org/de/tea", "x-default": "https://example.org/"}


def test_a_heading_that_was_escaped_twice() -> None:
    assert read("<main><h1>Caf&amp;eacute; menus</h1><p>x</p></main>").h1 == "Café menus"
