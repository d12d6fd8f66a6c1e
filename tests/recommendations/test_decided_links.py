"""Decisions as the engine's examples: what each reason blames, and that a run learns from them and says so."""

import pytest

from crawler.models import Page, Site
from embeddings.services import embed_site
from recommendations.decided_links import TARGET_BLAME, decided_links
from recommendations.models import Decision, Recommendation, RecommendationRun, RejectReason, Status, decision_key
from recommendations.services import recommend_site
from tests.factories import make_page, make_site
from tests.recommendations.engine.small_site import WordCountEncoder

pytestmark = pytest.mark.django_db

POSITIONS = {"https://site.example/a": 0, "https://site.example/b": 1}


def _decide(site: Site, source: str, target: str, status: str, reason: str = "") -> None:
    Decision.objects.create(
        site=site,
        key=decision_key(source, target, "words", "hash"),
        source_url=source,
        target_url=target,
        status=status,
        reason=reason,
        anchor_text="words",
        sentence="Some words.",
        sentence_hash="hash",
        sentence_start=0,
        anchor_start=5,
        block=0,
        block_sha256="0" * 64,
        match_index=0,
    )


@pytest.mark.parametrize(
    ("status", "reason", "is_accepted", "worth"),
    [
        (Status.ACCEPTED, "", True, 1.0),
        (Status.APPLIED, "", True, 1.0),
        (Status.REJECTED, RejectReason.IRRELEVANT_TARGET, False, 1.0),
        (Status.REJECTED, RejectReason.WRONG_MEANING, False, 1.0),
        (Status.REJECTED, RejectReason.ALREADY_COVERED, False, 0.5),
        (Status.REJECTED, RejectReason.BAD_ANCHOR, False, 0.0),
        (Status.REJECTED, RejectReason.WRONG_PLACE, False, 0.0),
        (Status.REJECTED, "", False, 0.7),
    ],
)
def test_a_decision_counts_as_far_as_its_reason_blames_the_target(
    status: str, reason: str, is_accepted: bool, worth: float
) -> None:
    site = make_site()
    _decide(site, *POSITIONS, status, reason)
    (link,) = decided_links(site.pk, POSITIONS)
    assert (link.source, link.target, link.is_accepted, link.worth) == (0, 1, is_accepted, worth)


def test_every_reason_says_how_much_it_blames_the_target() -> None:
    assert set(TARGET_BLAME) == set(RejectReason)


def test_decisions_about_pages_that_are_gone_and_undone_ones_are_left_out() -> None:
    site = make_site()
    _decide(site, "https://site.example/a", "https://site.example/gone", Status.ACCEPTED)
    _decide(site, "https://site.example/b", "https://site.example/a", Status.STALE)
    _decide(make_site("Another"), *POSITIONS, Status.ACCEPTED)
    assert decided_links(site.pk, POSITIONS) == []


def _rank(site: Site) -> RecommendationRun:
    run = RecommendationRun.objects.create(site=site)
    recommend_site(site.pk, run.pk, threshold=0, encoder=WordCountEncoder(), model_name="word-count")
    RecommendationRun.objects.filter(pk=run.pk).update(status="done")
    run.refresh_from_db()
    return run


def _share_in_news(run: RecommendationRun, among: set[int]) -> float:
    first = Recommendation.objects.filter(run=run, rank__lte=3, source_id__in=among)
    return first.filter(target__url__contains="/news/").count() / first.count()


def test_a_run_follows_decisions_and_keeps_its_model_card() -> None:
    site = make_site("Bikes")
    for number in range(40):
        section = "news" if number % 2 else "guides"
        text = "\n".join(f"People like wheel {other} and chain {number} here." for other in range(number, number + 6))
        make_page(site, f"{section}/wheel-{number}", text, title=f"Wheel {number}")
    embed_site(site.pk, encoder=WordCountEncoder())
    before = _rank(site)
    assert before.model_card["preferences"]["decisions_learned_from"] == 0
    assert before.model_card["ranker"]["origin"] == "shipped"
    assert before.model_card["ranker"]["weights"]["known_anchor"] > 0
    decided = Page.objects.filter(site=site).order_by("id")[:12]
    for row in Recommendation.objects.filter(run=before, source__in=decided, rank__lte=5).select_related():
        is_news = "/news/" in row.target.url
        status, reason = (Status.REJECTED, RejectReason.IRRELEVANT_TARGET) if is_news else (Status.ACCEPTED, "")
        _decide(site, row.source.url, row.target.url, status, reason)
    others = set(Page.objects.filter(site=site).values_list("pk", flat=True)) - {page.pk for page in decided}
    after = _rank(site)
    assert after.model_card["preferences"]["decisions_learned_from"] >= 50
    assert _share_in_news(after, others) < 0.5 * _share_in_news(before, others)
