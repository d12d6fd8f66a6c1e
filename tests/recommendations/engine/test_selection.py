"""The limits of one page: per paragraph, per 1,000 words, never side by side, each target and each anchor once."""

import re
from itertools import pairwise

import pytest

from recommendations.engine.ranking import DEFAULT_THRESHOLD, LEAST_FITNESS, least_fitness_at
from recommendations.engine.selection import LINKS_ON_SHORT_PAGES, Choice, keep_best, links_allowed
from recommendations.engine.types import EngineOptions, LinkCandidate
from tests.recommendations.engine.small_site import page, recommend

THINGS = ["winter lamps", "cargo racks", "folding pedals", "steel bells", "rear mirrors", "child seats", "frame pumps"]


def shop(body: str) -> dict[str, str]:
    site = {"/": page("Start", body)}
    for thing in THINGS:
        site[f"/{thing.replace(' ', '-')}"] = page(thing.title(), f"<p>All about {thing}, and how to fit {thing}.</p>")
    return site


APART = "".join(f"<p>Some of our riders swear by {thing} of ours.</p>" for thing in THINGS)
TOGETHER = "<p>" + " ".join(f"Some of our riders swear by {thing} of ours." for thing in THINGS) + "</p>"


def anchors(links: list[LinkCandidate]) -> list[str]:
    return [link.anchor.text for link in links]


def test_every_target_gets_its_link_once() -> None:
    links = recommend(shop(APART + APART), "/")
    assert sorted(anchors(links)) == sorted(THINGS)
    assert len({link.target for link in links}) == len(links)


@pytest.mark.parametrize("cap", [1, 2, 4])
def test_a_paragraph_gets_no_more_than_its_share(cap: int) -> None:
    assert len(recommend(shop(TOGETHER), "/", links_per_paragraph=cap)) == cap


def test_a_page_gets_no_more_than_its_share() -> None:
    assert len(recommend(shop(APART), "/", top=4)) == 4


def test_two_links_never_stand_side_by_side() -> None:
    body = "<p>Our winter lamps, cargo racks and folding pedals.</p>"
    links = recommend(shop(body), "/", links_per_paragraph=9)
    text = "Our winter lamps, cargo racks and folding pedals."
    spans = sorted(
        (text.index(link.anchor.text), text.index(link.anchor.text) + len(link.anchor.text)) for link in links
    )
    assert len(spans) > 1
    assert all(re.search(r"\w", text[end:start]) for (_, end), (start, _) in pairwise(spans))


@pytest.mark.parametrize(
    ("n_words", "allowed"), [(0, LINKS_ON_SHORT_PAGES), (100, LINKS_ON_SHORT_PAGES), (249, 4), (500, 10), (9000, 10)]
)
def test_links_follow_the_length_of_the_page(n_words: int, allowed: int) -> None:
    assert links_allowed(n_words, EngineOptions(top=10, threshold=0.3, links_per_1000_words=20)) == allowed


def test_few_links_per_page_are_few_on_short_pages_too() -> None:
    assert links_allowed(100, EngineOptions(top=1, threshold=0.3, links_per_1000_words=20)) == 1


def test_length_does_not_matter_without_a_threshold_or_limit() -> None:
    assert links_allowed(100, EngineOptions(top=10, threshold=0.0, links_per_1000_words=20)) == 10
    assert links_allowed(100, EngineOptions(top=10, threshold=0.3, links_per_1000_words=0)) == 10


def test_a_short_page_gets_its_best_links_alone() -> None:
    everything = recommend(shop(APART), "/", threshold=1e-6)
    short = recommend(shop(APART), "/", threshold=1e-6, links_per_1000_words=20)
    assert len(everything) == len(THINGS)
    assert anchors(short) == anchors(everything)[:LINKS_ON_SHORT_PAGES]


def test_a_bonus_says_who_goes_first_and_never_who_is_good_enough() -> None:
    sure, close, poor = (Choice(number, 0, (), 0) for number in range(3))
    scored = [(0.6, 0.0, sure), (0.5, 0.15, close), (0.29, 0.2, poor)]
    assert keep_best(scored, 0, EngineOptions(threshold=0.3)) == [(0.5, close), (0.6, sure)]


def test_a_threshold_below_the_default_lets_looser_words_in() -> None:
    assert least_fitness_at(0.0) == 0.0
    assert 0.0 < least_fitness_at(DEFAULT_THRESHOLD / 2) < LEAST_FITNESS
    assert least_fitness_at(DEFAULT_THRESHOLD) == least_fitness_at(1.0) == LEAST_FITNESS
