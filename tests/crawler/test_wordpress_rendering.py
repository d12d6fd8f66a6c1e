"""Raw content as WordPress renders it. The real thing is compared in tests/wordpress; these name what it does."""

import pytest

from crawler.extraction.types import BlockKind
from crawler.sources.post_content import post_content
from crawler.sources.wordpress_rendering import render_content, render_title

URL = "https://blog.example/post/"


def blocks_of(raw: str) -> list[tuple[BlockKind, str]]:
    content = post_content("A title", render_content(raw), URL)
    return [(block.kind, block.text) for block in content.blocks if block.text != "A title"]


def test_empty_lines_part_paragraphs_and_blocks_stay_what_they_are() -> None:
    raw = "One\nmore\n\nTwo\n<ul>\n<li>Item</li>\n</ul>\n<h2>Head</h2>\nThree"
    paragraph = BlockKind.PARAGRAPH
    assert [text for _, text in blocks_of(raw)] == ["One more", "Two", "Item", "Head", "Three"]
    assert [kind for kind, _ in blocks_of(raw)] == [
        paragraph, paragraph, BlockKind.LIST_ITEM, BlockKind.HEADING, paragraph,
    ]  # fmt: skip


def test_comments_of_blocks_go_and_nothing_is_wrapped_twice() -> None:
    raw = '<!-- wp:paragraph {"dropCap":true} -->\n<p>One</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:x /-->\n<p>Two</p>'
    assert blocks_of(raw) == [(BlockKind.PARAGRAPH, "One"), (BlockKind.PARAGRAPH, "Two")]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ('It\'s "so" -- or not...', "It’s “so” — or not…"),
        ("a --- b, c--d", "a — b, c–d"),
        ("the '90s, 'tis", "the ’90s, ’tis"),
        ("AT&T", "AT&#038;T"),
        ("3x4", "3×4"),
        ("<code>\"x\" -- y</code> 'z'", '<code>"x" -- y</code> ‘z’'),
        ("<a title=\"it's\">it's</a>", '<a title="it\'s">it’s</a>'),
    ],
)
def test_typed_marks_become_those_of_print(typed: str, shown: str) -> None:
    assert render_title(typed) == shown


def test_media_go_and_captions_stay() -> None:
    raw = '[caption width="300"]<img src="/a.jpg" /> The hull[/caption]\n\n[gallery ids="1,2"]\n\nText'
    assert [text for _, text in blocks_of(raw)] == ["The hull", "Text"]


def test_code_is_left_as_it_is() -> None:
    raw = 'Before\n\n<pre>a  "b" -- c\n\nd</pre>\n\nAfter'
    kinds = {text: kind for kind, text in blocks_of(raw)}
    assert kinds['a "b" -- c d'] is BlockKind.CODE


def test_marks_in_a_title_are_not_its_text() -> None:
    content = post_content("Fish &#038; <em>chips</em>", "<p>Text of it.</p>", URL, "en", is_noindex=True)
    assert (content.title, content.h1, content.is_noindex) == ("Fish & chips", "Fish & chips", True)
    assert content.language == "en"
