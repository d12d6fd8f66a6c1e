"""Hostile pages: extraction never raises, and ends in time. The clock is the process's own, so load does not matter."""

import time
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crawler.extraction import extract_page
from crawler.extraction.types import PageContent

N = 20_000
CASES: dict[str, bytes] = {
    "NUL bytes": b"\0<p>\0a\0</p>\0" * 1_000,
    "broken UTF-16": b"\xff\xfe" + b"\xd8" * 1_001,
    "every byte": bytes(range(256)) * 500,
    "deep divs": b"<div>" * 5 * N + b"text" + b"</div>" * 5 * N,
    "deep lists": b"<ul><li>x" * N,
    "deep tables": b"<table><tr><td>" * N + b"x",
    "deep sidebars": b"<div class=sidebar>some words" * N,
    "deep code": b"<code>" * N + b"<p>x y z" * N,
    "deep links": b"<a href=x>y" * N,
    "100,000 links": b"".join(b"<a href='/x%d'>y</a> " % n for n in range(5 * N)),
    "links to places": b"".join(b"<li><a href='#x%d'>y z</a>" % n for n in range(N)),
    "ways back": b"".join(b"<li id=fn%d>x <a href='#r%d'>\xe2\x86\xa9</a>" % (n, n) for n in range(5 * N)),
    "articles in articles": b"<article>x" * 2_000 + b"y" * N,
    "main roles": b"<div role=main itemprop=articleBody>x y</div>" * 5 * N,
    "inline elements in one block": b"<p>" + b"<b>x</b> <a href=/y>y</a> z, " * 5 * N,
    "50,000 blocks": b"<p>Some words here.</p>" * 50_000,
    "links in code": b"<p>" + b"<a href=/x><code>y</code></a> " * N,
    "10 MB attribute": b"<p title='" + b"x" * 10_000_000 + b"'>text</p>",
    "10 MB class": b"<div class='" + b"nav " * 2_500_000 + b"'>text</div>",
    "attributes": b"<p " + b" ".join(b"a%d=1" % n for n in range(5 * N)) + b">x",
    "breaks": b"x<br>" * N,
    "one long word": b"<p>" + b"w" * 2_000_000,
    "no punctuation": b"<p>" + b"word " * 400_000,
    "dots": b"<p>" + b"." * 500_000 + b" A" * N,
    "quotation marks": b"<p>" + "“A. B” (C. D. “E.".encode() * N,
    "Japanese brackets": b"<p>" + "これは「文。".encode() * N,
    "open scripts": b"<script " * N + b"<script>" * N,
    "open comments": b"<!--" * N,
    "less than": b"<" * 500_000 + b"<b " * N,
    "bad entities": b"&#xD800;&#0;&#x110000;&foo;&" * N,
    "bad base": b"<base href='http://[x'><a href='http://[y'>q</a><link rel=canonical href='http://[z'><p>t",
    "frames": b"<html><frameset><frame src=x></frameset></html>",
}
HEADERS = {
    "content-type": "text/html; charset=bogus",
    "content-language": "\0,x",
    "x-robots-tag": "unavailable_after: x, otherbot: noindex,,:",
    "link": "<" * 1_000,
}


def check(page: PageContent) -> None:
    """What holds for every reading of every page."""
    for sentence in page.sentences:
        assert page.blocks[sentence.block_ordinal].text[sentence.start : sentence.end] == sentence.text
    for ordinal, block in enumerate(page.blocks):
        assert block.ordinal == ordinal
        assert block.text == block.text.strip() != ""
        assert "\n" not in block.text
        assert "  " not in block.text
        for spans in (block.link_spans, block.code_spans, block.barred_spans):
            assert all(0 <= start < end <= len(block.text) for start, end in spans)
            assert all(first[1] <= second[0] for first, second in pairwise(spans))
    for link in page.links:
        assert link.url.startswith(("http://", "https://"))
        if link.block_ordinal is not None:
            assert (link.start, link.end) != (None, None)
            assert 0 <= (link.start or 0) < (link.end or 0) <= len(page.blocks[link.block_ordinal].text)
        else:
            assert link.start is None


@pytest.mark.parametrize("name", CASES)
def test_hostile_pages_end_in_time(name: str) -> None:
    start = time.process_time()
    check(extract_page(CASES[name], "https://example.org/a", HEADERS))
    assert time.process_time() - start < 12


TAGS = (
    "p div span a b i code pre li ul ol table tr td th dl dt dd h1 h2 h6 main article nav aside header footer form "
    "button label sup br hr img blockquote figure figcaption details "
    "summary script style template svg math select option body "
    "html head title meta link base dfn my-tag section"
)
ATTRIBUTES = (
    'class="nav" class="content-with-sidebar" class="footnotes" id=toc role=navigation hidden aria-hidden=true '
    'href=/x href="#y" href="http://[" href="" rel="prev '
    'nofollow" hreflang=de style="display:none" style=";;:" lang=de '
    'content="x" '
    "name=robots rel=canonical class="
)
PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS.split()]),
    st.sampled_from([f"</{tag}>" for tag in TAGS.split()]),
    st.builds("<{} {}>".format, st.sampled_from(TAGS.split()), st.sampled_from(ATTRIBUTES.split(" "))),
    st.sampled_from(
        [
            "Tea is good. ",
            "“Yes. No.” ",
            "必要です。",
            "&nbsp;",
            "&amp;",
            "<!--",
            "-->",
            "<",
            ">",
            '"',
            "\xad",
            "\0",
            " ",
        ]
    ),
    st.text(max_size=20),
)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_soup_of_tags_is_read(html: str) -> None:
    check(extract_page(html.encode("utf-8", "surrogatepass"), "https://example.org/a/b", {}))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300), st.text(max_size=60))
def test_any_bytes_under_any_header_are_read(body: bytes, header: str) -> None:
    headers = dict.fromkeys(("content-type", "content-language", "x-robots-tag", "link"), header)
    check(extract_page(body, "https://example.org/", headers))
