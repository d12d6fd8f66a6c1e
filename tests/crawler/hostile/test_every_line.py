"""Every promise about hostile servers and forbidden addresses has its test: the promises in our words, and where each
is kept. A promise without a test fails here, and so does a name that no test and no case bears."""

import ast
from functools import cache
from pathlib import Path

import pytest

_HERE = Path(__file__).resolve().parent
_PAGES = ("test_pages.py::test_the_page_ends_in_a_reason_and_the_crawl_goes_on",)
_SITEMAPS = ("test_opening.py::test_the_sitemap_leaves_a_note_and_the_pages_are_read",)
_ROBOTS = ("test_opening.py::test_a_hostile_robots_txt_is_noted_and_the_pages_are_read",)
_SPELLINGS = ("test_guarded_addresses.py::test_every_spelling_is_refused_asked_for_or_redirected_to",)
_PLACES = ("test_guarded_addresses.py::test_a_crawl_reaches_the_witness_by_no_redirect_and_no_entry",)
_NAMED = ("test_guarded_addresses.py::test_nothing_that_a_page_names_is_asked_of_the_witness",)

#: promise: (tests that keep it, the cases among their parameters or in their files)
LINES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "bombs of gzip and deflate in pages": (_PAGES, ("gzip bomb", "gzip of gzip", "gzip members", "deflate bomb")),
    "bombs of gzip in sitemaps and robots.txt": (
        _SITEMAPS + _ROBOTS,
        ("gzip bomb", "gzip of gzip", "bomb as encoding"),
    ),
    "encodings that were not asked for": (_PAGES, ("called brotli", "called zstd", "ten encodings", "damaged gzip")),
    "bombs of XML": (
        _SITEMAPS,
        ("billion laughs", "laughs after a long comment", "entity of a file", "entity of the network"),
    ),
    "bodies of 2 GB": (
        _PAGES + _SITEMAPS,
        ("2 GB declared", "2 GB undeclared", "2 GB chunked", "2 GB in one chunk", "2 GB"),
    ),
    "a byte at a time": (
        _PAGES + _SITEMAPS + ("test_opening.py::test_a_robots_txt_without_end_ends_the_crawl_in_one_sentence",),
        (
            "a body byte by byte",
            "headers byte by byte",
            "a status line byte by byte",
            "chunks byte by byte",
            "byte by byte",
            "silence",
        ),
    ),
    "headers without end": (
        _PAGES,
        ("endless headers", "one endless header", "endless status line", "endless 100 Continue"),
    ),
    "10,000 redirects": (
        (*_PAGES, "test_pages.py::test_a_chain_of_10_000_redirects_is_followed_ten_times_and_each_is_a_row"),
        ("10,000 redirects", "a circle"),
    ),
    "Location with line breaks or no address": (
        _PAGES,
        (
            "a line break in Location",
            "escaped line breaks in Location",
            "Location to a file",
            "Location of 100,000 letters",
        ),
    ),
    "characters that are none": (_PAGES + _SITEMAPS, ("invalid UTF-8", "half of a surrogate", "broken UTF-16")),
    "NUL bytes": (_PAGES + _SITEMAPS, ("NUL bytes", "NUL bytes alone")),
    "nesting 100,000 deep": (_PAGES + _SITEMAPS, ("100,000 deep", "100,000 inline deep", "100,000 lists deep")),
    "100,000 links": (
        _PAGES,
        ("100,000 links", "150,000 sentences"),
    ),
    "attributes of 10 MB, many attributes": (_PAGES, ("a 10 MB attribute", "a 9 MB address", "100,000 attributes")),
    "many small elements": (_PAGES, ("250,000 elements",)),
    "cookies": ((*_PAGES, "test_pages.py::test_cookies_are_never_sent_back"), ("80 cookies", "10,000 cookies")),
    "broken framing": (
        _PAGES,
        (
            "chunks without a length",
            "chunks cut short",
            "a length too long",
            "a length too short",
            "two lengths",
            "HTTP/0.9",
        ),
    ),
    "bounded memory": (("test_pages.py::test_all_attacks_together_stay_within_memory",), ()),
    "fuzzing of extraction": (
        (
            "test_fuzzing.py::test_any_damage_to_a_page_is_read_or_said",
            "test_fuzzing.py::test_any_charset_that_a_page_declares_is_survived",
        ),
        (),
    ),
    "fuzzing of addresses": (("test_fuzzing.py::test_any_address_is_normalized_once_and_for_all",), ()),
    "loopback, also spelled otherwise": (
        _SPELLINGS,
        (
            "http://127.0.0.1.:{port}/",
            "http://2130706433:{port}/",
            "http://017700000001:{port}/",
            "http://0x7f000001:{port}/",
        ),
    ),
    "private networks": (
        _SPELLINGS,
        ("http://10.0.0.1:{port}/", "http://192.168.0.1:{port}/", "http://[fc00::1]:{port}/"),
    ),
    "link-local and zones": (_SPELLINGS, ("http://[fe80::1]:{port}/", "http://[fe80::1%25lo]:{port}/")),
    "multicast": (_SPELLINGS, ("http://224.0.0.1:{port}/", "http://[ff02::1]:{port}/")),
    "metadata services": (
        (*_SPELLINGS, "test_guarded_addresses.py::test_a_name_that_is_allowed_opens_no_metadata_service"),
        ("http://169.254.169.254:{port}/", "http://[fd00:ec2::254]:{port}/"),
    ),
    "mapped forms": (
        _SPELLINGS,
        ("http://[::ffff:127.0.0.1]:{port}/", "http://[2002:7f00:1::]:{port}/", "http://[64:ff9b::127.0.0.1]:{port}/"),
    ),
    "the address connected to": (
        (
            "test_guarded_addresses.py::test_a_name_that_resolves_elsewhere_the_second_time",
            "test_guarded_addresses.py::test_of_several_addresses_of_a_name_the_forbidden_are_left_out",
            "test_guarded_addresses.py::test_the_peer_is_looked_at_once_more",
        ),
        (),
    ),
    "the start address": (
        (*_PLACES, "test_guarded_addresses.py::test_no_crawl_starts_at_a_forbidden_address"),
        ("start",),
    ),
    "every redirect": (_PLACES, ("page", "via site")),
    "robots.txt": (_PLACES, ("robots.txt",)),
    "entries of sitemaps": (_PLACES, ("sitemap", "sitemap index", "sitemap file")),
    "subresources, canonical, hreflang": (_NAMED, ()),
    "whatever a page in a browser asks for": (
        ("../rendering/test_hostile_scripts.py::test_no_way_out",),
        ("fetch", "fetch of the metadata service", "fetch behind a redirect", "WebSocket", "WebRTC", "window", "frame"),
    ),
    "scripts without end": (
        ("../rendering/test_hostile_scripts.py::test_scripts_without_end_cost_their_page_a_reason",),
        (),
    ),
    "sitemaps that all fail": (("test_opening.py::test_sitemaps_that_cannot_be_had_are_given_up_after_some",), ()),
    "the setting that allows": (
        ("test_guarded_addresses.py::test_the_setting_opens_what_it_names_and_nothing_else",),
        (),
    ),
}


@cache
def _names_and_strings(file: str) -> tuple[frozenset[str], frozenset[str]]:
    nodes = list(ast.walk(ast.parse((_HERE / file).read_text("utf-8"))))
    names = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return frozenset(names), frozenset(strings)


@pytest.mark.parametrize("promise", LINES)
def test_the_promise_has_its_test(promise: str) -> None:
    tests, cases = LINES[promise]
    places = [test.split("::") for test in tests]
    assert places
    assert not [
        test for (file, name), test in zip(places, tests, strict=True) if name not in _names_and_strings(file)[0]
    ]
    known = _names_and_strings("attacks.py")[1].union(*(_names_and_strings(file)[1] for file, _ in places))
    assert not [case for case in cases if case not in known]
