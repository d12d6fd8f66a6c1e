"""Links: where they lead, and whether an editor set them."""

import pytest

from tests.crawler.extraction.reading import URL, editorial, read

PROSE = "<p>Tea leaves are picked by hand in spring and dried in the shade for two days.</p>"


def test_addresses() -> None:
    page = read(
        "<base href='/docs/'><main><p>See <a href='intro#top'>intro</a>, <a href='//other.org/x'>other</a>, "
        "<a href='#here'>here</a>, <a href='mailto:a@b.org'>mail</a>, <a href='javascript:go()'>go</a>, "
        "<a href=' http://[bad '>bad</a>, <a>none</a>, <a href=''>empty</a> and <a href='?q=1'>query</a>.</p></main>"
    )
    assert [link.url for link in page.links] == [
        "https://example.org/docs/intro",
        "https://other.org/x",
        "https://example.org/docs/?q=1",
    ]
    assert all(link.is_editorial for link in page.links)
    assert len(page.blocks[0].link_spans) == 8  # every <a href>, wherever it leads


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Read <a href=/a>this</a> on tea.</p>", {"/a"}),
        ("<ul><li><a href=/a>Alpha</a><li><a href=/b>Beta</a></ul>", {"/a", "/b"}),
        ("<h2><a href=/a>About</a> tea</h2>", {"/a"}),
        ("<div><a href=/a>Alpha</a> | <a href=/b>Beta</a> | <a href=/c>Gamma</a></div>", set()),
        ("<a href=/a><h3>Card</h3><p>Text</p></a>", set()),
        ("<a href=/a><img src=x></a>", {"/a"}),
        ("<p>In <a href=/de rel=alternate hreflang=de>German</a> too, and that is all.</p>", set()),
        ("<p>Filed under <a href=/t rel='category tag'>tea</a> by some editor of ours.</p>", set()),
        ("<p>A <a href=/a rel=nofollow>paid</a> word.</p>", {"/a"}),
        ("<div class=related><a href=/a>More</a></div>", set()),
        ("<dl><dt><a href=/a>Alpha</a><dd>First of all letters.</dl>", {"/a"}),
    ],
)
def test_editorial(html: str, expected: set[str]) -> None:
    assert editorial(read(f"<main>{PROSE}{html}</main>")) == expected


def test_translations_of_the_page_are_no_editorial_targets() -> None:
    page = read(
        "<head><link rel=alternate hreflang=de href=/de/tea><link rel=alternate hreflang=en href=/guide/tea></head>"
        "<main><p>Read it <a href=/de/tea>in German</a> or see <a href=/de/coffee>coffee</a>.</p></main>"
    )
    assert editorial(page) == {"/de/coffee"}
    assert page.hreflang == {"de": "https://example.org/de/tea", "en": URL}


def test_rows_of_teasers_are_no_editorial_links() -> None:
    teaser = "<h2><a href=/{0}>Post {0}</a></h2><p>Short excerpt.</p><p><a href=/{0}>Read more of it</a></p>"
    page = read(
        f"<main><h1>Blog</h1>{''.join(teaser.format(n) for n in range(4))}<p>Or <a href=/old>old</a> ones</p></main>"
    )
    assert editorial(page) == {"/old"}


def test_headings_that_link_within_long_text_stay_editorial() -> None:
    part = "<h2><a href=/{0}>Setting {0}</a></h2>" + PROSE * 8
    assert editorial(read(f"<main>{''.join(part.format(n) for n in range(4))}</main>")) == {"/0", "/1", "/2", "/3"}


def test_where_links_stand_and_what_they_are() -> None:
    page = read(
        "<nav><a href=/n rel=nofollow> To\n nav </a></nav><main><p>Use <code><a href=/c>add</a></code> or "
        "<a href=/d><code>rm</code></a> or <a href=/e><code>mv</code> now</a>.</p></main>"
    )
    assert [(link.anchor_text, link.is_in_code) for link in page.links] == [
        ("add", True),
        ("rm", True),
        ("mv now", False),
        ("To nav", False),
    ]
    assert [page.blocks[0].text[link.start : link.end] for link in page.links[:3]] == ["add", "rm", "mv now"]
    assert (page.links[3].is_nofollow, page.links[3].is_editorial, page.links[3].start) == (True, False, None)
