"""What a crawl finds of earlier decisions: applied, removed, stale, moved; and an unread page says nothing."""

import pytest

from crawler.extraction.types import Block, BlockKind
from crawler.models import Link, Page
from recommendations.decisions import accept, reconcile_decisions
from recommendations.models import Decision, Recommendation
from tests.factories import make_link, make_page, make_recommendation, make_run, make_site, make_user, set_text

pytestmark = pytest.mark.django_db
TEXT = "Truing a wheel takes an hour and a spoke key."


@pytest.fixture
def row() -> Recommendation:
    """An accepted suggestion."""
    run = make_run(make_site())
    row = make_recommendation(run, make_page(run.site, "wheels", TEXT), make_page(run.site, "spokes"), "spoke key")
    return accept(row.pk, user=make_user(), expected_status="pending")


def status_after_crawl(row: Recommendation) -> str:
    reconcile_decisions(row.site_id)
    assert reconcile_decisions(row.site_id) == {}, "reconciling twice changed something"
    decision = Decision.objects.get()
    row.refresh_from_db()
    assert row.status == decision.status, "the shown row does not say what the decision says"
    return str(decision.status)


def test_nothing_changed(row: Recommendation) -> None:
    assert status_after_crawl(row) == "accepted"


def test_the_link_is_found(row: Recommendation) -> None:
    make_link(row.source, row.target)
    assert status_after_crawl(row) == "applied"


def test_the_link_is_found_through_a_redirect(row: Recommendation) -> None:
    make_link(row.source, row.target, target_url="https://elsewhere.example/old-address")
    assert status_after_crawl(row) == "applied"


def test_the_link_is_found_although_its_target_is_not_resolved(row: Recommendation) -> None:
    make_link(row.source, None, target_url=row.target.url)
    assert status_after_crawl(row) == "applied"


def test_a_menu_link_is_not_the_link(row: Recommendation) -> None:
    make_link(row.source, row.target, is_editorial=False)
    assert status_after_crawl(row) == "accepted"


def test_an_applied_link_is_lost_and_found_again(row: Recommendation) -> None:
    make_link(row.source, row.target)
    assert status_after_crawl(row) == "applied"
    Link.objects.all().delete()
    assert status_after_crawl(row) == "removed"
    make_link(row.source, row.target)
    assert status_after_crawl(row) == "applied"


def test_the_sentence_is_gone_and_comes_back(row: Recommendation) -> None:
    set_text(row.source, "Truing a wheel takes two hours and a spoke key.")
    assert status_after_crawl(row) == "stale"
    set_text(row.source, TEXT)
    assert status_after_crawl(row) == "accepted"


def test_a_stale_one_whose_link_is_found_is_applied(row: Recommendation) -> None:
    set_text(row.source, "Quite another text.")
    assert status_after_crawl(row) == "stale"
    make_link(row.source, row.target)
    assert status_after_crawl(row) == "applied"


def test_words_that_link_elsewhere_now_make_it_stale(row: Recommendation) -> None:
    set_text(row.source, [Block(0, BlockKind.PARAGRAPH, TEXT, link_spans=((35, 44),))])
    assert status_after_crawl(row) == "stale"


def test_a_paragraph_that_moved_takes_the_decision_along(row: Recommendation) -> None:
    set_text(row.source, "A spoke key is a small tool.\nNew. " + TEXT)
    assert status_after_crawl(row) == "accepted"
    decision = Decision.objects.get()
    assert (decision.block, decision.sentence_start, decision.match_index) == (1, 5, 0)
    row.refresh_from_db()
    assert (row.block, row.block_sha256) == (decision.block, decision.block_sha256)


@pytest.mark.parametrize("status", ["failed", "skipped", "new"])
def test_a_page_that_was_not_read_changes_nothing(row: Recommendation, status: str) -> None:
    set_text(row.source, "")
    Page.objects.filter(pk=row.source_id).update(status=status)
    assert status_after_crawl(row) == "accepted"


def test_a_page_that_is_gone(row: Recommendation) -> None:
    Page.objects.filter(pk=row.source_id).update(status="gone")
    assert status_after_crawl(row) == "stale"


@pytest.mark.parametrize("status", ["gone", "redirect"])
def test_a_target_that_is_no_page_any_more(row: Recommendation, status: str) -> None:
    Page.objects.filter(pk=row.target_id).update(status=status)
    assert status_after_crawl(row) == "stale"


def test_other_sites_are_left_alone(row: Recommendation) -> None:
    other = make_site()
    make_link(row.source, row.target)
    reconcile_decisions(other.pk)
    assert Decision.objects.get().status == "accepted"
