"""Examples from the site's own links: some of a page's links are treated as plain text, and must be found again.

What is measured of an example is what is measured of a page that lacks the link: its anchor is free text, its own
anchor is left out of the known ones, and the page's other links stay. Leaves learning to `ranker` and `calibration`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from crawler.extraction.types import Block
from recommendations.engine.features import SourceFeatures
from recommendations.engine.types import FloatArray, IntArray, SiteLinks, SourcePage

#: Reads the text of these pages (positions), in any order; pages without text are left out.
ReadSources = Callable[[Sequence[int]], Iterable[SourcePage]]
#: Share of a page's links that are treated as plain text.
HIDDEN_SHARE = 0.5
#: Pages with links, and pages without, that serve as examples: enough for a dozen weights, and seconds of work.
LINKED_PAGES, UNLINKED_PAGES = 320, 80
#: A small site's pages serve several times, each time with other links hidden.
_WANTED_LISTS = 120
_MOST_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class HiddenLinks:
    """A page of the sample: which of its targets are hidden this time, and how many pages of the site it stands for."""

    page: int
    targets: frozenset[int]
    links_left: int
    worth: float


@dataclass(frozen=True, slots=True)
class Example:
    """One page with hidden links. raw, z: (n, n_features) of its candidates; is_link: (n,) those that were hidden."""

    page: int
    candidates: IntArray
    raw: FloatArray
    z: FloatArray
    is_link: NDArray[np.bool_]
    links_left: int
    n_sentences: int
    worth: float


def own_targets(links: SiteLinks) -> dict[int, set[int]]:
    """Targets of each page's editorial links, itself left out."""
    targets: defaultdict[int, set[int]] = defaultdict(set)
    for source, target, is_editorial in zip(links.sources, links.targets, links.is_editorial, strict=True):
        if is_editorial and source != target:
            targets[int(source)].add(int(target))
    return dict(targets)


def sample_pages(pages: Sequence[int], links: SiteLinks, seed: int) -> list[HiddenLinks]:
    """Which pages serve as examples and which of their links are hidden; the same every time for one seed.

    pages: positions of the pages that get recommendations. Each page of the sample stands for its share of the pages
    with links, or of those without, whatever the number of rounds.
    """
    random = np.random.default_rng(seed)
    targets = own_targets(links)
    linked = [page for page in pages if page in targets]
    bare = [page for page in pages if page not in targets]
    sample: list[HiddenLinks] = []
    if not linked:
        return sample
    chosen = random.permutation(linked)[:LINKED_PAGES]
    rounds = int(np.clip(np.ceil(_WANTED_LISTS / len(chosen)), 1, _MOST_ROUNDS))
    for page in np.tile(chosen, rounds):
        own = sorted(targets[int(page)])
        hidden = frozenset(target for target in own if random.random() < HIDDEN_SHARE)
        worth = len(linked) / (len(chosen) * rounds)
        sample.append(HiddenLinks(int(page), hidden, len(own) - len(hidden), worth))
    others = random.permutation(bare)[:UNLINKED_PAGES]
    sample += [HiddenLinks(int(page), frozenset(), 0, len(bare) / len(others)) for page in others]
    return sample


class LinkPlaces:
    """Where the links of some pages stand. pages: their positions; a large site's other links would fill the memory."""

    def __init__(self, links: SiteLinks, pages: Collection[int]) -> None:
        self._by_page: defaultdict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
        if links.places is None:
            return
        is_asked = np.isin(links.sources, np.array(sorted(pages), dtype=np.int64)) & (links.places[:, 0] >= 0)
        for link in np.flatnonzero(is_asked):
            block, start, end = links.places[link].tolist()
            self._by_page[int(links.sources[link])].append((int(links.targets[link]), block, start, end))

    def freed(self, source: SourcePage, targets: frozenset[int]) -> SourcePage:
        """The page as if its links to these targets were plain text."""
        spans: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
        for target, block, start, end in self._by_page.get(source.page, ()):
            if target in targets:
                spans[block].add((start, end))
        return replace(source, blocks={ordinal: _freed(block, spans) for ordinal, block in source.blocks.items()})


def _freed(block: Block, spans: dict[int, set[tuple[int, int]]]) -> Block:
    if block.ordinal not in spans:
        return block
    kept = tuple(span for span in block.link_spans if span not in spans[block.ordinal])
    return replace(block, link_spans=kept)


def make_examples(
    sample: Sequence[HiddenLinks],
    sources: Iterable[SourcePage],
    places: LinkPlaces,
    features_of: Callable[[SourcePage, frozenset[int]], SourceFeatures],
) -> Iterator[Example]:
    """Measure every page of the sample. features_of(page, targets that count as not linked) -> its candidates."""
    wanted: defaultdict[int, list[HiddenLinks]] = defaultdict(list)
    for item in sample:
        wanted[item.page].append(item)
    for source in sources:
        for item in wanted[source.page]:
            features = features_of(places.freed(source, item.targets), item.targets)
            is_link = np.isin(features.candidates, sorted(item.targets))
            yield Example(
                page=source.page,
                candidates=features.candidates,
                raw=features.raw,
                z=features.z,
                is_link=is_link,
                links_left=item.links_left,
                n_sentences=len(source.sentences),
                worth=item.worth,
            )
