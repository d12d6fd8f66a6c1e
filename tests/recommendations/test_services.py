"""Ranking a whole site into rows: resumed where it was cut off, fenced, and never on another model's vectors."""

import pytest

from crawler.leases import LeaseLost, RunStatus
from crawler.models import Site
from embeddings.errors import EmbeddingError
from embeddings.services import embed_site
from recommendations.errors import RecommendationError
from recommendations.models import Recommendation, RecommendationRun
from recommendations.services import recommend_site
from tests.factories import make_page, make_site
from tests.recommendations.engine.small_site import WordCountEncoder

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = [
    f"{kind} {thing}"
    for kind in ("steel", "cargo", "winter", "folding")
    for thing in ("bikes", "racks", "lamps", "bells")
]


@pytest.fixture
def site() -> Site:
    site = make_site("Bikes")
    for number in range(40):
        name, other, third = (NAMES[(number * step + step) % len(NAMES)] for step in (1, 3, 5))
        text = f"Our {name} number {number} are good.\nWe sell {other} too.\nAsk about {third} in week {number}."
        make_page(site, f"{name.replace(' ', '-')}-{number}", text, title=f"{name.title()} {number}")
    embed_site(site.pk, encoder=WordCountEncoder())
    return site


def rows(run: RecommendationRun) -> list[tuple[object, ...]]:
    found = Recommendation.objects.filter(run=run).order_by("source_id", "rank")
    return list(found.values_list("source_id", "target_id", "anchor_text", "score", "rank"))


def rank(site: Site, run: RecommendationRun, **options: object) -> dict[str, object]:
    return recommend_site(
        site.pk, run.pk, encoder=WordCountEncoder(), model_name="word-count", **options  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_run_that_was_cut_off_goes_on_and_ends_like_an_undisturbed_one(site: Site) -> None:
    whole = RecommendationRun.objects.create(site=site)
    figures = rank(site, whole, threshold=0)
    assert figures["recommendations"] == len(rows(whole)) > 40

    RecommendationRun.objects.filter(pk=whole.pk).update(status=RunStatus.DONE)
    cut = RecommendationRun.objects.create(site=site)
    calls = iter(range(100))

    def fence() -> None:
        if next(calls) == 2:
            raise LeaseLost("taken over")

    with pytest.raises(LeaseLost):
        rank(site, cut, threshold=0, fence=fence)
    written = len(rows(cut))
    assert 0 < written < len(rows(whole))
    rank(site, cut, threshold=0)
    assert rows(cut) == rows(whole)


def test_ranks_are_closed_and_no_words_lead_to_two_pages_above_the_threshold(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recommendations.engine.ranking.LEAST_FITNESS", 0.0)
    run = RecommendationRun.objects.create(site=site)
    rank(site, run, threshold=0.01)
    targets: dict[str, set[object]] = {}
    ranks: dict[object, list[object]] = {}
    for source, target, anchor, _, number in rows(run):
        targets.setdefault(str(anchor).casefold(), set()).add(target)
        ranks.setdefault(source, []).append(number)
    assert ranks
    assert all(len(found) == 1 for found in targets.values())
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in ranks.values())


def test_vectors_of_another_version_of_the_model_are_refused(site: Site) -> None:
    class Newer(WordCountEncoder):
        fingerprint = "word-count, retrained"

    run = RecommendationRun.objects.create(site=site)
    with pytest.raises(EmbeddingError):
        recommend_site(site.pk, run.pk, encoder=Newer(), model_name="word-count")
    assert not rows(run)


def test_a_site_without_read_pages_is_told_so() -> None:
    empty = make_site("Empty")
    run = RecommendationRun.objects.create(site=empty)
    with pytest.raises((RecommendationError, EmbeddingError), match=r"\w"):
        recommend_site(empty.pk, run.pk, encoder=WordCountEncoder(), model_name="word-count")
