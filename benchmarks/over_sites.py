"""Figures over several sites: the macro mean, and all suggestions pooled. A slice and its parent are one site."""

from collections.abc import Callable, Iterable, Sequence

from benchmarks.evaluation import Evaluation
from benchmarks.method_lists import PRODUCT
from benchmarks.reliability import Reliability, measure_reliability

#: The whole sites over which the figures of a change are compared.
WHOLE_SITES = ("18f", "django", "multilang")


def distinct_sites(results: Iterable[Evaluation]) -> list[Evaluation]:
    """One result a site: with the model that the product chose, and of a site and its slices the largest."""
    best: dict[str, Evaluation] = {}
    for result in results:
        known = best.setdefault(result.site, result)
        if (result.is_product_choice, result.pages) > (known.is_product_choice, known.pages):
            best[result.site] = result
    return sorted(best.values(), key=lambda result: result.corpus)


def only_whole(results: Iterable[Evaluation]) -> list[Evaluation] | None:
    """The results of WHOLE_SITES, or None where one of them is missing."""
    found = [result for result in distinct_sites(results) if result.corpus in WHOLE_SITES]
    return found if len(found) == len(WHOLE_SITES) else None


def macro(results: Sequence[Evaluation], value: Callable[[Evaluation], float | None]) -> float | None:
    """The mean over sites, each counting alike; None where a site has no such figure."""
    values = [value(result) for result in results]
    known = [number for number in values if number is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def figure(name: str, method: str = PRODUCT) -> Callable[[Evaluation], float | None]:
    """A figure of a method, for `macro`."""
    return lambda result: result.figures.get(method, {}).get(name)


def pooled_reliability(results: Sequence[Evaluation]) -> Reliability:
    """All suggestions of all sites in common bands."""
    scores = [score for result in results for score in result.scores]
    outcomes = [outcome for result in results for outcome in result.outcomes]
    return measure_reliability(scores, outcomes)
