"""Accept, reject, other words, undo; and two people at once."""

from typing import Any

import pytest

from crawler.extraction.types import Block, BlockKind
from recommendations.decisions import accept, choose_anchor, decide, reject, rejections, undo_decision
from recommendations.errors import DecisionConflict, DecisionRefused
from recommendations.models import Decision, Recommendation, RecommendationRun
from tests.factories import make_page, make_recommendation, make_run, make_site, make_user, set_text

pytestmark = pytest.mark.django_db
TEXT = "Truing a wheel takes an hour and a spoke key, and a quiet wheel is the reward."


@pytest.fixture
def run() -> RecommendationRun:
    return make_run(make_site())


@pytest.fixture
def row(run: RecommendationRun) -> Recommendation:
    source = make_page(run.site, "wheels", TEXT)
    return make_recommendation(
        run,
        source,
        make_page(run.site, "spokes"),
        "spoke key",
        alternatives=[{"anchor_text": "wheel", "anchor_start": 9}],
    )


@pytest.fixture
def person() -> Any:
    return make_user("ann")


def test_accepting_stores_a_decision_that_is_whole_alone(row: Recommendation, person: Any) -> None:
    accept(row.pk, user=person, expected_status="pending")
    decision = Decision.objects.get()
    assert (decision.status, decision.decided_by, decision.anchor_text) == ("accepted", person, "spoke key")
    assert (decision.source_url, decision.target_url) == (row.source.url, row.target.url)
    assert decision.sentence[decision.anchor_start :].startswith("spoke key")
    assert decision.reasons == row.reasons
    row.refresh_from_db()
    assert row.status == "accepted"


def test_accepting_twice_is_one_decision(row: Recommendation, person: Any) -> None:
    for _ in range(2):
        accept(row.pk, user=person, expected_status="pending")
    assert Decision.objects.count() == 1


def test_the_second_of_two_people_is_told_and_overwrites_nothing(row: Recommendation, person: Any) -> None:
    accept(row.pk, user=person, expected_status="pending")
    with pytest.raises(DecisionConflict, match="accepted now by ann, so your decision was not saved"):
        reject(row.pk, user=make_user("bob"), expected_status="pending", reason="bad_anchor")
    assert Decision.objects.get().status == "accepted"


def test_a_suggestion_of_a_pruned_run_is_a_conflict(row: Recommendation, person: Any) -> None:
    row.run.delete()
    with pytest.raises(DecisionConflict, match="a newer run replaced it"):
        accept(row.pk, user=person, expected_status="pending")


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("irrelevant_target", "pairs"),
        ("already_covered", "pairs"),
        ("other", "pairs"),
        ("bad_anchor", "anchors"),
        ("wrong_meaning", "anchors"),
        ("wrong_place", "places"),
    ],
)
def test_a_rejection_reaches_as_far_as_its_reason(row: Recommendation, person: Any, reason: str, kind: str) -> None:
    reject(row.pk, user=person, expected_status="pending", reason=reason)
    refused = rejections(row.site_id)
    pair = (row.source.url, row.target.url)
    expected = {"pairs": pair, "anchors": (*pair, "spoke key"), "places": (*pair, row.sentence_hash)}
    for name in ("pairs", "anchors", "places"):
        assert getattr(refused, name) == ({expected[name]} if name == kind else frozenset())


def test_an_unknown_reason_or_action_is_refused(row: Recommendation, person: Any) -> None:
    with pytest.raises(DecisionRefused, match="'ugly' is no reason"):
        reject(row.pk, user=person, expected_status="pending", reason="ugly")
    with pytest.raises(DecisionRefused, match="no action 'burn'"):
        decide(row.pk, "burn", user=person, expected_status="pending")


def test_other_words_are_accepted_with_their_new_place(row: Recommendation, person: Any) -> None:
    choose_anchor(row.pk, "quiet wheel", user=person, expected_status="pending")
    row.refresh_from_db()
    assert (row.status, row.anchor_text, row.anchor_start) == ("accepted", "quiet wheel", TEXT.index("quiet wheel"))
    assert Decision.objects.get().proposed_anchor == {"anchor_text": "spoke key", "anchor_start": 35}


def test_match_index_counts_the_chosen_occurrence(row: Recommendation, person: Any) -> None:
    choose_anchor(row.pk, "wheel", user=person, expected_status="pending")
    row.refresh_from_db()
    assert row.anchor_start == TEXT.rindex("wheel")
    assert row.match_index == 1


def test_words_changed_again_and_undone_come_back_to_the_engines_own(row: Recommendation, person: Any) -> None:
    choose_anchor(row.pk, "quiet wheel", user=person, expected_status="pending")
    choose_anchor(row.pk, "an hour", user=person, expected_status="accepted")
    assert Decision.objects.get().proposed_anchor["anchor_text"] == "spoke key"
    undo_decision(row.pk, user=person, expected_status="accepted")
    row.refresh_from_db()
    assert (row.status, row.anchor_text, row.match_index) == ("pending", "spoke key", 0)
    assert not Decision.objects.exists()


def test_words_on_an_existing_link_are_refused(row: Recommendation, person: Any) -> None:
    set_text(row.source, [Block(0, BlockKind.PARAGRAPH, TEXT, link_spans=((21, 28),))])
    with pytest.raises(DecisionRefused, match="“takes an hour” overlaps the existing link “an hour”"):
        choose_anchor(row.pk, "takes an hour", user=person, expected_status="pending")
    row.refresh_from_db()
    assert row.status == "pending"


def test_two_accepted_links_never_overlap(run: RecommendationRun, row: Recommendation, person: Any) -> None:
    other = make_recommendation(run, row.source, make_page(run.site, "keys"), "a spoke key")
    accept(row.pk, user=person, expected_status="pending")
    with pytest.raises(DecisionRefused, match="overlaps “spoke key”, accepted here as a link to"):
        accept(other.pk, user=person, expected_status="pending")


def test_what_no_longer_stands_on_the_page_cannot_be_accepted(row: Recommendation, person: Any) -> None:
    set_text(row.source, "Quite another text.")
    with pytest.raises(DecisionRefused, match="text has changed since this was suggested"):
        accept(row.pk, user=person, expected_status="pending")


def test_accepting_after_the_paragraph_moved_keeps_the_new_place(row: Recommendation, person: Any) -> None:
    set_text(row.source, "A new first paragraph.\n" + TEXT)
    accept(row.pk, user=person, expected_status="pending")
    assert Decision.objects.get().block == 1


def test_undo_of_a_rejection_lifts_it(row: Recommendation, person: Any) -> None:
    reject(row.pk, user=person, expected_status="pending", reason="irrelevant_target")
    undo_decision(row.pk, user=person, expected_status="rejected")
    row.refresh_from_db()
    assert row.status == "pending"
    assert not rejections(row.site_id).pairs


def test_accepting_what_was_rejected_lifts_the_rejection(row: Recommendation, person: Any) -> None:
    reject(row.pk, user=person, expected_status="pending", reason="irrelevant_target")
    accept(row.pk, user=person, expected_status="rejected")
    assert [decision.status for decision in Decision.objects.all()] == ["accepted"]


def test_an_applied_link_is_not_decided_about(row: Recommendation, person: Any) -> None:
    Recommendation.objects.filter(pk=row.pk).update(status="applied")
    for action in ("accept", "reject", "undo"):
        with pytest.raises(DecisionRefused, match="that is applied cannot be"):
            decide(row.pk, action, user=person, expected_status="applied", reason="other")


def test_a_decision_made_while_a_new_run_is_written_reaches_it(row: Recommendation, person: Any) -> None:
    new_run = make_run(row.site, "running")
    new_row = make_recommendation(new_run, row.source, row.target, "spoke key")
    accept(row.pk, user=person, expected_status="pending")
    new_row.refresh_from_db()
    assert new_row.status == "accepted"
    undo_decision(row.pk, user=person, expected_status="accepted")
    new_row.refresh_from_db()
    assert new_row.status == "pending"


def test_words_that_occur_twice_stand_where_they_are_free(row: Recommendation, person: Any) -> None:
    near = TEXT.index("wheel", 20)
    set_text(row.source, [Block(0, BlockKind.PARAGRAPH, TEXT, link_spans=((near, near + 5),))])
    choose_anchor(row.pk, "wheel", user=person, expected_status="pending")
    row.refresh_from_db()
    assert (row.anchor_text, row.anchor_start) == ("wheel", TEXT.index("wheel"))


def test_words_that_are_free_nowhere_get_the_reason(row: Recommendation, person: Any) -> None:
    spans = tuple((start, start + 5) for start in (TEXT.index("wheel"), TEXT.rindex("wheel")))
    set_text(row.source, [Block(0, BlockKind.PARAGRAPH, TEXT, link_spans=spans)])
    with pytest.raises(DecisionRefused, match="“wheel” overlaps the existing link"):
        choose_anchor(row.pk, "wheel", user=person, expected_status="pending")
