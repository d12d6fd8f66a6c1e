"""What is chosen over a whole site once every page has its proposals: one target in each language for each anchor
text, and no more new links to one page than the site wants.

A page that few link to and that would get hundreds of new links belongs in the site's template, where it is set once;
nobody reviews the hundredth sentence that leads to it. What the site links to much already is a hub, and may go on
being one. Rows are read once, in any order; a proposal costs some thirty bytes, so that a
million of them fit. Leaves what happens to the links withdrawn to the caller, and limits of one page to `selection`.
"""

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from recommendations.engine.words import fold

FloatsOfLinks = NDArray[np.float64]
IntsOfLinks = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ProposedLink:
    """A proposed link by its number; `target` names its page, `language` the page's language."""

    number: int
    target: int
    anchor_text: str
    score: float
    language: str = ""


@dataclass(frozen=True, slots=True)
class SiteLimits:
    """links_per_target: new links to one page at most, 0 for no limit. A page may always get as many as it has:
    `inlinks`, target to pages that link to it from content, none where it is not named.

    known_anchors: (anchor text, target, language of the target) of each editorial link that the site already has.
    bonuses: target to what favours it over another that wants the same words; its links' scores stay as they are.
    """

    links_per_target: int = 0
    inlinks: Mapping[int, int] = field(default_factory=dict)
    known_anchors: Iterable[tuple[str, int, str]] = ()
    bonuses: Mapping[int, float] = field(default_factory=dict)


def links_to_withdraw(links: Iterable[ProposedLink], limits: SiteLimits | None = None) -> set[int]:
    """Numbers of the links that the site as a whole is better without. The answer does not depend on their order.

    First each anchor text goes to one target of each language, since a product's name is the same in all of them: the
    one with the most behind it, by existing links (1 each) and proposals (their scores). Then each target keeps the
    best of what is left. Ties go to the lower number.
    """
    limits = limits or SiteLimits()
    anchor_numbers: dict[str, int] = {}
    numbers, targets, anchors, scores = array("q"), array("q"), array("q"), array("d")
    for link in links:
        numbers.append(link.number)
        targets.append(link.target)
        anchors.append(anchor_numbers.setdefault(_words(link.language, link.anchor_text), len(anchor_numbers)))
        scores.append(link.score)
    if not numbers:
        return set()
    number, target = np.frombuffer(numbers, dtype=np.int64), np.frombuffer(targets, dtype=np.int64)
    score = np.frombuffer(scores, dtype=np.float64)
    anchor = np.frombuffer(anchors, dtype=np.int64)
    kept = _has_its_anchor(target, anchor, score, _known_links(limits.known_anchors, anchor_numbers), limits.bonuses)
    if limits.links_per_target:
        pages, places = np.unique(target, return_inverse=True)
        allowed = np.array([max(limits.links_per_target, limits.inlinks.get(int(page), 0)) for page in pages])
        kept &= _is_among_best(target, number, np.where(kept, score, -np.inf), allowed[places])
    return {int(one) for one in number[~kept]}


def _words(language: str, anchor_text: str) -> str:
    """What one target owns."""
    return f"{language} {fold(anchor_text)}"


def _known_links(
    known: Iterable[tuple[str, int, str]], anchor_numbers: Mapping[str, int]
) -> tuple[IntsOfLinks, IntsOfLinks]:
    """Anchors and targets of the existing links whose words are proposed somewhere."""
    anchors, targets = array("q"), array("q")
    for text, target, language in known:
        if (number := anchor_numbers.get(_words(language, text))) is not None:
            anchors.append(number)
            targets.append(target)
    return np.array(anchors, dtype=np.int64), np.array(targets, dtype=np.int64)


def _has_its_anchor(
    target: IntsOfLinks,
    anchor: IntsOfLinks,
    score: FloatsOfLinks,
    known: tuple[IntsOfLinks, IntsOfLinks],
    bonuses: Mapping[int, float],
) -> NDArray[np.bool_]:
    """(n_links,) True where the link's target is the one that its anchor text belongs to."""
    known_anchors, known_targets = known
    all_anchors = np.concatenate([anchor, known_anchors])
    pages, places = np.unique(np.concatenate([target, known_targets]), return_inverse=True)
    # Summed from the smallest up: the same proposals in another order give the same sum to the last bit.
    weights = np.concatenate([score, np.ones(len(known_anchors))])
    by_weight = np.argsort(weights, kind="stable")
    pairs, pair_of = np.unique(all_anchors * len(pages) + places, return_inverse=True)
    strength = np.bincount(pair_of[by_weight], weights=weights[by_weight], minlength=len(pairs))
    pair_anchor, pair_page = np.divmod(pairs, len(pages))
    if bonuses:
        strength += np.array([bonuses.get(int(page), 0.0) for page in pages])[pair_page]
    best_first = np.lexsort((pair_page, -strength, pair_anchor))
    owners, first = np.unique(pair_anchor[best_first], return_index=True)
    owner_page = np.empty(len(owners), dtype=np.int64)
    owner_page[owners] = pair_page[best_first][first]
    is_owner: NDArray[np.bool_] = owner_page[anchor] == places[: len(target)]
    return is_owner


def _is_among_best(
    target: IntsOfLinks, number: IntsOfLinks, score: FloatsOfLinks, allowed: IntsOfLinks
) -> NDArray[np.bool_]:
    """(n_links,) True for the links of each target with the highest scores, as many as its links say in `allowed`."""
    best_first = np.lexsort((number, -score, target))
    ordered = target[best_first]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    lengths = np.diff(np.concatenate([starts, [len(ordered)]]))
    places = np.arange(len(ordered)) - np.repeat(starts, lengths)
    among = np.zeros(len(target), dtype=bool)
    among[best_first[places < allowed[best_first]]] = True
    return among
