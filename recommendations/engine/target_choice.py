"""Which of a source page's ranked targets take part, and which go first: one of each set of near-duplicates, and, where
the site asks for it, pages that few link to or that lie deep before others that are about as good.

Only orders and leaves out: scores stay what `ranking` made them. Leaves sentences and words to `selection`.
"""

from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from recommendations.engine.near_duplicates import NEAR_DUPLICATE
from recommendations.engine.site_model import SiteModel
from recommendations.engine.types import FloatArray, IntArray

#: What the neediest page gains at the full setting: enough to pass a target that is a little surer, and no more.
LARGEST_BONUS = 0.2
#: Up to this many clicks a page is within reach; at twice as many, or unreachable, it counts as wholly deep.
_NEAR_CLICKS = 3
#: Inlinks from which on a page is no longer near to being an orphan.
_ENOUGH_INLINKS = 5


def choose_targets(
    model: SiteModel, source: int, targets: IntArray, scores: FloatArray
) -> tuple[list[int], FloatArray]:
    """Places in `targets` (pages, best first, with their scores) in the order to be tried, and each target's bonus."""
    inlinks = model.graph.inlink_counts(source)
    languages = model.language_codes
    own_first = np.argsort(languages[targets] != languages[source], kind="stable")
    kept = collapse_near_duplicates(
        targets[own_first], model.graph.linked_from(source), model.signatures, model.pages.translation_groups, inlinks
    )
    kept = sorted(int(own_first[place]) for place in kept)
    if model.options.threshold > 0:
        kept = [place for place in kept if not is_home(model.pages.urls[int(targets[place])])]
    if model.options.orphan_favour <= 0:
        return kept, np.zeros(len(targets), dtype=np.float32)
    depths = model.pages.depths
    bonus = favour_bonus(inlinks[targets], None if depths is None else depths[targets], model.options.orphan_favour)
    return sorted(kept, key=lambda place: -float(scores[place] + bonus[place])), bonus


def is_home(url: str) -> bool:
    """Whether the address is the site's root: every page's menu leads there, and no reader wants it from a sentence."""
    return urlsplit(url).path in {"", "/"}


def bonus_of_pages(model: SiteModel) -> FloatArray:
    """(n_pages,) each page's bonus as a target of the whole site; zeros where the site does not ask for it."""
    inlinks = np.asarray(model.graph.matrix.sum(axis=0), dtype=np.float32).ravel()
    return favour_bonus(inlinks, model.pages.depths, model.options.orphan_favour)


def favour_bonus(inlinks: FloatArray, depths: IntArray | None, favour: float) -> FloatArray:
    """(n,) 0 to LARGEST_BONUS: what to add to each target's score when choosing and ordering, never when judging.

    inlinks: (n,) editorial inlinks. depths: (n,) clicks from the start page, -1 where no click leads. A page counts by
    the worse of its two needs.
    """
    need = np.maximum(0.0, 1.0 - np.asarray(inlinks, dtype=np.float32) / _ENOUGH_INLINKS)
    if depths is not None:
        deep = np.clip((depths.astype(np.float32) - _NEAR_CLICKS) / _NEAR_CLICKS, 0.0, 1.0)
        need = np.maximum(need, np.where(depths < 0, 1.0, deep))
    bonus: FloatArray = (need * (LARGEST_BONUS * min(max(favour, 0.0), 1.0))).astype(np.float32)
    return bonus


def collapse_near_duplicates(
    targets: IntArray, linked: IntArray, signatures: NDArray[np.uint32], groups: IntArray, inlinks: FloatArray
) -> list[int]:
    """Places in `targets` (pages, best first) that stay: one of those that say nearly the same or translate each other.

    It is the best ranked, unless another has more than twice its inlinks, by which a site tells its original from
    copies. None stays whose twin the source links to already (`linked`). signatures: (n_pages, N_HASHES). groups:
    (n_pages,) equal for translations of each other. inlinks: (n_pages,).
    """
    is_twin = _are_near(signatures[targets], signatures[targets]) | (groups[targets][:, None] == groups[targets])
    is_covered = np.any(
        _are_near(signatures[targets], signatures[linked]) | (groups[targets][:, None] == groups[linked]), axis=1
    )
    linkers = inlinks[targets]
    is_open: NDArray[np.bool_] = ~is_covered
    kept: list[int] = []
    for place in range(len(targets)):
        if not is_open[place]:
            continue
        twins = np.flatnonzero(is_twin[place] & is_open)
        original = int(twins[np.argmax(linkers[twins])]) if len(twins) else place
        best = original if linkers[original] > 2 * linkers[place] + 1 else place
        is_open &= ~is_twin[place] & ~is_twin[best]
        is_open[place] = False
        kept.append(best)
    return sorted(kept)


def _are_near(rows: NDArray[np.uint32], columns: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """(n_rows, n_columns) True where two signatures are of near-duplicates; empty ones match nothing."""
    shares: NDArray[np.float64] = np.mean(rows[:, None, :] == columns[None, :, :], axis=2)
    is_told: NDArray[np.bool_] = np.any(rows, axis=1, keepdims=True)
    return (shares >= NEAR_DUPLICATE) & is_told
