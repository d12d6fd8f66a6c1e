"""What a site's own links show of its editors' habits, where no setting decides: code, and links per paragraph."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from recommendations.engine.types import EngineOptions, SiteLinks

#: Where this share of a site's editorial links stand in inline code, new ones may stand there too.
_CODE_SHARE = 0.1
#: Links that a habit must show itself in.
_LEAST_LINKS = 10
#: Of paragraphs with links, all but the densest twentieth have no more links than the habit says.
_USUAL_SHARE = 0.95
#: Two links are usual anywhere; more than six are a list, whatever a site does.
LEAST_PER_PARAGRAPH, MOST_PER_PARAGRAPH = 2, 6


def is_code_linkable(links: SiteLinks, options: EngineOptions) -> bool:
    """Whether new links may stand in inline code: as the setting says, else as the site's own links do."""
    if options.is_inline_code_linkable is not None:
        return options.is_inline_code_linkable
    editorial: NDArray[np.bool_] = links.is_in_code[links.is_editorial]
    return bool(len(editorial) >= _LEAST_LINKS and editorial.mean() >= _CODE_SHARE)


def links_per_paragraph(links: SiteLinks, options: EngineOptions) -> int:
    """How many new links a paragraph may get: as the setting says, else as many as the site's paragraphs usually have.

    A wiki links four words of a paragraph where a blog links one.
    """
    if options.links_per_paragraph is not None:
        return options.links_per_paragraph
    if links.places is None:
        return LEAST_PER_PARAGRAPH
    counts = Counter(
        (int(source), int(place[0]))
        for source, place, is_editorial in zip(links.sources, links.places, links.is_editorial, strict=True)
        if is_editorial and place[0] >= 0
    )
    if counts.total() < _LEAST_LINKS:
        return LEAST_PER_PARAGRAPH
    usual = int(np.ceil(np.quantile(list(counts.values()), _USUAL_SHARE)))
    return max(LEAST_PER_PARAGRAPH, min(MOST_PER_PARAGRAPH, usual))
