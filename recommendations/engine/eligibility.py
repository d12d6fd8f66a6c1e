"""Which pages a source page may link to at all. Leaves how well they fit to `features` and `ranking`."""

import numpy as np
from numpy.typing import NDArray

from recommendations.engine.link_graph import LinkGraph
from recommendations.engine.near_duplicates import near_duplicates_of
from recommendations.engine.types import EngineOptions, SitePages


def eligible_targets(
    source: int,
    pages: SitePages,
    graph: LinkGraph,
    options: EngineOptions,
    language_codes: NDArray[np.int64],
    signatures: NDArray[np.uint32],
    freed: frozenset[int] = frozenset(),
) -> NDArray[np.bool_]:
    """(n_pages,) True where the source may get a link to the page.

    Never itself, what it links to already, pages that are no targets, its own translations, its near-duplicates,
    pairs that an editor refused, and, unless the site asks for it, pages in another language. freed: pages that count
    as not linked though they are.
    """
    eligible = pages.is_target.copy()
    eligible[source] = False
    eligible[[target for target in graph.linked_from(source) if target not in freed]] = False
    eligible &= pages.translation_groups != pages.translation_groups[source]
    if not options.is_cross_language_allowed:
        eligible &= language_codes == language_codes[source]
    eligible &= ~near_duplicates_of(source, signatures)
    url = pages.urls[source]
    for refused_source, refused_target in options.rejections.pairs:
        if refused_source == url:
            eligible &= np.fromiter((target != refused_target for target in pages.urls), bool, len(pages))
    return eligible
