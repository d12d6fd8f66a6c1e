"""Every complaint has its test: the list of complaints in our own words, and where each is tested.

A complaint without a test fails here, and so does a test that is named and does not exist, or one of this folder that
covers nothing.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

_TESTS = Path(__file__).resolve().parent.parent
_HERE = "bad_suggestions/"
_PLACE = (
    "test_places.py::test_no_link_stands_there",
    "test_places.py::test_the_same_words_are_suggested_in_running_text",
)
_WORDS = ("test_anchors.py::test_these_words_are_no_anchor", "test_anchor_scripts.py::test_words_that_are_no_anchor")
_EDGES = (
    "test_anchors.py::test_no_anchor_begins_or_ends_with_a_stop_word_or_a_sign_or_says_nothing",
    "test_anchor_scripts.py::test_anchors_are_whole_words_verbatim_with_no_stop_word_at_an_edge",
)
_TARGET = ("test_targets.py::test_the_page_is_no_target",)
_LINKED = ("test_targets.py::test_a_page_that_is_linked_already_under_any_spelling",)
_LIMIT = ("test_limits.py::test_no_more_than_allowed_on_a_page_and_in_a_paragraph",)
_NO_TEXT = ("test_pages.py::test_no_running_text",)

#: (complaint, tests that cover it, the case among a test's parameters, if one is meant)
LINES: dict[str, list[tuple[str, tuple[str, ...], tuple[str, ...]]]] = {
    "target": [
        ("the page itself", ("test_targets.py::test_the_page_itself",), ()),
        ("linked already: slash", _LINKED, ("a trailing slash more",)),
        (
            "linked already: case",
            (*_LINKED, "crawler/test_url_normalization.py::test_spellings"),
            ("scheme in capitals",),
        ),
        ("linked already: www", ("crawler/test_start_hosts.py::test_www_and_bare_name_are_one_site",), ()),
        ("linked already: fragment", _LINKED, ("a fragment",)),
        ("linked already: tracking", _LINKED, ("tracking parameters", "a session")),
        ("linked already: redirect", _LINKED, ("a redirect", "two redirects")),
        (
            "linked already: index.html",
            (*_LINKED, "test_targets.py::test_one_page_under_two_spellings_is_one_target"),
            ("index.html", ".html"),
        ),
        ("redirects", _TARGET, ("a redirect",)),
        ("missing pages", _TARGET, ("404", "410", "soft 404 by its title", "soft 404 by its text")),
        ("not for search engines", _TARGET, ("noindex", "noindex by header")),
        ("canonical elsewhere", _TARGET, ("canonical elsewhere",)),
        ("barred by robots.txt", _TARGET, ("blocked by robots.txt",)),
        ("drafts", _TARGET, ("a draft by its title", "a draft by its address")),
        ("behind a password", _TARGET, ("behind a password", "a form for a password")),
        ("no HTML", _TARGET, ("a PDF", "a picture", "plain text", "data")),
        (
            "another language",
            (*_TARGET, "test_anchor_scripts.py::test_no_language_leads_to_another"),
            ("another language",),
        ),
        ("a translation", ("test_targets.py::test_the_same_page_in_another_language",), ()),
        ("a near-duplicate", ("test_targets.py::test_a_near_duplicate",), ()),
        (
            "listings and archives",
            _TARGET,
            ("a listing", "a tag page", "a category", "an archive by date", "an author's page"),
        ),
        ("search, login, cart", _TARGET, ("search results", "a search form", "a login page", "a cart", "a checkout")),
        (
            "menus are no editorial links",
            ("test_targets.py::test_a_sidebar_that_links_to_every_page_makes_no_page_linked",),
            (),
        ),
    ],
    "place": [
        ("links and headings", _PLACE, ("a", "h1", "h2", "h6", "heading in a cell")),
        ("code blocks", _PLACE, ("pre", "code block", "highlighted code")),
        ("script and style", _PLACE, ("script", "style", "template")),
        ("buttons and labels", _PLACE, ("button", "label", "option")),
        ("captions and table heads", _PLACE, ("figcaption", "caption", "th", "dt")),
        ("attributes", _PLACE, ("title attribute", "alt", "attribute with >")),
        ("navigation, contents", _PLACE, ("nav", "menu", "table of contents", "named table of contents")),
        ("references, footnotes", _PLACE, ("references", "footnotes", "footnotes without a name")),
        (
            "tweets and quotations",
            _PLACE,
            ("tweet", "tweet without a class", "quotation with its source", "quotation in a line"),
        ),
        (
            "cards, related posts",
            _PLACE,
            (
                "card",
                "cards without a name",
                "teasers without headings",
                "related posts",
                "related posts under a heading",
            ),
        ),
        ("author, cookies, comments", _PLACE, ("author box", "cookie banner", "cookie dialog", "comment")),
        (
            "inline code, unless the site links it",
            (
                *_PLACE,
                "recommendations/engine/test_place_and_anchor.py::test_inline_code_is_left_alone_unless_the_site_links_it",
            ),
            ("inline code", "kbd", "samp"),
        ),
        ("hidden text", _PLACE, ("hidden", "aria-hidden", "display:none", "display:none by style sheet")),
        ("a list of links", _PLACE, ("list of links",)),
        (
            "shortcodes, block comments, entities",
            _PLACE,
            (
                "shortcode",
                "shortcode around text",
                "block comment",
                "Markdown that was left",
                "an address",
                "escaped block comment",
                "escaped markup",
            ),
        ),
        (
            "too many on a page, in a paragraph, per 1,000 words",
            (*_LIMIT, "test_limits.py::test_no_more_than_the_length_of_the_page_bears"),
            (),
        ),
        ("side by side; one target twice", ("test_limits.py::test_no_two_links_side_by_side_and_no_target_twice",), ()),
    ],
    "anchor": [
        (
            "part of a word",
            (
                *_WORDS,
                "test_anchors.py::test_every_anchor_stands_verbatim_and_whole_in_one_sentence",
                "test_anchor_scripts.py::test_no_anchor_is_a_part_of_a_word",
            ),
            ("part of a word", "an inflected form is whole or not at all"),
        ),
        (
            "combining marks, apostrophes, hyphens",
            _WORDS,
            ("before a combining mark", "an apostrophe's half", "a contraction's half", "part of a hyphenated word"),
        ),
        ("stop words and signs at an edge", (*_WORDS, *_EDGES), ("stop words at an edge", "punctuation at an edge")),
        ("nothing said", _WORDS, ("only stop words", "click here")),
        (
            "across tags, items, cells, sentences",
            _WORDS,
            (
                "across a tag",
                "across a line break",
                "across list items",
                "across table cells",
                "across sentences",
                "across a comma",
                "across a dash",
            ),
        ),
        ("abbreviations", _WORDS, ("an abbreviation in pieces", "an initial in pieces")),
        (
            "verbatim",
            _WORDS,
            (
                "a no-break space",
                "a soft hyphen",
                "a curly apostrophe",
                "an entity",
                "an entity that was escaped twice",
                "white space in the source",
            ),
        ),
        ("one anchor text, two targets", ("test_limits.py::test_words_lead_to_one_page_of_the_site_alone",), ()),
        (
            "homonyms",
            (
                "test_homonyms.py::test_the_word_is_proposed_where_it_means_the_page",
                "test_homonyms.py::test_the_word_is_not_proposed_where_it_means_another_thing",
            ),
            ("Vault", "Elastic", "Timeout"),
        ),
        ("names, countries, numbers, dates", _WORDS, ("a first name", "a country", "a number", "a date")),
        ("beside a link", _WORDS, ("words beside a link",)),
        ("scripts, directions, cases, inflection", _WORDS, ("ar", "he", "hi", "zh", "ja", "ko", "th", "tr", "de")),
    ],
    "page": [
        ("template text", ("test_pages.py::test_text_of_many_pages_is_the_sites_template",), ()),
        ("quizzes", _NO_TEXT, ("options of a quiz", "radio buttons", "radio buttons without labels", "boxes to tick")),
        ("captions", _NO_TEXT, ("a caption", "a caption of old")),
        ("messages", _NO_TEXT, ("an error message", "an alert", "a dialog")),
        ("output and fields", _NO_TEXT, ("output of a program", "samp", "a field to fill in", "a text area")),
        (
            "changed since it was read",
            (
                "test_numbers.py::test_a_page_of_its_own_is_read_as_it_stands_now",
                "recommendations/test_decision_reconciling.py::test_the_sentence_is_gone_and_comes_back",
                "recommendations/test_places.py::test_place_moves_with_its_sentence",
            ),
            (),
        ),
    ],
    "numbers": [
        (
            "orphans in menus said apart",
            ("test_numbers.py::test_orphans_are_counted_by_links_in_text_and_those_in_menus_are_told_apart",),
            (),
        ),
        (
            "no orphan that is linked",
            ("test_numbers.py::test_a_page_that_is_linked_from_text_is_no_orphan_whatever_menus_do",),
            (),
        ),
        ("done and not saved", ("test_numbers.py::test_no_more_is_called_done_than_was_saved",), ()),
        ("half a sitemap", ("test_numbers.py::test_a_sitemap_of_half_the_site_takes_no_page_away",), ()),
        ("a crawl that fails", ("test_numbers.py::test_a_crawl_that_fails_takes_no_page_away_and_404_does",), ()),
    ],
}


@cache
def _tests_and_strings(file: str) -> tuple[frozenset[str], frozenset[str]]:
    """Names of a file's tests, and every string in it."""
    tree = ast.parse((_TESTS / file).read_text("utf-8"))
    names = {
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return frozenset(names), frozenset(strings)


def _place_of(test: str) -> tuple[str, str]:
    file, _, name = test.partition("::")
    return (file if "/" in file else _HERE + file), name


EVERY = [(section, *line) for section, lines in LINES.items() for line in lines]


@pytest.mark.parametrize(
    ("section", "complaint", "tests", "cases"), EVERY, ids=[f"{row[0]}: {row[1]}" for row in EVERY]
)
def test_the_complaint_has_its_test(
    section: str, complaint: str, tests: tuple[str, ...], cases: tuple[str, ...]
) -> None:
    assert tests, f"Nothing tests the complaint {complaint!r} about a {section}: write a test and name it here."
    places = [_place_of(test) for test in tests]
    missing = [f"{file}::{name}" for file, name in places if name not in _tests_and_strings(file)[0]]
    assert not missing
    known = frozenset().union(*(_tests_and_strings(file)[1] for file, _ in places))
    assert not [case for case in cases if case not in known]


def test_no_test_here_covers_nothing() -> None:
    named = {_place_of(test) for _, _, tests, _ in EVERY for test in tests}
    files = {f"{_HERE}{path.name}" for path in Path(__file__).parent.glob("test_*.py")} - {
        f"{_HERE}{Path(__file__).name}"
    }
    unnamed = {(file, name) for file in files for name in _tests_and_strings(file)[0]} - named
    assert not unnamed
