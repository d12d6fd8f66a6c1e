"""The sentences that editors chose for a site's own links: found again as examples, and followed where they teach."""

from dataclasses import replace

import numpy as np
import pytest

from recommendations.engine.measuring import measure_pages
from recommendations.engine.model_card import model_card
from recommendations.engine.near_shipped import LabelledList
from recommendations.engine.placement import SENTENCE_FEATURES, SHIPPED_WEIGHTS, PlacementWeights
from recommendations.engine.placement_training import MOST_LINKS, PlacedLinks, train_placement
from recommendations.engine.training import LinkPlaces, own_targets
from tests.recommendations.engine.small_site import ReadSite, read_site
from tests.recommendations.engine.workshop_site import workshop_site


@pytest.fixture(scope="module")
def site() -> ReadSite:
    return read_site(workshop_site())


def _placed(site: ReadSite) -> list[LabelledList]:
    places, targets = LinkPlaces(site.links), own_targets(site.links)
    placed = PlacedLinks(places, len(targets))
    for source in site.sources:
        hidden = frozenset(targets.get(source.page, ()))
        (measured,) = measure_pages(site.model, site.nearest, [places.freed(source, hidden)], [hidden])
        placed.add(site.model, measured, hidden)
    return placed.lists


def test_the_sentence_that_held_the_link_is_the_chosen_one(site: ReadSite) -> None:
    source, places = site.sources[0], LinkPlaces(site.links)
    target = min(own_targets(site.links)[0])
    hidden = frozenset({target})
    (measured,) = measure_pages(site.model, site.nearest, [places.freed(source, hidden)], [hidden])
    placed = PlacedLinks(places, 1)
    placed.add(site.model, measured, hidden)
    (example,) = placed.lists
    free = [read.sentence.text for read in measured.read.sentences if read.is_linkable]
    name = site.model.pages.titles[target].lower()
    assert len(free) == len(example.x) > 3
    assert [name in text for text in free] == example.is_chosen.tolist()


def test_every_page_gives_its_share_of_the_examples(site: ReadSite) -> None:
    lists = _placed(site)
    assert 100 < len(lists) <= MOST_LINKS + len(site.sources)
    assert len({item.page for item in lists}) > 50
    few = PlacedLinks(LinkPlaces(site.links), MOST_LINKS)
    targets = frozenset(own_targets(site.links)[0])
    freed = LinkPlaces(site.links).freed(site.sources[0], targets)
    few.add(site.model, measure_pages(site.model, site.nearest, [freed], [targets])[0], targets)
    assert len(few.lists) == 1


def _found(weights: PlacementWeights, lists: list[LabelledList]) -> float:
    return float(np.mean([item.is_chosen[np.argmax(item.x @ weights.weights)] for item in lists]))


def test_an_editor_with_a_habit_is_followed(site: ReadSite) -> None:
    """A habit that no shipped weight knows: the sentence least like the whole page."""
    lists = []
    for item in _placed(site):
        is_chosen = np.zeros(len(item.x), dtype=bool)
        is_chosen[np.argmin(item.x[:, SENTENCE_FEATURES.index("source_cosine")])] = True
        lists.append(replace(item, is_chosen=is_chosen))
    seen = [item for item in lists if item.page < 40]
    unseen = [item for item in lists if item.page >= 40]
    learned = train_placement(seen)
    assert learned.is_site_trained
    assert learned.losses[1] < learned.losses[0]
    assert _found(learned, unseen) > _found(SHIPPED_WEIGHTS, unseen) + 0.2


def test_sentences_drawn_by_lot_teach_nothing(site: ReadSite) -> None:
    random, lists = np.random.default_rng(3), _placed(site)
    noise = [replace(item, is_chosen=random.permutation(item.is_chosen)) for item in lists]
    learned = train_placement(noise)
    assert _found(learned, lists) >= _found(SHIPPED_WEIGHTS, lists) - 0.02


def test_few_links_leave_the_shipped_weights(site: ReadSite) -> None:
    learned = train_placement(_placed(site)[:5])
    assert not learned.is_site_trained
    assert np.array_equal(learned.weights, SHIPPED_WEIGHTS.weights)


def test_the_model_card_tells_where_the_placement_comes_from(site: ReadSite) -> None:
    learned = site.learn()
    card = model_card(learned)["placement"]
    assert card["origin"] == ("site" if learned.placement.is_site_trained else "shipped")
    assert card["links_learned_from"] == learned.placement.lists > 0
    assert list(card["weights"]) == list(SENTENCE_FEATURES)
