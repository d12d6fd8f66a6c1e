"""What an admin sets of a site's addresses: patterns, subdomains, parameters."""

import pytest

from crawler.scope import Scope, make_scope

START = "https://example.com/"


@pytest.mark.parametrize(
    ("included", "excluded", "url", "is_read"),
    [
        ("", "", "https://example.com/a", True),
        ("/blog/*", "", "https://example.com/blog/a", True),
        ("/blog/*", "", "https://example.com/shop", False),
        ("/blog/*", "", START, True),
        ("/blog/\n/news/", "", "https://example.com/news/1", True),
        ("", "/tag/*", "https://example.com/tag/x", False),
        ("", "*/print$", "https://example.com/a/print", False),
        ("", "*/print$", "https://example.com/a/print/2", True),
        ("", "*?sort=*", "https://example.com/shop?sort=price", False),
        ("/blog/*", "/blog/old/*", "https://example.com/blog/old/1", False),
        ("/über-uns/*", "", "https://example.com/%C3%BCber-uns/team", True),
        ("https://example.com/a*", "", "https://example.com/ab", True),
        ("https://shop.example.com/*", "", "https://example.com/ab", False),
        ("", "# a note\n\n/b", "https://example.com/a", True),
        ("", "/a.c", "https://example.com/abc", True),
    ],
)
def test_patterns_decide_what_is_read(included: str, excluded: str, url: str, is_read: bool) -> None:
    reason = make_scope(included, excluded, "").reason_to_skip(url, START)
    assert (reason == "") is is_read
    if excluded.count("\n") == 0 and excluded and not is_read and not included:
        assert excluded in reason


def test_parameters_that_change_nothing_are_dropped() -> None:
    scope = make_scope("", "", "ref\nsort_*\nFilter[size]")
    assert scope.place("https://example.com/a?ref=x&id=3&sort_by=p", START) == "https://example.com/a?id=3"
    assert scope.place("https://example.com/a?REF=x", START) == "https://example.com/a"
    assert scope.place("https://example.com/a?preference=x", START) == "https://example.com/a?preference=x"
    assert scope.place("https://example.com/a?filter[size]=4", START) == "https://example.com/a"


def test_subdomains_belong_to_the_site_only_where_that_is_set() -> None:
    with_them = make_scope("", "", "", are_subdomains_included=True)
    assert with_them.place("http://blog.example.com/a", "https://www.example.com/") == "https://blog.example.com/a"
    assert with_them.place("https://www.example.com/a", START) == "https://example.com/a"
    for foreign in ("https://notexample.com/", "https://example.com.evil.org/", "https://blog.example.com:8443/"):
        assert with_them.place(foreign, START) == ""
    assert Scope().place("https://blog.example.com/a", START) == ""
