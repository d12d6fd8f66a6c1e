"""What editors' decisions say beyond the site's links: which targets, sections and signals they like and dislike.

A logistic regression on accepted and rejected links, on top of the calibrated probability, near zero where decisions
are few. Leaves what was decided, and what each reason says about a target, to the caller.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from recommendations.engine.calibration import Calibration
from recommendations.engine.features import FEATURES, SourceFeatures
from recommendations.engine.measuring import MeasuredPage, NearestPages, measure_pages
from recommendations.engine.ranker import RankerWeights
from recommendations.engine.ridge import fit_logistic
from recommendations.engine.site_model import SiteModel
from recommendations.engine.training import LinkPlaces, ReadSources
from recommendations.engine.types import FloatArray, IntArray

#: Decisions below which nothing is learned.
LEAST_DECISIONS = 10
#: The newest decisions count; older ones beyond these are left out.
MOST_DECISIONS = 2_000
#: Ridge strengths: a signal's weight, a section's, a single page's; a page needs more evidence than a section.
_SIGNAL, _SECTION, _PAGE = 4.0, 1.0, 2.0
#: No preference moves the log odds by more.
_LARGEST = 3.0


@dataclass(frozen=True, slots=True)
class DecidedLink:
    """A decision about a pair of pages (positions). worth: 0 to 1, less where the reason says little of the target."""

    source: int
    target: int
    is_accepted: bool
    worth: float = 1.0


@dataclass(frozen=True, slots=True)
class Preferences:
    """signals: (len(FEATURES),) per standardized signal. pages: per target position. sections: per (depth, folder)."""

    signals: FloatArray = field(default_factory=lambda: np.zeros(len(FEATURES), dtype=np.float32))
    pages: dict[int, float] = field(default_factory=dict)
    sections: dict[tuple[int, ...], float] = field(default_factory=dict)
    decisions: int = 0

    def offsets(self, model: SiteModel, candidates: IntArray, z: FloatArray) -> FloatArray:
        """(n,) what to add to each candidate's log odds."""
        if not self.decisions:
            return np.zeros(len(candidates), dtype=np.float32)
        offsets = z @ self.signals
        for index, candidate in enumerate(candidates.tolist()):
            offsets[index] += self.pages.get(candidate, 0.0)
            offsets[index] += sum(self.sections.get(section, 0.0) for section in sections_of(model, candidate))
        return np.clip(offsets, -_LARGEST, _LARGEST).astype(np.float32)


def no_preferences() -> Preferences:
    """What a site without decisions has."""
    return Preferences()


def sections_of(model: SiteModel, page: int) -> list[tuple[int, ...]]:
    """The folders of the page's address from the outermost in, each with those above it."""
    folders = [int(folder) for folder in model.folders[page] if folder >= 0]
    return [tuple(folders[: depth + 1]) for depth in range(len(folders))]


def fit_preferences(
    model: SiteModel,
    nearest: NearestPages,
    ranker: RankerWeights,
    calibration: Calibration,
    places: LinkPlaces,
    read_sources: ReadSources,
    decided: Sequence[DecidedLink],
) -> Preferences:
    """Learn from decided links (newest first); nothing where they are few or all alike."""
    decided = [link for link in decided if link.worth > 0][:MOST_DECISIONS]
    if len(decided) < LEAST_DECISIONS or len({link.is_accepted for link in decided}) < 2:
        return no_preferences()
    by_source: defaultdict[int, list[DecidedLink]] = defaultdict(list)
    for link in decided:
        by_source[link.source].append(link)
    rows: list[tuple[DecidedLink, FloatArray, float]] = []
    for source in read_sources(sorted(by_source)):
        # A link that was accepted and made since must look as it did when it was decided: as plain text.
        freed = frozenset(link.target for link in by_source[source.page])
        page = measure_pages(model, nearest, [places.freed(source, freed)], [freed], are_refused_kept=True)[0]
        rows += _rows_of(page, by_source[source.page], ranker, calibration)
    return _fit(model, rows) if len(rows) >= LEAST_DECISIONS else no_preferences()


def _rows_of(
    page: MeasuredPage, links: Sequence[DecidedLink], ranker: RankerWeights, calibration: Calibration
) -> list[tuple[DecidedLink, FloatArray, float]]:
    """(decision, its signals, log odds of the calibrated probability) of those that are candidates still."""
    features: SourceFeatures = page.features
    place = {int(candidate): index for index, candidate in enumerate(features.candidates)}
    odds = calibration.probabilities(ranker.scores(features.z), features.raw, page.links_left, page.n_sentences).astype(
        np.float64
    )
    odds = np.log(odds) - np.log1p(-odds)
    return [
        (link, features.z[place[link.target]], float(odds[place[link.target]]))
        for link in links
        if link.target in place
    ]


def _fit(model: SiteModel, rows: Sequence[tuple[DecidedLink, FloatArray, float]]) -> Preferences:
    pages = sorted({link.target for link, _, _ in rows})
    sections = sorted({section for page in pages for section in sections_of(model, page)})
    column = {page: len(FEATURES) + 2 + index for index, page in enumerate(pages)}
    section_column = {section: len(FEATURES) + 2 + len(pages) + index for index, section in enumerate(sections)}
    x = np.zeros((len(rows), len(FEATURES) + 2 + len(pages) + len(sections)))
    for number, (link, z, odds) in enumerate(rows):
        x[number, : len(FEATURES)] = z
        x[number, len(FEATURES) : len(FEATURES) + 2] = 1.0, odds
        x[number, column[link.target]] = 1.0
        for section in sections_of(model, link.target):
            x[number, section_column[section]] = 1.0
    strengths = np.concatenate(
        [
            np.full(len(FEATURES), _SIGNAL),
            [0.01, _SIGNAL],
            np.full(len(pages), _PAGE),
            np.full(len(sections), _SECTION),
        ]
    )
    accepted = np.array([float(link.is_accepted) for link, _, _ in rows])
    worth = np.array([link.worth for link, _, _ in rows])
    weights = fit_logistic(x, accepted, worth, np.zeros(x.shape[1]), strengths)
    return Preferences(
        signals=weights[: len(FEATURES)].astype(np.float32),
        pages={page: float(weights[index]) for page, index in column.items()},
        sections={section: float(weights[index]) for section, index in section_column.items()},
        decisions=len(rows),
    )
