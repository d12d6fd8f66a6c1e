"""The whole of extract_page on small pages of our own."""

from tests.crawler.extraction.reading import URL, kinds, read


def test_a_small_page_says_everything() -> None:
    page = read(
        """<!DOCTYPE html><html lang="en-GB"><head><title>Tea | Shop</title>
        <meta name="description" content="All about tea"><link rel="canonical" href="/guide/tea?utm_source=x"></head>
        <body><nav><a href="/">Home</a></nav><main><h1>Tea</h1>
        <p>Green tea is steamed. It tastes of <a href="../grass">fresh <b>gr</b>ass</a>.</p>
        <ul><li>First<ul><li>Nested one</li></ul></li></ul><pre>brew --now</pre></main></body></html>"""
    )
    assert (page.title, page.h1, page.description, page.language) == ("Tea | Shop", "Tea", "All about tea", "en")
    assert page.canonical_url == URL
    assert page.headings == ("Tea",)
    assert kinds(page) == [
        ("heading", "Tea"),
        ("paragraph", "Green tea is steamed. It tastes of fresh grass."),
        ("list_item", "First"),
        ("list_item", "Nested one"),
        ("code", "brew --now"),
    ]
    assert [sentence.text for sentence in page.sentences[1:3]] == ["Green tea is steamed.", "It tastes of fresh grass."]
    link, menu = page.links
    assert (link.url, link.anchor_text, link.is_editorial) == ("https://example.org/grass", "fresh grass", True)
    assert link.block_ordinal == 1
    assert page.blocks[1].text[link.start : link.end] == "fresh grass"
    assert (menu.url, menu.is_editorial, menu.block_ordinal) == ("https://example.org/", False, None)


def test_the_fingerprint_follows_what_is_said_and_nothing_else() -> None:
    page = "<title>a</title><main><p>Some <a href=/x>text</a>.</p></main><script>{}</script>"
    plain = read(page.format("1")).content_sha256
    assert len(plain) == 64
    assert read(page.format("2").replace("<p>", "<p class=new>")).content_sha256 == plain
    for change in (
        ("/x", "/y"),
        ("Some", "Any"),
        ("<title>a", "<title>b"),
        ("<main>", "<main><meta name=robots content=noindex>"),
    ):
        assert read(page.format("1").replace(*change)).content_sha256 != plain


def test_a_page_without_anything_is_empty() -> None:
    for body in (b"", b"   ", b"<!-- nothing -->", b"<html></html>", b"<script>only()</script>"):
        page = read(body)
        assert (page.blocks, page.sentences, page.links, page.title) == ((), (), (), "")
        assert len(page.content_sha256) == 64


def test_the_first_visible_h1_of_the_content_is_taken() -> None:
    page = read(
        "<div class=top><h1>Site</h1></div><main><h1 hidden>No</h1><h1> Real <em>one</em> ¶</h1><p>Text</p></main>"
    )
    assert page.h1 == "Real one"
