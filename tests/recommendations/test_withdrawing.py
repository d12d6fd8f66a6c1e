"""What the whole site is better without is taken back: floods to one page, words that mean another page. In rows."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from crawler.leases import LeaseLost
from crawler.models import Page, Site
from embeddings.services import embed_site
from recommendations.models import Recommendation, RecommendationRun
from recommendations.services import recommend_site
from recommendations.withdrawing import withdraw_links
from tests.factories import make_link, make_page, make_recommendation, make_run, make_site
from tests.recommendations.engine.small_site import WordCountEncoder

pytestmark = pytest.mark.django_db(transaction=True)


def model_of(pages: list[Page], favour: float = 0.0) -> Any:
    """The parts of a site's model that are asked: nobody links to anybody, everything is one click away."""
    return SimpleNamespace(
        graph=SimpleNamespace(matrix=sparse.lil_matrix((len(pages), len(pages)))),
        pages=SimpleNamespace(depths=np.ones(len(pages), dtype=np.int64)),
        options=SimpleNamespace(orphan_favour=favour),
    )


class Flood:
    """Five pages that would all link to the first, and each to one other page."""

    def __init__(self, **settings: Any) -> None:
        self.site = make_site(**settings)
        self.run = make_run(self.site)
        self.hub = make_page(self.site, "hub")
        self.pages = [make_page(self.site, f"page{n}", f"The hub and page number {n}.") for n in range(5)]
        for n, page in enumerate(self.pages):
            make_recommendation(self.run, page, self.hub, "hub", score=0.5 + n / 10)
            make_recommendation(self.run, page, self.pages[n - 1], f"number {n}", score=0.4)

    def withdraw(self, **values: Any) -> int:
        pages = [self.hub, *self.pages]
        ids = np.array([page.pk for page in pages])
        fence = values.pop("fence", lambda: None)
        return withdraw_links(self.run, model_of(pages, **values), ids, fence)

    def left(self) -> list[tuple[int, str, int]]:
        """(page number, anchor, rank) of what is left."""
        number = {page.pk: n for n, page in enumerate(self.pages)}
        rows = Recommendation.objects.filter(run=self.run).order_by("source_id", "rank")
        return [(number[row.source_id], row.anchor_text, row.rank) for row in rows]


def test_the_best_links_to_a_page_stay_and_ranks_are_closed() -> None:
    flood = Flood(max_new_links_per_target=2)
    assert flood.withdraw() == 3
    assert flood.left() == [
        (0, "number 0", 1), (1, "number 1", 1), (2, "number 2", 1),
        (3, "hub", 1), (3, "number 3", 2), (4, "hub", 1), (4, "number 4", 2),
    ]  # fmt: skip


def test_a_page_that_many_link_to_may_get_more() -> None:
    flood = Flood(max_new_links_per_target=2)
    model = model_of([flood.hub, *flood.pages])
    model.graph.matrix[1:5, 0] = 1.0
    assert withdraw_links(flood.run, model, np.array([flood.hub.pk, *(p.pk for p in flood.pages)]), lambda: None) == 1


def test_without_a_limit_everything_stays() -> None:
    flood = Flood(max_new_links_per_target=0)
    assert flood.withdraw() == 0
    assert len(flood.left()) == 10


def test_words_of_the_sites_own_links_lead_to_no_other_page() -> None:
    flood = Flood()
    make_link(flood.hub, flood.pages[0], anchor_text="Number 3")
    make_link(flood.hub, flood.pages[1], anchor_text="number 4", is_editorial=False)
    assert flood.withdraw() == 1
    assert (3, "number 3", 2) not in flood.left()
    assert (4, "number 4", 2) in flood.left(), "a menu's words bind nobody"


def test_a_name_leads_to_a_page_in_each_language() -> None:
    flood = Flood()
    german = make_page(flood.site, "de/hub", language="de")
    make_recommendation(flood.run, flood.pages[0], german, "hub", score=0.1)
    make_link(flood.pages[1], german, anchor_text="number 3")
    assert flood.withdraw() == 0


def test_another_run_is_left_alone() -> None:
    flood = Flood(max_new_links_per_target=1)
    other = make_run(flood.site)
    make_recommendation(other, flood.pages[0], flood.hub, "hub")
    make_recommendation(other, flood.pages[1], flood.hub, "hub")
    flood.withdraw()
    assert other.recommendations.count() == 2


@pytest.mark.parametrize("calls_done", range(1, 6))
def test_cut_off_and_called_again_it_ends_the_same(calls_done: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub owns its words by the sum of all its links, of which the limit leaves less than the rivals have."""
    monkeypatch.setattr("recommendations.withdrawing._LOT", 1)
    whole, cut = Flood(max_new_links_per_target=1), Flood(max_new_links_per_target=1)
    for flood in (whole, cut):
        make_recommendation(flood.run, flood.pages[4], flood.pages[1], "hub", score=0.99)
        make_link(flood.hub, flood.pages[2], anchor_text="hub")
    whole.withdraw()
    fences = iter(range(9))

    def fence() -> None:
        if next(fences) == calls_done:
            raise LeaseLost("taken over")

    with pytest.raises(LeaseLost):
        cut.withdraw(fence=fence)
    cut.run = RecommendationRun.objects.get(pk=cut.run.pk)
    cut.withdraw()
    assert cut.left() == whole.left()
    assert [row for row in whole.left() if row[1] == "hub"] == [(4, "hub", 1)]
    assert Recommendation.objects.get(run=cut.run, anchor_text="hub").target_id == cut.hub.pk


def site_about_lamps(**settings: Any) -> Site:
    site = make_site(**settings)
    make_page(site, "lamps", "Winter lamps burn long.", title="Winter lamps")
    for number in range(8):
        make_page(site, f"page{number}", f"Week {number} was dark.\nAll of us bought winter lamps in week {number}.")
    embed_site(site.pk, encoder=WordCountEncoder())
    return site


def links_to_lamps(site: Site, threshold: float) -> int:
    run = RecommendationRun.objects.create(site=site)
    recommend_site(site.pk, run.pk, encoder=WordCountEncoder(), model_name="word-count", threshold=threshold)
    count = Recommendation.objects.filter(run=run, target__url__endswith="/lamps").count()
    run.delete()
    return count


def test_limits_of_the_site_hold_above_a_threshold_alone() -> None:
    site = site_about_lamps()
    assert links_to_lamps(site, 0) == links_to_lamps(site, 1e-6) == 8
    Site.objects.update(max_new_links_per_target=3)
    assert links_to_lamps(site, 0) == 8
    assert links_to_lamps(site, 1e-6) == 3


def test_a_run_cut_off_at_the_limits_ranks_no_page_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last pages, which lost all their links, would look as if they had not been ranked."""
    monkeypatch.setattr("recommendations.withdrawing._LOT", 1)
    site = site_about_lamps(max_new_links_per_target=3)
    run = RecommendationRun.objects.create(site=site)
    notes: list[str] = []

    def recommend(fence: Callable[[], None] = lambda: None) -> None:
        def progress(done: int, total: int, note: str) -> None:
            notes.append(note)

        settings = {"encoder": WordCountEncoder(), "model_name": "word-count", "threshold": 1e-6}
        recommend_site(site.pk, run.pk, progress=progress, fence=fence, **settings)  # type: ignore[arg-type]

    def fence() -> None:
        if RecommendationRun.objects.get().are_words_settled and Recommendation.objects.count() == 4:
            raise LeaseLost("taken over")

    with pytest.raises(LeaseLost):
        recommend(fence)
    assert "pages ranked" in notes
    notes.clear()
    recommend()
    assert "pages ranked" not in notes
    assert Recommendation.objects.filter(target__url__endswith="/lamps").count() == 3
