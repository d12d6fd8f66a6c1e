"""Draws suggestions by lot and mixes planted ones in. Leaves running the product to `__main__`, text to `packets`."""

import random
from collections.abc import Mapping, Sequence

from benchmarks.judging.planted import plant
from benchmarks.judging.sites import Item, JudgedSite

DRAWN, PLANTED = 100, 10


def equal_shares(available: Mapping[str, int], total: int) -> dict[str, int]:
    """As many for each as for the others, as far as each has any; what one lacks the others give."""
    shares = dict.fromkeys(sorted(available), 0)
    while sum(shares.values()) < min(total, sum(available.values())):
        for name in shares:
            if shares[name] < available[name] and sum(shares.values()) < total:
                shares[name] += 1
    return shares


def draw_items(sites: Sequence[JudgedSite], seed: str, drawn: int = DRAWN, planted: int = PLANTED) -> list[Item]:
    """`drawn` suggestions of the sites and `planted` bad links, shuffled: the same for the same seed and sites."""
    shares = equal_shares({site.corpus: len(site.suggestions) for site in sites}, drawn)
    ordered = sorted(sites, key=lambda site: site.corpus)
    items: list[Item] = []
    for site in ordered:
        items += random.Random(f"{seed} {site.corpus}").sample(site.suggestions, shares[site.corpus])
    items += plant(ordered, items, planted, random.Random(f"{seed} planted"))
    random.Random(f"{seed} order").shuffle(items)
    return items
