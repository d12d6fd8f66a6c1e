"""What is learned from a site's own links: examples that hide nothing but their link, and weights that do no harm."""

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from crawler.extraction.types import Block, BlockKind
from recommendations.engine.measuring import measure_pages
from recommendations.engine.ranker import RankerWeights, shipped_ranker, train_ranker
from recommendations.engine.training import Example, LinkPlaces, make_examples, own_targets, sample_pages
from recommendations.engine.types import SiteLinks, SourcePage
from tests.recommendations.engine.small_site import ReadSite, read_site
from tests.recommendations.engine.workshop_site import workshop_site


@pytest.fixture(scope="module")
def site() -> ReadSite:
    return read_site(workshop_site())


def _examples(site: ReadSite) -> list[Example]:
    sample = sample_pages(range(len(site.sources)), site.links, seed=1)
    return list(
        make_examples(
            sample,
            site.sources,
            LinkPlaces(site.links, range(len(site.sources))),
            lambda source, freed: measure_pages(site.model, site.nearest, [source], [freed])[0].features,
        )
    )


def test_a_hidden_link_is_plain_text_and_the_others_stay(site: ReadSite) -> None:
    source = site.sources[0]
    targets = sorted(own_targets(site.links)[0])
    hidden = frozenset(targets[:1])
    freed = LinkPlaces(site.links, [0]).freed(source, hidden)
    before = sum(len(block.link_spans) for block in source.blocks.values())
    after = sum(len(block.link_spans) for block in freed.blocks.values())
    assert len(targets) > 1
    assert after == before - 1
    (measured,) = measure_pages(site.model, site.nearest, [freed], [hidden])
    assert hidden <= set(measured.features.candidates.tolist())
    assert not set(targets[1:]) & set(measured.features.candidates.tolist())
    assert measured.links_left == len(targets) - 1


def test_only_the_pages_asked_for_are_remembered() -> None:
    """A site of 100,000 pages has millions of links; a few hundred pages are examples."""
    n_links = 200_000
    sources = np.arange(n_links) // 10
    zeros = np.zeros(n_links, dtype=np.int64)
    marks = zeros.astype(bool)
    places = np.column_stack([zeros, np.arange(n_links) % 10, np.arange(n_links) % 10 + 1])
    links = SiteLinks(sources, zeros, ("",) * n_links, marks, marks, places)
    tracemalloc.start()
    kept = LinkPlaces(links, [3, 5])
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert used < 100_000
    block = Block(0, BlockKind.PARAGRAPH, "one two three", link_spans=((0, 1), (4, 7)))
    asked, other = (SourcePage(page, (), np.zeros((0, 2), dtype=np.float32), {0: block}) for page in (3, 4))
    assert kept.freed(asked, frozenset({0})).blocks[0].link_spans == ((4, 7),)
    assert kept.freed(other, frozenset({0})).blocks[0].link_spans == block.link_spans


def test_a_links_own_anchor_is_no_known_anchor_of_its_example() -> None:
    """Where only one page uses the words as a link, the example must not see that they are one."""
    html = workshop_site(12, linked_share=0.0)
    paths = list(html)
    html[paths[0]] = html[paths[0]].replace(
        "</main>", f'<p>Everyone asks the old mechanic about <a href="{paths[1]}">bespoke winter magic</a>.</p></main>'
    )
    read = read_site(html)
    hidden = frozenset({1})
    freed = LinkPlaces(read.links, [0]).freed(read.sources[0], hidden)
    (measured,) = measure_pages(read.model, read.nearest, [freed], [hidden])
    column = measured.features.candidates.tolist().index(1)
    assert measured.features.anchors[:, column].max() == 0.0
    # The same words on a page that does not link are a known anchor.
    html[paths[2]] = html[paths[2]].replace("</main>", "<p>People love bespoke winter magic.</p></main>")
    other = read_site(html)
    (elsewhere,) = measure_pages(other.model, other.nearest, [other.sources[2]])
    assert elsewhere.features.anchors[:, elsewhere.features.candidates.tolist().index(1)].max() > 0.0


def test_the_same_site_teaches_the_same_every_time(site: ReadSite) -> None:
    first, second = site.learn(), site.learn()
    assert np.array_equal(first.ranker.weights, second.ranker.weights)
    assert np.array_equal(first.calibration.weights, second.calibration.weights)


def test_a_site_without_links_keeps_what_is_shipped() -> None:
    learned = read_site(workshop_site(12, linked_share=0.0)).learn()
    assert not learned.ranker.is_site_trained
    assert learned.calibration.links == 0
    assert np.array_equal(learned.ranker.weights, shipped_ranker().weights)


def _found(weights: RankerWeights, examples: Sequence[Example]) -> float:
    """recall@10 of the hidden links."""
    hits = [example.is_link[np.argsort(-weights.scores(example.z))[:10]].sum() for example in examples]
    return float(sum(hits) / sum(example.is_link.sum() for example in examples))


@pytest.mark.parametrize("n_pages", [4, 10, 20, 30])
def test_more_links_never_make_the_ranking_worse_than_the_shipped_weights(site: ReadSite, n_pages: int) -> None:
    examples = _examples(site)
    learned = train_ranker([example for example in examples if example.page < n_pages])
    unseen = [example for example in examples if example.page >= 30 and example.is_link.any()]
    assert np.isfinite(learned.losses).all()
    assert learned.losses[1] <= learned.losses[0]
    assert _found(learned, unseen) >= _found(shipped_ranker(), unseen) - 0.01


def test_links_that_follow_no_rule_are_not_followed(site: ReadSite) -> None:
    """Links drawn by lot: whatever is learned from them must not lose the links that follow a rule."""
    random = np.random.default_rng(5)
    examples = _examples(site)
    noise = []
    for example in examples:
        is_link = np.zeros(len(example.candidates), dtype=bool)
        is_link[random.integers(len(is_link))] = True
        noise.append(replace(example, is_link=is_link))
    real = [example for example in examples if example.is_link.any()]
    assert _found(train_ranker(noise), real) >= 0.9 * _found(shipped_ranker(), real)


def test_a_site_with_a_rule_of_its_own_is_learned_from(site: ReadSite) -> None:
    """An editor who links by shared path alone: the learned weights find these links, the shipped ones less."""
    examples = []
    for example in _examples(site):
        is_link = np.zeros(len(example.candidates), dtype=bool)
        is_link[np.argsort(-example.z[:, 0])[-3:]] = True  # the least similar pages
        examples.append(replace(example, is_link=is_link))
    learned = train_ranker(examples)
    assert learned.is_site_trained
    assert _found(learned, examples) > 2 * _found(shipped_ranker(), examples)


def test_probabilities_match_what_is_observed_on_pages_that_lack_links() -> None:
    """The names that are no links are the site's missing ones, 30 % as assumed: as many are predicted as there are."""
    html = workshop_site(linked_share=0.7)
    site = read_site(html)
    learned, paths = site.learn(), list(html)
    predicted, observed = [], []
    for source in site.sources:
        text = html[paths[source.page]].lower()
        for link in site.recommender(learned).recommend([source])[0]:
            name = paths[link.target].rsplit("/", 1)[1].replace("-", " ")
            predicted.append(link.score)
            observed.append(f"the {name} on rainy" in text)
    assert all(0.0 <= score <= 1.0 for score in predicted)
    bands = np.array_split(np.argsort(predicted), 5)
    shares = [float(np.mean(np.array(observed)[band])) for band in bands]
    assert shares[-1] > shares[0] + 0.3
    assert abs(np.mean(predicted) - np.mean(observed)) < 0.08
