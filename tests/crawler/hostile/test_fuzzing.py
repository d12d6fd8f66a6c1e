"""Whatever bytes and characters come in, the pure readers do not raise and keep their word."""

import random
import string
from urllib.parse import urlsplit

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crawler.address_guard import AddressGuard, is_public, parse_address
from crawler.extraction import extract_page
from crawler.extraction.charset import decode_html
from crawler.robots import parse_robots
from crawler.sitemaps import SitemapBroken, parse_sitemap
from crawler.sources.web import extract_content
from crawler.url_normalization import is_same_site, normalize_url, spelling_variants, to_site_url
from tests.crawler.extraction.test_hostile import check
from tests.crawler.loopback import page, sitemap

BASE = "https://example.org/a/b?c=d"
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
HOSTS = st.sampled_from(
    ["example.org", "EXAMPLE.org.", "bücher.example", "xn--bcher-kva.example", "127.0.0.1", "0x7f.1", "2130706433",
     "[::1]", "[::ffff:10.0.0.1]", "[fe80::1%25eth0]", "a_b.example", "ß.de", "日本.jp", "1.2.3", "..", "-",
     "%65xample.org"]
)  # fmt: skip
URLS = st.one_of(
    ANY_TEXT,
    st.builds(
        "{}{}{}{}{}{}{}".format,
        st.sampled_from(["http://", "HTTPS://", "//", "", "ftp://", "javascript:", "http:/", "\thttp:\n//", "data:"]),
        st.sampled_from(["", "", "u@", "u:p@", "%40@"]),
        HOSTS,
        st.sampled_from(["", ":80", ":443", ":0", ":99999", ":", ":x", ":8080"]),
        st.one_of(st.just("/"), st.just("/../..//./%2e%2E/a;jsessionid=1"), ANY_TEXT.map("/{}".format)),
        st.one_of(st.just(""), ANY_TEXT.map("?{}".format), st.just("?utm_source=x&a=%zz&b=%C3&&=")),
        st.sampled_from(["", "#x", "#?#"]),
    ),
)


@QUICK
@given(URLS, st.one_of(st.just(BASE), URLS))
def test_any_address_is_normalized_once_and_for_all(url: str, base: str) -> None:
    clean_base = normalize_url(base)
    for found in (normalize_url(url), normalize_url(url, clean_base or BASE)):
        assert found == "" or found.startswith(("http://", "https://"))
        assert normalize_url(found) == found
        assert not found or normalize_url(found, BASE) == found
        assert found.isascii()
        assert not set(found) & set(string.whitespace + '\0\\#"<>')
        if found:
            assert urlsplit(found).hostname
            assert urlsplit(found).username is None
            assert is_same_site(found, found)
            assert to_site_url(found, found) == found
            assert all(normalize_url(spelling) for spelling in spelling_variants(found) if len(spelling) <= 2000)


@QUICK
@given(HOSTS, st.sampled_from(["/x", "?a=b", "/..//x", "#y", ""]))
def test_normalizing_makes_no_public_host_of_a_private_one_nor_the_reverse(host: str, rest: str) -> None:
    found = normalize_url(f"http://{host}{rest}")
    before, after = parse_address(host), parse_address(urlsplit(found).hostname or "") if found else None
    if found and before is not None:
        assert after is not None
        assert is_public(after) == is_public(before)
    if found and before is None:
        assert after is None or host.startswith(("0x", "0", "%"))


@QUICK
@given(st.one_of(st.ip_addresses().map(str), ANY_TEXT), st.integers(0, 65535))
def test_the_guard_answers_to_anything_and_permits_only_public_addresses(text: str, port: int) -> None:
    address = parse_address(text)
    assert AddressGuard().permits("example.org", port, text) == (address is not None and is_public(address))


def mutated(good: bytes, seed: int, changes: int) -> bytes:
    """The bytes with some of them cut out, doubled, swapped for others."""
    chance, data = random.Random(seed), bytearray(good)
    for _ in range(changes):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(4)
        if kind == 0:
            data[at:at] = chance.randbytes(chance.randrange(1, 9))
        elif kind == 1:
            del data[at : at + chance.randrange(1, 40)]
        elif kind == 2:
            data[at:at] = data[at : at + chance.randrange(1, 200)]
        else:
            data[at:at] = chance.choice(
                (b"<", b">", b'"', b"&#", b"\0", b"<!--", b"]]>", b"\xff", b"\xed\xa0\x80", b"<p")
            )
    return bytes(data)


MUTATED = st.tuples(st.integers(0, 2**32), st.integers(1, 40))
HEADER = st.one_of(
    st.just("text/html"),
    st.text(max_size=30).map("text/html; charset={}".format),
    st.sampled_from(["utf-7", "utf-16", "idna", "hex", "zip", "rot13", "unicode_escape", "\0", "utf-8-sig"]).map(
        "text/html; charset={}".format
    ),
)
GOOD_PAGE = page(
    "A title", links={"/a": "one", "//b/c": "two"}, head="<meta charset=utf-8><link rel=canonical href=/x>"
)


@QUICK
@given(MUTATED, HEADER)
def test_any_damage_to_a_page_is_read_or_said(mutation: tuple[int, int], content_type: str) -> None:
    body = mutated(GOOD_PAGE.encode() * 2, *mutation)
    content = extract_content(body, BASE, {"content-type": content_type})
    assert not isinstance(content, str), content
    check(content)


@QUICK
@given(st.text(st.characters(exclude_characters="'\">"), max_size=20), st.binary(max_size=200))
def test_any_charset_that_a_page_declares_is_survived(label: str, body: bytes) -> None:
    start = f"<meta charset='{label}'><meta http-equiv=content-type content='text/html;charset={label}'>"
    assert isinstance(decode_html(start.encode("utf-8", "replace") + body, {}), str)


@QUICK
@given(st.text(st.characters(codec=None, categories=("Cs", "Ll", "Mn", "Cf", "Cc")), max_size=80))
def test_halves_of_surrogates_never_reach_the_database(text: str) -> None:
    entities = "".join(f"&#{ord(sign)};" for sign in text)
    body = f"<title>{text}</title><p>{text} {entities}".encode("utf-8", "surrogatepass")
    content = extract_page(body, BASE, {"content-type": "text/html; charset=utf-8"})
    for said in (content.title, *(block.text for block in content.blocks), *(link.url for link in content.links)):
        said.encode("utf-8")
        assert "\0" not in said


@QUICK
@given(st.one_of(st.binary(max_size=300), MUTATED.map(lambda m: mutated(sitemap(*(BASE,) * 3)[2].encode(), *m))))
def test_any_sitemap_is_read_or_said_to_be_broken(body: bytes) -> None:
    try:
        found = parse_sitemap(body, BASE)
    except SitemapBroken:
        return
    for url in (*found.page_urls, *found.child_urls):
        assert normalize_url(url) == url != ""


@QUICK
@given(
    st.one_of(
        st.binary(max_size=300),
        MUTATED.map(
            lambda m: mutated(
                b"User-agent: *\nDisallow: /a*b$\nAllow: /\nCrawl-delay: 2\nRequest-rate: 1/5\nSitemap: /s", *m
            )
        ),
    )
)
def test_any_robots_txt_gives_rules(body: bytes) -> None:
    rules = parse_robots(body, "https://example.org/robots.txt")
    assert 0 <= rules.crawl_delay <= 30
    assert rules.is_allowed(BASE) in (True, False)
    assert all(normalize_url(url) == url for url in rules.sitemaps)
