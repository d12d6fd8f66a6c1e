"""What is learned from a site before its pages are ranked: ranker, calibration, editors' preferences.

Reads a sample of the site's pages once. Leaves each kind of learning to the module that is named after it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from recommendations.engine.calibration import Calibration, fit_calibration, shipped_calibration
from recommendations.engine.features import SourceFeatures
from recommendations.engine.measuring import NearestPages, measure_pages
from recommendations.engine.preferences import DecidedLink, Preferences, fit_preferences, no_preferences
from recommendations.engine.ranker import RankerWeights, shipped_ranker, train_ranker
from recommendations.engine.site_model import SiteModel
from recommendations.engine.training import LinkPlaces, ReadSources, make_examples, sample_pages
from recommendations.engine.types import SiteLinks, SourcePage

_SEED = 20_240_607


@dataclass(frozen=True, slots=True)
class Learned:
    """Everything that scores a candidate."""

    ranker: RankerWeights = field(default_factory=shipped_ranker)
    calibration: Calibration = field(default_factory=shipped_calibration)
    preferences: Preferences = field(default_factory=no_preferences)


def learn_site(
    model: SiteModel,
    links: SiteLinks,
    nearest: NearestPages,
    pages: Sequence[int],
    read_sources: ReadSources,
    decided: Sequence[DecidedLink] = (),
) -> Learned:
    """Learn from the site's own editorial links and its editors' decisions; where they are few, what is shipped stays.

    pages: positions of the pages that get recommendations. The same site gives the same result every time.
    """

    def features_of(source: SourcePage, freed: frozenset[int]) -> SourceFeatures:
        return measure_pages(model, nearest, [source], [freed])[0].features

    sample = sample_pages(pages, links, _SEED)
    wanted = sorted({item.page for item in sample})
    places = LinkPlaces(links, {*wanted, *(link.source for link in decided)})
    examples = list(make_examples(sample, read_sources(wanted), places, features_of))
    ranker = train_ranker(examples)
    calibration = fit_calibration(examples, ranker)
    preferences = fit_preferences(model, nearest, ranker, calibration, places, read_sources, decided)
    return Learned(ranker, calibration, preferences)
