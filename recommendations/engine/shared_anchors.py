"""One anchor text, one target: the same words on a site must not lead readers to two pages.

Where they would, the target with the stronger links keeps them. Leaves what happens to the others to the caller.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from recommendations.engine.words import fold


@dataclass(frozen=True, slots=True)
class ProposedLink:
    """A proposed link by its number; `target` names its page."""

    number: int
    target: int
    anchor_text: str
    score: float


def links_to_withdraw(links: Iterable[ProposedLink]) -> set[int]:
    """Numbers of the links whose anchor text belongs to another target: the one whose links sum up to more.

    Equal sums go to the target with the lower number, so that the answer is the same every time.
    """
    by_anchor: defaultdict[str, defaultdict[int, list[ProposedLink]]] = defaultdict(lambda: defaultdict(list))
    for link in links:
        by_anchor[fold(link.anchor_text)][link.target].append(link)
    withdrawn: set[int] = set()
    for targets in by_anchor.values():
        keeper = max(targets, key=lambda target: (sum(link.score for link in targets[target]), -target))
        withdrawn |= {link.number for target, own in targets.items() if target != keeper for link in own}
    return withdrawn
