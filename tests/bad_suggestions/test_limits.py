"""How many links an editor is shown: on a page, in a paragraph, for the page's length, beside each other, to a page.

Leaves the rules one by one to the engine's own tests; here the whole product keeps them together.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from tests.bad_suggestions.pages import filler, goods, page, target_page
from tests.bad_suggestions.whole_run import Outcome

pytestmark = pytest.mark.django_db

_NAMES = (
    "copper kettle", "willow basket", "brass lantern", "oak ladder", "tin whistle", "stone mortar", "glass funnel",
    "iron trivet", "clay oven", "felt slipper", "pewter mug", "walnut cradle",
)  # fmt: skip
#: Above no suggestion worth a look, below nothing: limits of the whole site hold only where there is a threshold.
_TINY = 0.0001


def path_of(name: str) -> str:
    return "/" + name.replace(" ", "-")


def _site() -> dict[str, str]:
    site = {"/": page("House", filler("the house"))}
    for name in _NAMES:
        site[path_of(name)] = target_page(name)
    every = " ".join(_NAMES)  # without anything between: each would stand side by side with the next
    site["/all"] = page("Everything", f"<p>They own {every}.</p>")
    paragraphs = "".join(f"<p>A {name} among {goods(at)}, and a {name} again.</p>" for at, name in enumerate(_NAMES))
    site["/each"] = page("Each by itself", paragraphs)
    site["/planet"] = page("Mercury", f"<p>Mercury is a planet near the sun.</p>{filler('the planet')}")
    site["/metal"] = page("Mercury", f"<p>Mercury is a metal that flows.</p>{filler('the metal')}")
    site["/sky"] = page("Sky at night", "<p>Before dawn the planet Mercury shone near the sun.</p>")
    site["/bench"] = page("Old thermometers", "<p>A drop of the liquid metal mercury rolled along the bench.</p>")
    return site


@pytest.fixture(scope="module", autouse=True)
def any_words() -> Iterator[None]:
    """Limits hold for whatever is proposed: many words here, named in a row, say too little to be proposed alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("recommendations.engine.ranking.LEAST_FITNESS", 0.0)
        yield


@pytest.fixture(scope="module")
def shown(whole_run: Callable[..., Outcome]) -> Outcome:
    return whole_run(_site(), threshold=_TINY, max_links_per_paragraph=3)


@pytest.fixture(scope="module")
def narrow(whole_run: Callable[..., Outcome]) -> Outcome:
    return whole_run(_site(), max_links_per_page=4, max_links_per_paragraph=1)


def test_no_more_than_allowed_on_a_page_and_in_a_paragraph(shown: Outcome, narrow: Outcome) -> None:
    for outcome, per_page, per_paragraph in ((shown, 10, 3), (narrow, 4, 1)):
        pages = Counter(item.source for item in outcome.suggestions)
        paragraphs = Counter((item.source, item.block) for item in outcome.suggestions)
        assert max(pages.values()) <= per_page
        assert max(paragraphs.values()) == per_paragraph
    assert max(Counter(item.source for item in narrow.suggestions).values()) == 4


def test_no_more_than_the_length_of_the_page_bears(whole_run: Callable[..., Outcome], shown: Outcome) -> None:
    dense = whole_run(_site(), threshold=_TINY, max_links_per_paragraph=3, max_new_links_per_1000_words=0)
    words = sum(len(text.split()) for text in shown.pages["/each"].texts)
    assert len(shown.on("/each")) <= max(3, words * 20 / 1000)
    assert len(dense.on("/each")) > len(shown.on("/each"))


def test_no_two_links_side_by_side_and_no_target_twice(shown: Outcome, narrow: Outcome) -> None:
    assert len(shown.on("/all")) > 1
    for outcome in (shown, narrow):
        assert max(Counter((item.source, item.target) for item in outcome.suggestions).values()) == 1
        for source in outcome.pages:
            places = sorted((item.block, item.start, item.end) for item in outcome.on(source))
            for (block, _, end), (other, start, _) in pairwise(places):
                between = outcome.pages[source].texts[block][end:start]
                assert block != other or any(character.isalnum() for character in between), (source, between)


def test_words_lead_to_one_page_of_the_site_alone(shown: Outcome, narrow: Outcome) -> None:
    targets: dict[str, set[str]] = {}
    for item in shown.suggestions:
        targets.setdefault(item.anchor.casefold(), set()).add(item.target)
    assert targets
    assert all(len(found) == 1 for found in targets.values()), targets
    # Without a threshold nothing is taken back: there both pages are found for the word.
    found = {(item.source, item.target) for item in narrow.suggestions if "mercury" in item.anchor.casefold()}
    assert found & {("/sky", "/planet"), ("/bench", "/metal")}
