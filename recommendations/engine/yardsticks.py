"""What cosines are measured by: the site's pages at large, language by language.

Every model has its own scale, so that a cosine says something only beside those of other pages. Which pages these are
is settled with the word weights and stays with them: else one edited page would move every judgement on the site a
little. Leaves measuring to `rivals` and `placement`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from recommendations.engine.types import FloatArray, SitePages

#: More pages tell no more about a mean and a spread.
MOST_PAGES = 2_000


@dataclass(frozen=True, slots=True)
class Yardstick:
    """vectors: (n, dim) page vectors; urls: their pages."""

    vectors: FloatArray
    urls: list[str]


@dataclass(frozen=True, slots=True)
class Yardsticks:
    """By language."""

    dimension: int
    by_language: Mapping[str, Yardstick] = field(default_factory=dict)

    def of(self, language: str, url: str) -> FloatArray:
        """(n, dim) page vectors of the language, that of the page at `url` left out; none where it had no pages."""
        found = self.by_language.get(language)
        if found is None:
            return np.zeros((0, self.dimension), dtype=np.float32)
        others = [row for row, own in enumerate(found.urls) if own != url]
        return found.vectors[others]

    def mean_of(self, language: str, url: str) -> FloatArray:
        """(dim,) their mean."""
        found = self.of(language, url)
        mean: FloatArray = found.mean(axis=0) if len(found) else np.zeros(self.dimension, dtype=np.float32)
        return mean


def make_yardsticks(pages: SitePages) -> Yardsticks:
    """Pages that may be targets, spread evenly over a large site."""
    languages = np.array(pages.languages)
    chosen: dict[str, Yardstick] = {}
    for language in sorted(set(pages.languages)):
        own = np.flatnonzero(pages.is_target & (languages == language))
        if len(own) > MOST_PAGES:
            own = own[np.linspace(0, len(own) - 1, MOST_PAGES).astype(np.int64)]
        chosen[language] = Yardstick(pages.page_vectors[own], [pages.urls[int(page)] for page in own])
    return Yardsticks(pages.page_vectors.shape[1], chosen)
