"""Names that a page's own style sheet hides, read in time that grows with the sheet and not with its square."""

import base64
import random
import time

import pytest

from crawler.extraction.hidden_styles import HiddenNames, find_hidden_names


def hidden(css: str) -> HiddenNames:
    return find_hidden_names(f"<style>{css}</style>")


def test_plain_rules_hide_and_later_ones_show_again() -> None:
    found = hidden(
        ".note, p.aside, #tip { display: none } /* .no{} */ .aside { display: block } .été{visibility:hidden}"
    )
    assert found == HiddenNames(frozenset({"note", "été"}), frozenset({"tip"}))


@pytest.mark.parametrize(
    "css",
    [
        "@media print { .note { display: none } }",
        "@supports (display: grid) { @media print { .note { display: none } } }",
        "@media print { a { color: red } b { color: red } .note { display: none } i { color: red } }",
        "@keyframes fade { from { display: none } to { display: block } }",
        ".card { .note { display: none } }",
        ".card .note { display: none }",
        ".note { display: none",
        "} .note { color: red } .aside::after { content: '.note{display:none}' }",
    ],
)
def test_what_holds_only_at_times_or_only_inside_hides_nothing(css: str) -> None:
    assert hidden(css + " .foot { content: '}' ; display: none }").classes <= {"foot"}


def test_a_rule_after_imports_comments_and_braces_in_strings_counts() -> None:
    css = """@import url("a.css"); @font-face { src: url('x}y') } .a::before { content: "{" } /* } */
    @media print { .b { color: red } } .note { display: none }"""
    assert hidden(css).classes == {"note"}


def _font(length: int) -> str:
    letters = base64.b64encode(random.Random(1).randbytes(length)).decode()
    return "@font-face{src:url(data:font/woff2;base64," + letters


HOSTILE = {
    "letters before a rule": "x" * 250_000 + "{display:none",
    "font that the limit cuts": ".note{display:none}" + _font(290_000),
    "open braces": ".note{display:none}" * 2 + "{" * 250_000,
    "at signs": ".note{display:none}" + "@a{b{c}" * 40_000,
    "open comments": ".note{display:none}" + "/*" * 120_000,
    "escaped quotes": ".note{display:none}" + '"\\"' * 80_000,
    "letters beyond ASCII": ".note{display:none}." + "é" * 60 + "!{display:none}",
    "open style elements": "</style>" + "<style>" * 200_000,
    "white space": ".note{display:none}" + (";" + " " * 400) * 700,
}


@pytest.mark.parametrize("css", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_sheet_takes_long(css: str) -> None:
    started = time.process_time()
    hidden(css)
    assert time.process_time() - started < 1.0


def test_rules_before_an_inlined_font_count_though_the_sheet_is_cut() -> None:
    assert hidden(HOSTILE["font that the limit cuts"]).classes == {"note"}
