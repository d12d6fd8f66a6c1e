"""Text that a content system replaces carries no link."""

import pytest

from crawler.extraction.types import Block, BlockKind
from recommendations.linkable_text import occurrences_of


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("kettle [gallery name=kettle] kettle", [0, 29]),
        ('[caption id="a1" width=300]A kettle[/caption] A kettle.', [48]),
        ("[quote]kettle[quote]kettle[/quote] kettle", [35]),
        ("a [b] kettle [/c] kettle", [6, 18]),
        ("{{ kettle }} kettle {{kettle|upper}}", [13]),
        ("{% include kettle %} kettle", [21]),
        ("a {kettle} is no template tag, nor {{ kettle", [3, 38]),
        ("see [1] kettle [2]", [8]),
        ("&kettle; kettle &#8212; kettle", [9, 24]),
        ('<!-- wp:heading {"a":"kettle"} --> kettle', [35]),
        ('<img alt="a kettle" src="x"> kettle', [29]),
        ("if <b> then kettle", [12]),
        ('{"name": "kettle"} kettle', [19]),
        ("![kettle](k.png) [kettle](/k) [[kettle]] kettle", [41]),
        ("https://kettle.example/kettle kettle, kettle@kettle.example", [30]),
        ("a kettle (see www.kettle.example)", [2]),
    ],
)
def test_shortcodes_and_template_tags(text: str, places: list[int]) -> None:
    assert list(occurrences_of(Block(0, BlockKind.PARAGRAPH, text), "kettle", False)) == places


def test_many_brackets_take_no_long() -> None:
    text = (
        "[a" * 20_000
        + "{{" * 20_000
        + "{%" * 20_000
        + "[b]" * 5_000
        + "&a" * 20_000
        + "<a b=" * 20_000
        + "k" * 20_000
        + "@"
    )
    assert list(occurrences_of(Block(0, BlockKind.PARAGRAPH, text), "kettle", False)) == []
