"""The whole of extract_page on small pages of our own."""

from crawler.extraction import extract_page
from crawler.extraction.types import BlockKind, PageContent

URL = "https://example.org/guide/tea"


def read(html: str | bytes, **headers: str) -> PageContent:
    body = html if isinstance(html, bytes) else html.encode()
    return extract_page(body, URL, {name.replace("_", "-"): value for name, value in headers.items()})


def test_a_small_page_says_everything() -> None:
    page = read(
        """<!DOCTYPE html><html lang="en-GB"><head><title>Tea | Shop</title><meta name="description" content="All about tea">
        <link rel="canonical" href="/guide/tea?utm_source=x"></head><body><nav><a href="/">Home</a></nav>
        <main><h1>Tea</h1><p>Green tea is steamed. It tastes of <a href="../grass">fresh <b>gr</b>ass</a>.</p>
        <ul><li>First<ul><li>Nested one</li></ul></li></ul><pre>brew --now</pre></main></body></html>"""
    )
    assert (page.title, page.h1, page.description, page.language) == ("Tea | Shop", "Tea", "All about tea", "en")
    assert page.canonical_url == URL
    assert [(block.kind, block.text) for block in page.blocks] == [
        (BlockKind.HEADING, "Tea"),
        (BlockKind.PARAGRAPH, "Green tea is steamed. It tastes of fresh grass."),
        (BlockKind.LIST_ITEM, "First"),
        (BlockKind.LIST_ITEM, "Nested one"),
        (BlockKind.CODE, "brew --now"),
    ]
    assert [sentence.text for sentence in page.sentences[1:3]] == ["Green tea is steamed.", "It tastes of fresh grass."]
    editorial, menu = page.links
    assert (editorial.url, editorial.anchor_text, editorial.is_editorial) == (
        "https://example.org/grass",
        "fresh grass",
        True,
    )
    assert editorial.block_ordinal == 1
    assert page.blocks[1].text[editorial.start : editorial.end] == "fresh grass"
    assert (menu.url, menu.is_editorial, menu.block_ordinal) == ("https://example.org/", False, None)
