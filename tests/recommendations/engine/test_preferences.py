"""A simulated editor with a hidden preference: after fifty decisions the undecided suggestions follow it."""

from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pytest

from recommendations.engine.learning import Learned
from recommendations.engine.preferences import LEAST_DECISIONS, DecidedLink
from recommendations.engine.types import LinkCandidate
from tests.recommendations.engine.small_site import ReadSite, read_site
from tests.recommendations.engine.workshop_site import workshop_site

Likes = Callable[[ReadSite, LinkCandidate], bool]


@pytest.fixture(scope="module")
def site() -> ReadSite:
    return read_site(workshop_site())


def _suggestions(site: ReadSite, learned: Learned) -> list[LinkCandidate]:
    return [link for links in site.recommender(learned).recommend(site.sources) for link in links]


def _likes_guides(site: ReadSite, link: LinkCandidate) -> bool:
    return "/guides/" in site.model.pages.urls[link.target]


def _likes_near_pages(site: ReadSite, link: LinkCandidate) -> bool:
    """Only targets that are about the same as the page: nothing that its address tells."""
    vectors = site.model.pages.page_vectors
    return float(vectors[link.source] @ vectors[link.target]) > float(np.median(vectors @ vectors.T))


def _dislikes_some_pages(site: ReadSite, link: LinkCandidate) -> bool:
    return link.target % 6 != 3


def _first_liked(site: ReadSite, links: list[LinkCandidate], likes: Likes) -> float:
    """Share of liked ones among the first three suggestions of each page."""
    by_page: defaultdict[int, list[LinkCandidate]] = defaultdict(list)
    for link in links:
        by_page[link.source].append(link)
    return float(np.mean([likes(site, link) for own in by_page.values() for link in own[:3]]))


@pytest.mark.parametrize("likes", [_likes_guides, _likes_near_pages, _dislikes_some_pages])
def test_undecided_suggestions_follow_fifty_decisions(site: ReadSite, likes: Likes) -> None:
    before = _suggestions(site, site.learn())
    shown = np.random.default_rng(3).permutation(len(before))[:50]
    decided = [DecidedLink(before[at].source, before[at].target, likes(site, before[at])) for at in shown]
    pairs = {(link.source, link.target) for link in decided}
    undecided = [link for link in before if (link.source, link.target) not in pairs]
    after = [link for link in _suggestions(site, site.learn(decided)) if (link.source, link.target) not in pairs]
    old, new = _first_liked(site, undecided, likes), _first_liked(site, after, likes)
    assert old < 0.95, "there is something to learn"
    assert new >= old + 0.2 * (1 - old), f"{old:.3f} -> {new:.3f}"


def test_few_decisions_or_all_alike_change_nothing(site: ReadSite) -> None:
    few = [DecidedLink(0, target, target % 2 == 0) for target in range(1, LEAST_DECISIONS - 1)]
    alike = [DecidedLink(source, (source + 7) % 60, True) for source in range(40)]
    for decided in (few, alike):
        assert site.learn(decided).preferences.decisions == 0


def test_decisions_that_blame_words_or_places_teach_nothing_about_targets(site: ReadSite) -> None:
    decided = [DecidedLink(source, (source + 7) % 60, source % 2 == 0, worth=0.0) for source in range(40)]
    assert site.learn(decided).preferences.decisions == 0
