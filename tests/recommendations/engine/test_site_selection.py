"""One anchor text, one target, and no more new links to one page than the site wants."""

import random
from collections import Counter, defaultdict

import pytest

from recommendations.engine.site_selection import ProposedLink, SiteLimits, links_to_withdraw


def test_the_stronger_target_keeps_the_words_whatever_their_case() -> None:
    links = [
        ProposedLink(1, 10, "tool library", 0.4),
        ProposedLink(2, 10, "Tool  library", 0.4),
        ProposedLink(3, 20, "tool library", 0.7),
        ProposedLink(4, 20, "tool chest", 0.2),
    ]
    assert links_to_withdraw(links) == {3}


def test_equal_targets_are_told_apart_the_same_way_every_time() -> None:
    links = [ProposedLink(1, 30, "oil", 0.5), ProposedLink(2, 20, "oil", 0.5)]
    assert links_to_withdraw(links) == links_to_withdraw(reversed(links)) == {1}


def test_words_that_the_site_already_uses_for_a_page_stay_with_it() -> None:
    links = [ProposedLink(1, 10, "pricing", 0.9), ProposedLink(2, 20, "pricing", 0.3)]
    assert links_to_withdraw(links) == {2}
    assert links_to_withdraw(links, SiteLimits(known_anchors=[("Pricing", 20, "")])) == {1}
    assert links_to_withdraw(links, SiteLimits(known_anchors=[("price list", 20, "")])) == {2}


def test_words_that_lead_to_a_page_without_proposals_lead_nowhere_else() -> None:
    links = [ProposedLink(1, 10, "pricing", 0.9), ProposedLink(2, 10, "price list", 0.9)]
    assert links_to_withdraw(links, SiteLimits(known_anchors=[("pricing", 99, "")])) == {1}


def test_words_that_are_ambiguous_already_go_to_the_page_that_more_links_mean() -> None:
    known = [("mercury", 10, ""), ("mercury", 20, ""), ("mercury", 20, "")]
    links = [ProposedLink(1, 10, "mercury", 0.8), ProposedLink(2, 20, "mercury", 0.2)]
    assert links_to_withdraw(links, SiteLimits(known_anchors=known)) == {1}


def test_a_name_that_languages_share_leads_to_a_page_of_each() -> None:
    links = [
        ProposedLink(1, 10, "Kubernetes", 0.5, "en"),
        ProposedLink(2, 20, "Kubernetes", 0.9, "de"),
        ProposedLink(3, 21, "kubernetes", 0.4, "de"),
    ]
    assert links_to_withdraw(links) == {3}
    assert links_to_withdraw(links, SiteLimits(known_anchors=[("Kubernetes", 21, "de")])) == {2}
    assert links_to_withdraw(links, SiteLimits(known_anchors=[("Kubernetes", 30, "fr")])) == {3}


def test_a_page_gets_its_best_links_up_to_the_limit() -> None:
    links = [ProposedLink(number, 10, f"words {number}", number / 10) for number in range(1, 8)]
    links.append(ProposedLink(8, 20, "other words", 0.05))
    assert links_to_withdraw(links, SiteLimits(links_per_target=3)) == {1, 2, 3, 4}
    assert links_to_withdraw(links, SiteLimits(links_per_target=0)) == set()


def test_a_hub_may_get_as_many_new_links_as_it_has() -> None:
    links = [ProposedLink(number, 10 + number // 10, f"words {number}", 0.5) for number in range(20)]
    assert links_to_withdraw(links, SiteLimits(links_per_target=3, inlinks={10: 8, 11: 1})) == {8, 9, *range(13, 20)}


def test_what_lost_its_words_takes_no_place_of_the_limit() -> None:
    links = [
        ProposedLink(1, 10, "brakes", 0.9),
        ProposedLink(2, 10, "brake pads", 0.5),
        ProposedLink(3, 20, "brakes", 0.95),
    ]
    assert links_to_withdraw(links, SiteLimits(links_per_target=1)) == {1}


def test_a_favoured_page_gets_words_that_it_nearly_had() -> None:
    links = [ProposedLink(1, 10, "lamps", 0.6), ProposedLink(2, 20, "lamps", 0.55)]
    assert links_to_withdraw(links) == {2}
    assert links_to_withdraw(links, SiteLimits(bonuses={20: 0.1})) == {1}


def test_no_links_no_withdrawals() -> None:
    assert links_to_withdraw([], SiteLimits(links_per_target=1, known_anchors=[("a", 1, "")])) == set()


def plainly(links: list[ProposedLink], cap: int, known: list[tuple[str, int, str]]) -> set[int]:
    """The same rules without arrays."""
    strength: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for link in links:
        strength[link.anchor_text][link.target] += link.score  # type: ignore[assignment]
    for text, target, _ in known:
        strength[text][target] += 1
    owner = {text: min(found, key=lambda target: (-found[target], target)) for text, found in strength.items()}
    given: Counter[int] = Counter()
    gone = set()
    for link in sorted(links, key=lambda link: (-link.score, link.number)):
        if owner[link.anchor_text] != link.target or given[link.target] >= cap:
            gone.add(link.number)
        else:
            given[link.target] += 1
    return gone


@pytest.mark.parametrize("seed", range(20))
def test_arrays_agree_with_the_plain_rules_in_any_order(seed: int) -> None:
    dice = random.Random(seed)
    # Scores are multiples of 1/64, whose sums are exact.
    links = [
        ProposedLink(number, dice.randrange(12), f"words {dice.randrange(15)}", dice.randrange(1, 64) / 64)
        for number in range(150)
    ]
    known = [(f"words {dice.randrange(15)}", dice.randrange(15), "") for _ in range(10)]
    expected = plainly(links, 4, known)
    assert 0 < len(expected) < len(links)
    for _ in range(3):
        dice.shuffle(links)
        assert links_to_withdraw(links, SiteLimits(links_per_target=4, known_anchors=known)) == expected
