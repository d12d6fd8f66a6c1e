"""Decisions in the next run's rows: nothing accepted is lost, nothing refused comes back, twice is once."""

from typing import Any

import pytest

from crawler.models import Page
from recommendations import decision_carrying
from recommendations.decisions import accept, blocked_pairs, carry_decisions, choose_anchor, reject, undo_decision
from recommendations.models import Decision, Recommendation, RecommendationRun
from tests.factories import make_page, make_recommendation, make_run, make_site, make_user

pytestmark = pytest.mark.django_db
TEXT = "Truing a wheel takes an hour and a spoke key.\nA clean chain is a quiet chain."


@pytest.fixture
def row() -> Recommendation:
    run = make_run(make_site())
    return make_recommendation(run, make_page(run.site, "wheels", TEXT), make_page(run.site, "spokes"), "spoke key")


@pytest.fixture
def person() -> Any:
    return make_user()


def carried(run: RecommendationRun) -> list[tuple[str, str, str]]:
    carry_decisions(run.pk)
    first = list(run.recommendations.order_by("id").values())
    carry_decisions(run.pk)
    assert list(run.recommendations.order_by("id").values()) == first, "carrying twice changed something"
    return [(row["anchor_text"], row["status"], row["sentence"][:6]) for row in first]


def test_equal_suggestions_take_their_status(row: Recommendation, person: Any) -> None:
    accept(row.pk, user=person, expected_status="pending")
    run = make_run(row.site, "running")
    make_recommendation(run, row.source, row.target, "spoke key")
    assert carried(run) == [("spoke key", "accepted", "Truing")]


def test_an_accepted_link_replaces_what_the_engine_proposes_for_the_pair(row: Recommendation, person: Any) -> None:
    choose_anchor(row.pk, "an hour", user=person, expected_status="pending")
    run = make_run(row.site, "running")
    make_recommendation(run, row.source, row.target, "quiet chain", block=1, score=0.9)
    assert carried(run) == [("an hour", "accepted", "Truing")]


def test_an_accepted_link_that_is_not_proposed_again_is_kept(row: Recommendation, person: Any) -> None:
    accept(row.pk, user=person, expected_status="pending")
    run = make_run(row.site, "running")
    other = make_recommendation(run, row.source, make_page(row.site, "chains"), "quiet chain", block=1)
    assert carried(run) == [("quiet chain", "pending", "A clea"), ("spoke key", "accepted", "Truing")]
    kept = run.recommendations.get(status="accepted")
    assert kept.rank == other.rank + 1
    assert (kept.score, kept.reasons, kept.match_index) == (row.score, row.reasons, row.match_index)


def test_ranks_follow_the_scores_when_a_carried_link_is_the_better_one(row: Recommendation, person: Any) -> None:
    Recommendation.objects.filter(pk=row.pk).update(score=0.6)
    accept(row.pk, user=person, expected_status="pending")
    run = make_run(row.site, "running")
    for path, score in (("chains", 0.9), ("tubes", 0.6), ("bells", 0.3)):
        make_recommendation(run, row.source, make_page(row.site, path), "quiet chain", block=1, score=score)
    carried(run)
    in_order = run.recommendations.order_by("rank").values_list("rank", "score", "status")
    assert list(in_order) == [(1, 0.9, "pending"), (2, 0.6, "pending"), (3, 0.6, "accepted"), (4, 0.3, "pending")]


def test_a_page_that_is_no_more_takes_its_decisions_along_quietly(row: Recommendation, person: Any) -> None:
    accept(row.pk, user=person, expected_status="pending")
    site = row.site
    Page.objects.get(pk=row.target_id).delete()
    assert carried(make_run(site, "running")) == []


@pytest.mark.parametrize("reason", ["irrelevant_target", "already_covered", "other"])
def test_a_refused_pair_stays_refused_anywhere(row: Recommendation, person: Any, reason: str) -> None:
    reject(row.pk, user=person, expected_status="pending", reason=reason)
    run = make_run(row.site, "running")
    make_recommendation(run, row.source, row.target, "quiet chain", block=1)
    assert carried(run) == [("quiet chain", "rejected", "A clea")]
    assert blocked_pairs(row.site_id) == {(row.source_id, row.target_id)}


def test_refused_words_bar_only_themselves(row: Recommendation, person: Any) -> None:
    reject(row.pk, user=person, expected_status="pending", reason="bad_anchor")
    run = make_run(row.site)
    make_recommendation(run, row.source, row.target, "quiet chain", block=1)
    assert carried(run) == [("quiet chain", "pending", "A clea")]
    again = make_run(row.site, "running")
    make_recommendation(again, row.source, row.target, "spoke key")
    assert carried(again) == [("spoke key", "rejected", "Truing")]
    assert blocked_pairs(row.site_id) == set()


def test_a_refused_place_bars_only_itself(row: Recommendation, person: Any) -> None:
    reject(row.pk, user=person, expected_status="pending", reason="wrong_place")
    run = make_run(row.site, "running")
    make_recommendation(run, row.source, row.target, "an hour")
    assert carried(run) == [("an hour", "rejected", "Truing")]


def test_a_refusal_without_a_new_suggestion_stays_to_be_undone(row: Recommendation, person: Any) -> None:
    reject(row.pk, user=person, expected_status="pending", reason="irrelevant_target")
    run = make_run(row.site, "done")
    assert carried(run) == [("spoke key", "rejected", "Truing")]
    undo_decision(run.recommendations.get().pk, user=person, expected_status="rejected")
    assert not Decision.objects.exists()
    assert carried(make_run(row.site, "running")) == []


def test_undo_lifts_a_refusal_of_other_words_that_covers_the_row(row: Recommendation, person: Any) -> None:
    reject(row.pk, user=person, expected_status="pending", reason="irrelevant_target")
    run = make_run(row.site, "done")
    make_recommendation(run, row.source, row.target, "quiet chain", block=1)
    carry_decisions(run.pk)
    undo_decision(run.recommendations.get().pk, user=person, expected_status="rejected")
    assert run.recommendations.get().status == "pending"
    assert not Decision.objects.exists()


def test_a_stale_link_gives_way_to_a_new_suggestion(row: Recommendation, person: Any) -> None:
    accept(row.pk, user=person, expected_status="pending")
    Decision.objects.update(status="stale")
    run = make_run(row.site)
    assert carried(run) == [("spoke key", "stale", "Truing")]
    other = make_run(row.site, "running")
    make_recommendation(other, row.source, row.target, "quiet chain", block=1)
    assert carried(other) == [("quiet chain", "pending", "A clea")]


def test_a_newly_accepted_place_replaces_the_stale_one(row: Recommendation, person: Any) -> None:
    accept(row.pk, user=person, expected_status="pending")
    Decision.objects.update(status="stale")
    run = make_run(row.site)
    new = make_recommendation(run, row.source, row.target, "quiet chain", block=1)
    accept(new.pk, user=person, expected_status="pending")
    assert [(decision.anchor_text, decision.status) for decision in Decision.objects.all()] == [
        ("quiet chain", "accepted")
    ]


def test_queries_grow_with_chunks_not_with_decisions(person: Any, django_assert_max_num_queries: Any) -> None:
    run = make_run(make_site())
    source = make_page(run.site, "wheels", "\n".join(f"Words number{n} stand here." for n in range(60)))
    for number in range(60):
        target = make_page(run.site, f"t{number}")
        row = make_recommendation(run, source, target, f"number{number}", block=number)
        accept(row.pk, user=person, expected_status="pending")
    new = make_run(run.site, "running")
    with django_assert_max_num_queries(20):
        carry_decisions(new.pk)
    assert new.recommendations.filter(status="accepted").count() == 60


def test_the_fence_is_called_inside_and_stops_the_writing(row: Recommendation, person: Any) -> None:
    accept(row.pk, user=person, expected_status="pending")
    run = make_run(row.site, "running")

    def lost() -> None:
        raise RuntimeError("lease lost")

    with pytest.raises(RuntimeError, match="lease lost"):
        carry_decisions(run.pk, fence=lost)
    assert not run.recommendations.exists()


def test_what_was_cut_short_between_chunks_is_simply_done_again(
    row: Recommendation, person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_carrying, "_CHUNK", 1)
    accept(row.pk, user=person, expected_status="pending")
    source = make_page(row.site, "chains", TEXT)
    other = make_recommendation(row.run, source, row.target, "quiet chain", block=1)
    accept(other.pk, user=person, expected_status="pending")
    run = make_run(row.site, "running")
    calls = []

    def killed_at_the_second() -> None:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carry_decisions(run.pk, fence=killed_at_the_second)
    assert run.recommendations.count() == 1
    assert len(carried(run)) == 2


def test_a_decision_that_is_made_meanwhile_is_carried_too(row: Recommendation, person: Any) -> None:
    accept(row.pk, user=person, expected_status="pending")
    other = make_recommendation(row.run, make_page(row.site, "chains", TEXT), row.target, "quiet chain", block=1)
    run = make_run(row.site, "running")

    def decide_meanwhile() -> None:
        accept(other.pk, user=person, expected_status=Recommendation.objects.get(pk=other.pk).status)

    carry_decisions(run.pk, fence=decide_meanwhile)
    assert run.recommendations.filter(status="accepted").count() == 2
