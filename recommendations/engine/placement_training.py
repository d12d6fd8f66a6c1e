"""Which sentences editors chose for the site's own links, and the placement weights learned from these choices.

Leaves the signals to `placement`, the hiding of links to `training`, the fitting to `near_shipped`.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recommendations.engine.measuring import MeasuredPage
from recommendations.engine.near_shipped import LabelledList, fit_near_shipped
from recommendations.engine.placement import SHIPPED_WEIGHTS, PlacementWeights, sentence_features
from recommendations.engine.site_model import SiteModel
from recommendations.engine.training import LinkPlaces

#: Hidden links that serve as examples: enough for a dozen weights, and a second of work.
MOST_LINKS = 400
#: Ridge strengths tried: the editor's sentence follows from much the same signals on every site.
_STRENGTHS = (60.0, 200.0)


class PlacedLinks:
    """Collects, for hidden links of each page of the sample, its linkable sentences and which of them held the link."""

    def __init__(self, places: LinkPlaces, n_pages: int) -> None:
        """n_pages: of the sample, with hidden links; each gives its share of MOST_LINKS, rounded up."""
        self.lists: list[LabelledList] = []
        self._places = places
        self._per_page = -(-MOST_LINKS // max(1, n_pages))

    def add(self, model: SiteModel, measured: MeasuredPage, hidden: frozenset[int]) -> None:
        """Measure the page's sentences for its hidden targets that were found. The page's links to them are free."""
        page, features = measured.read, measured.features
        columns = np.flatnonzero(np.isin(features.candidates, sorted(hidden)))
        if not len(columns) or page.is_linkable.sum() < 2:
            return
        if len(columns) > self._per_page:
            # The same links every time, though not those of the lowest addresses.
            columns = np.sort(np.random.default_rng(page.page).permutation(columns)[: self._per_page])
        chosen = [self._holds_link(measured, int(features.candidates[column])) for column in columns]
        usable = [index for index, own in enumerate(chosen) if own.any() and not own.all()]
        if usable:
            x = sentence_features(model, page, measured.source.vectors, features, columns[usable])
            self.lists += [LabelledList(page.page, x[:, number], chosen[index]) for number, index in enumerate(usable)]

    def _holds_link(self, measured: MeasuredPage, target: int) -> NDArray[np.bool_]:
        """(n_linkable sentences,) whether a link to the target stands in each."""
        spans = self._places.spans_of(measured.read.page, target)
        holds = [
            any(
                read.block.ordinal == block
                and read.sentence.start <= start
                and end <= read.sentence.start + len(read.sentence.text)
                for block, start, end in spans
            )
            for read in measured.read.sentences
        ]
        return np.array(holds, dtype=bool)[measured.read.is_linkable]


def train_placement(lists: Sequence[LabelledList]) -> PlacementWeights:
    """The shipped weights, or the site's own where these find the sentences of other pages' links better."""
    return PlacementWeights.from_fit(fit_near_shipped(lists, SHIPPED_WEIGHTS.weights, _STRENGTHS))
