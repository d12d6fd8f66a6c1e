"""Words that must never be an anchor text, in English; other scripts are in test_anchor_scripts.

One site with a page for each name and a page for each sentence about it. `never` are texts that may not be offered for
any target, `wanted` the one that is offered for the name's page, so that silence proves nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from recommendations.engine.stop_words import GENERIC_ANCHORS
from recommendations.engine.words import fold, split_words
from tests.bad_suggestions.pages import filler, goods, page
from tests.bad_suggestions.whole_run import Outcome

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Case:
    name: str  # of the target page
    html: str  # on the page that must not link with the words in `never`
    never: tuple[str, ...]
    wanted: str


CASES: dict[str, Case] = {
    "part of a word": Case(
        "Art", "<p>The party was smart.</p><p>Then he came to love art in Peru.</p>", ("ty", "sm", "par"), "art"
    ),
    "part of a hyphenated word": Case(
        "Copper", "<p>A copper-plated pan and a non-copper one.</p><p>He mined copper.</p>", ("plated", "non"), "copper"
    ),
    "an apostrophe's half": Case(
        "Neill",
        "<p>Old O'Neill and O’Neill’s barn.</p><p>The river Neill is near.</p>",
        ("O", "s barn", "Neill’s"),
        "river Neill",
    ),
    "a contraction's half": Case(
        "Ain",
        "<p>It ain't so, it ain’t.</p><p>The upper Ain flows on.</p>",
        ("ain", "t so", "ain't", "ain’t"),
        "upper Ain flows",
    ),
    "before a combining mark": Case(
        "Resume",
        "<p>Send a re\u0301sume\u0301 of the trip.</p><p>Then resume the journey.</p>",
        ("re", "resume\u0301"),
        "resume",
    ),
    "an inflected form is whole or not at all": Case("Kettle", "<p>Many kettles sang.</p>", ("kettle",), "kettles"),
    "stop words at an edge": Case(
        "Willow basket",
        "<p>She thought of the willow basket of the aunt.</p>",
        ("the willow basket", "willow basket of", "of the willow basket", "willow basket of the"),
        "willow basket",
    ),
    "punctuation at an edge": Case(
        "Brass lantern",
        "<p>He took (the “brass lantern”), then left.</p>",
        ("“brass lantern”", "brass lantern”", "(the “brass lantern", "“brass lantern"),
        "brass lantern",
    ),
    "only stop words": Case(
        "About us", "<p>Enough about us, what is it about?</p><p>A form.</p>", ("about us", "about", "us"), ""
    ),
    "click here": Case(
        "Click here for wool",
        "<p>For wool, click here.</p><p>Learn more or read more.</p><p>She spins wool.</p>",
        ("click here", "here", "read more", "learn more", "more"),
        "wool",
    ),
    "across a tag": Case(
        "Oak ladder",
        "<p>An <b>old oak</b> ladder fell.</p><p>The oak ladder stood.</p>",
        ("oak ladder fell",),
        "oak ladder",
    ),
    "across a line break": Case(
        "Tin whistle",
        "<p>Bring tin<br>whistle at noon.</p><p>A tin whistle sang.</p>",
        ("tin whistle at",),
        "tin whistle",
    ),
    "across list items": Case(
        "Stone mortar",
        "<ul><li>A bag of stone</li><li>Mortar and sand</li></ul>",
        ("stone Mortar", "stone mortar"),
        "Mortar",
    ),
    "across table cells": Case(
        "Glass funnel",
        "<table><tr><td>a pane of glass</td><td>funnel of tin</td></tr></table>",
        ("glass funnel",),
        "funnel",
    ),
    "across sentences": Case(
        "Iron trivet", "<p>They smelt iron. Trivet makers wait.</p>", ("iron. Trivet", "iron Trivet"), "Trivet makers"
    ),
    "across a comma": Case(
        "Clay oven", "<p>Of clay, oven bricks are made.</p>", ("clay, oven", "clay oven"), "oven bricks"
    ),
    "across a dash": Case(
        "Felt slipper",
        "<p>It was felt – slipper makers knew.</p>",
        ("felt – slipper", "felt slipper"),
        "slipper makers",
    ),
    "an abbreviation in pieces": Case(
        "U.S. mail",
        "<p>Send it by U.S. mail, e.g. on a dry day.</p>",
        ("S. mail", "U", "U.S", "g", "e.g", "S"),
        "U.S. mail",
    ),
    "an initial in pieces": Case(
        "J. R. Pewter",
        "<p>Long ago J. R. Pewter made mugs, i.e. cups.</p>",
        ("R. Pewter made", "i", "e. cups", "i.e"),
        "Pewter",
    ),
    "a no-break space": Case(
        "Walnut cradle", "<p>One walnut&nbsp;cradle rocked.</p>", ("walnut cradle",), "walnut\xa0cradle"
    ),
    "a soft hyphen": Case(
        "Canvas tent",
        "<p>One can&shy;vas tent stood.</p>",
        ("can", "vas", "vas tent", "canvas tent"),
        "can\xadvas tent",
    ),
    "a curly apostrophe": Case(
        "Miller's loaf", "<p>One miller’s loaf rose.</p>", ("miller's loaf", "miller", "s loaf"), "miller’s loaf"
    ),
    "an entity": Case(
        "Salt & vinegar", "<p>Some salt &amp; vinegar helped.</p>", ("salt &amp; vinegar", "amp"), "vinegar"
    ),
    "an entity that was escaped twice": Case(
        "Cedar chest", "<p>Bolts &amp;amp; a cedar chest lay.</p>", ("amp", "amp; a cedar chest"), "cedar chest"
    ),
    "white space in the source": Case(
        "Ivory comb", "<p>One\n   ivory\n\t comb\n lay.</p>", ("ivory\n\t comb",), "ivory comb"
    ),
    "a first name": Case("Silver thimble", "<p>Then Anna lost a silver thimble.</p>", ("Anna",), "silver thimble"),
    "a country": Case("Leather bellows", "<p>From Norway came leather bellows.</p>", ("Norway",), "leather bellows"),
    "a number": Case(
        "Marble basin",
        "<p>For 1250 or 12,50 or 3.14 she got a marble basin.</p>",
        ("1250", "12,50", "3.14", "12", "14"),
        "marble basin",
    ),
    "a date": Case(
        "Birch broom",
        "<p>On Monday, 3 May 2024 and 2024-05-04 a birch broom broke.</p>",
        ("Monday", "May", "3 May 2024", "May 2024", "2024", "2024-05-04", "3 May"),
        "birch broom",
    ),
    "words beside a link": Case(
        "Velvet curtain",
        "<p>A <a href='https://elsewhere.example/'>dusty</a> velvet curtain.</p><p>It is for sale.</p>",
        ("velvet curtain", "velvet"),
        "curtain",
    ),
}


@pytest.fixture(scope="module")
def outcome(whole_run: Callable[..., Outcome]) -> Outcome:
    site = {"/": page("Words", filler("words"))}
    for at, case in enumerate(CASES.values()):
        told = f"<p>{case.name}: what it is, where it comes from and how long {goods(at)} last beside it.</p>"
        site[f"/name-{at}"] = page(case.name, told + filler(f"{case.name} and {goods(at)}", 2))
        site[f"/told-{at}"] = page(f"Diary of {goods(at)}", case.html + filler(f"the {goods(at)}", 2))
    return whole_run(site)


@pytest.mark.parametrize("what", CASES)
def test_these_words_are_no_anchor(outcome: Outcome, what: str) -> None:
    at, case = list(CASES).index(what), CASES[what]
    offered = [text for item in outcome.on(f"/told-{at}") for text in item.texts]
    assert not set(case.never) & set(offered)
    assert not case.wanted or case.wanted in outcome.anchors(f"/told-{at}", f"/name-{at}"), offered


def test_every_anchor_stands_verbatim_and_whole_in_one_sentence(outcome: Outcome) -> None:
    for item in outcome.suggestions:
        text = outcome.pages[item.source].texts[item.block]
        assert text[item.start : item.end] == item.anchor
        for other in item.texts:
            assert other in item.sentence
        before, after = text[: item.start][-1:], text[item.end :][:1]
        assert not before.isalnum(), item
        assert not after.isalnum(), item


def test_no_anchor_begins_or_ends_with_a_stop_word_or_a_sign_or_says_nothing(outcome: Outcome) -> None:
    assert len(outcome.suggestions) > len(CASES)
    for item in outcome.suggestions:
        for text in item.texts:
            words = split_words(text, "en")
            assert not words[0].is_stop, text
            assert not words[-1].is_stop, text
            assert text[0].isalnum(), text
            assert text[-1].isalnum() or text[-1] in "+#." or text[-1] in "\u0301", text
            assert fold(text) not in GENERIC_ANCHORS
            assert any(character.isalpha() for character in text), text
