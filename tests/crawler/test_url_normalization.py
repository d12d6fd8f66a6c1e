"""URL normalization: a table of spellings, and properties that hold for any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.url_normalization import (
    is_same_site,
    normalize_url,
    registered_name,
    spelling_variants,
    to_site_url,
)

BASE = "https://example.com/dir/page"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Example.COM:80/A", "http://example.com/A"),
        ("https://example.com:443", "https://example.com/"),
        ("https://example.com:8443/", "https://example.com:8443/"),
        ("https://example.com./x", "https://example.com/x"),
        ("other", "https://example.com/dir/other"),
        ("../up", "https://example.com/up"),
        ("../../../above/the/root", "https://example.com/above/the/root"),
        ("/a/./b/../c/", "https://example.com/a/c/"),
        ("/a/b/..", "https://example.com/a/"),
        ("/a/%2E%2E/b", "https://example.com/b"),
        ("?q=1", "https://example.com/dir/page?q=1"),
        ("#part", "https://example.com/dir/page"),
        ("", "https://example.com/dir/page"),
        ("//cdn.example.net/x", "https://cdn.example.net/x"),
        ("/%7euser/%e2%80%99", "https://example.com/~user/%E2%80%99"),
        ("/it’s here", "https://example.com/it%E2%80%99s%20here"),
        ("/it%27s", "https://example.com/it's"),
        ("/a:b", "https://example.com/a:b"),
        ("/Mixed/Case", "https://example.com/Mixed/Case"),
        ("/a%2Fb%3Fc%23d%25", "https://example.com/a%2Fb%3Fc%23d%25"),
        ("/100%", "https://example.com/100%25"),
        ("/a//b", "https://example.com/a//b"),
        ("/x/", "https://example.com/x/"),
        ("/x.html", "https://example.com/x.html"),
        ("/index.html", "https://example.com/index.html"),
        ("/x?", "https://example.com/x"),
        ("/x?&a=1&&b=2&", "https://example.com/x?a=1&b=2"),
        ("/x?b=2&a=1", "https://example.com/x?b=2&a=1"),
        ("/x?utm_source=n&a=1&UTM_Medium=m&gclid=1&fbclid=2", "https://example.com/x?a=1"),
        ("/x?PHPSESSID=abc", "https://example.com/x"),
        ("/x?sid=0123456789abcdef0123456789abcdef", "https://example.com/x"),
        ("/x?sid=12", "https://example.com/x?sid=12"),
        ("/x;?a;b", "https://example.com/x;?a;b"),
        ("/x;jsessionid=A1?y=1", "https://example.com/x?y=1"),
        ("/x?a=1%262&b=%2B+", "https://example.com/x?a=1%262&b=%2B+"),
        ("\\windows\\path", "https://example.com/windows/path"),
        ("  /spaces\n/and\tlines ", "https://example.com/spaces/andlines"),
        ("http://Bücher.example/ä", "http://xn--bcher-kva.example/%C3%A4"),
        ("http://１２７.0.0.1/", "http://127.0.0.1/"),
        ("http://[2001:DB8:0:0::1]:80/", "http://[2001:db8::1]/"),
    ],
)
def test_spellings(url: str, expected: str) -> None:
    assert normalize_url(url, BASE) == expected


@pytest.mark.parametrize(
    "url",
    [
        "mailto:someone@example.com",
        "javascript:void(0)",
        "data:text/html,x",
        "ftp://example.com/",
        "http://",
        "http:///x",
        "http://user:secret@example.com/",
        "http://exa mple.com/",
        "http://example.com:99999/",
        "http://example.com:0/",
        "http://example.com:port/",
        "http://[::1",
        "http://[fe80::1%25eth0]/",
        "http://-bad-/",
        "http://a..b/",
        "http://ex%41mple.com/",
        "http://\ud800.example/",
        "http://example.com/" + "x" * 2000,
    ],
)
def test_unusable_addresses_are_empty(url: str) -> None:
    assert normalize_url(url) == ""
    assert normalize_url("relative") == ""


URLISH = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=list("ab./\\%?#&=;:@[]25Ee ’\ud800\t\x00-_~+'"), max_size=40).map("http://h/".__add__),
    st.text(alphabet=list("a0./:[]@%-_é１。"), max_size=20).map("https://".__add__),
    st.lists(st.sampled_from(["..", ".", "a", ";jsessionid=1", "%2e", "", "index.html"]), max_size=8).map(
        lambda parts: "http://h/" + "/".join(parts)
    ),
    st.lists(st.sampled_from(["utm_x=1", "a=1", "&", "=", "sid=" + "a" * 24, "%75tm_source=1", "b"]), max_size=6).map(
        lambda pairs: "http://h/?" + "&".join(pairs)
    ),
)


@settings(max_examples=200, deadline=None)
@given(URLISH, st.one_of(st.none(), st.just(BASE), URLISH))
def test_never_raises_and_is_idempotent(url: str, base: str | None) -> None:
    normalized = normalize_url(url, base)
    assert normalize_url(normalized) == normalized
    if normalized:
        assert normalized.isascii()
        assert " " not in normalized
        assert "#" not in normalized
        assert normalized.startswith(("http://", "https://"))
        for variant in spelling_variants(normalized):
            assert is_same_site(variant, normalized)
        registered_name(normalized)


def test_a_site_is_one_with_and_without_www_and_tls() -> None:
    site = "https://www.example.com/start"
    assert to_site_url("http://example.com/x?y=1", site) == "https://www.example.com/x?y=1"
    assert to_site_url("https://www.example.com/x", site) == "https://www.example.com/x"
    assert to_site_url("https://blog.example.com/x", site) == ""
    assert to_site_url("https://www.example.com:8443/x", site) == ""
    assert to_site_url("https://www.example.com.evil.test/x", site) == ""
    assert to_site_url("", site) == ""
    assert not is_same_site("http://127.0.0.1:8000/", "http://127.0.0.1:8001/")
    assert not is_same_site("https://127.0.0.1:8000/", "http://127.0.0.1:8000/")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.example.com/", "example.com"),
        ("https://a.b.example.co.uk/", "example.co.uk"),
        ("https://co.uk/", "co.uk"),
        ("http://127.0.0.1:8000/", "127.0.0.1"),
        ("http://[::1]/", "::1"),
        ("http://localhost/", "localhost"),
    ],
)
def test_registered_names(url: str, name: str) -> None:
    assert registered_name(url) == name


def test_spelling_variants_name_the_usual_twins() -> None:
    variants = spelling_variants("http://h/a/X.html?q=1")
    assert {"http://h/a/X?q=1", "http://h/a/X/?q=1", "http://h/a/X/index.html?q=1", "http://h/a/X.html"} <= set(
        variants
    )
    assert "http://h/a/x.html?q=1" in variants
    assert "http://h/" in spelling_variants("http://h/index.html")
    assert "http://h/index.html" in spelling_variants("http://h/")
    assert "http://h/x/" in spelling_variants("http://h/x")
