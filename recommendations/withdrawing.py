"""Takes back, once every page was ranked, the proposals that the site as a whole is better without, and closes ranks.

Leaves which ones they are to `engine.site_selection`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence

import numpy as np
from django.db import transaction

from crawler.models import Link
from recommendations.engine.site_model import SiteModel
from recommendations.engine.site_selection import ProposedLink, SiteLimits, links_to_withdraw
from recommendations.engine.target_choice import bonus_of_pages
from recommendations.models import Recommendation, RecommendationRun

_LOT = 500


def withdraw_links(run: RecommendationRun, model: SiteModel, page_ids: np.ndarray, fence: Callable[[], None]) -> int:
    """How many links were taken back. page_ids: (n_pages,) ids of the model's pages.

    May be cut off and called again: what is left then leads to the same choice. Who owns words depends on all their
    links, so that is settled, and remembered with the run, before a target's limit takes any of them away.
    """
    count = 0
    if not run.are_words_settled:
        bonuses = bonus_of_pages(model)
        owners = SiteLimits(
            known_anchors=_known_anchors(run.site_id),
            bonuses={int(page_ids[page]): float(bonuses[page]) for page in np.flatnonzero(bonuses)},
        )
        count += _take_back(run, links_to_withdraw(_proposed(run), owners), fence)
        run.are_words_settled = True
        with transaction.atomic():
            fence()
            run.save(update_fields=("are_words_settled",))
    if cap := run.site.max_new_links_per_target:
        inlinks = np.asarray(model.graph.matrix.sum(axis=0)).ravel()
        may_have = {int(page_ids[page]): int(inlinks[page]) for page in np.flatnonzero(inlinks > cap)}
        limits = SiteLimits(links_per_target=cap, inlinks=may_have)
        count += _take_back(run, links_to_withdraw(_proposed(run), limits), fence)
    return count


def _proposed(run: RecommendationRun) -> Iterator[ProposedLink]:
    rows = Recommendation.objects.filter(run=run).order_by()
    for row in rows.values_list("id", "target_id", "anchor_text", "score", "target__language").iterator(20_000):
        yield ProposedLink(*row)


def _take_back(run: RecommendationRun, withdrawn: Collection[int], fence: Callable[[], None]) -> int:
    """Delete these of the run's links, page by page, each page's ranks with them."""
    ordered = sorted(withdrawn)
    of_source: defaultdict[int, list[int]] = defaultdict(list)
    for start in range(0, len(ordered), _LOT):
        lot = Recommendation.objects.filter(id__in=ordered[start : start + _LOT])
        for number, source_id in lot.values_list("id", "source_id"):
            of_source[source_id].append(number)
    sources = sorted(of_source)
    for start in range(0, len(sources), _LOT):
        pages = sources[start : start + _LOT]
        with transaction.atomic():
            fence()
            _delete([number for source_id in pages for number in of_source[source_id]])
            _close_ranks(run, pages)
    return len(ordered)


def _known_anchors(site_id: int) -> Iterator[tuple[str, int, str]]:
    """Words, target and its language of each editorial link that the site has."""
    links = Link.objects.filter(page__site_id=site_id, is_editorial=True, target__isnull=False).exclude(anchor_text="")
    yield from links.order_by().values_list("anchor_text", "target_id", "target__language").iterator(20_000)


def _delete(numbers: Sequence[int]) -> None:
    for start in range(0, len(numbers), _LOT):
        Recommendation.objects.filter(id__in=numbers[start : start + _LOT]).delete()


def _close_ranks(run: RecommendationRun, sources: Sequence[int]) -> None:
    """The ranks of each source's links are 1, 2, 3, ... again, in the same order."""
    seen: defaultdict[int, int] = defaultdict(int)
    moved = []
    left = Recommendation.objects.filter(run=run, source_id__in=sources).order_by("source_id", "rank")
    for row in left.only("id", "source_id", "rank"):
        seen[row.source_id] += 1
        if row.rank != seen[row.source_id]:
            row.rank = seen[row.source_id]
            moved.append(row)
    Recommendation.objects.bulk_update(moved, ("rank",), batch_size=_LOT)
