"""All suggestions of a site in one list, decided where they stand."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import make_page, make_recommendation, make_run, make_site
from tests.recommendations.conftest import Reviewed

pytestmark = pytest.mark.django_db


def list_path(reviewed: Reviewed, query: str = "") -> str:
    return f"/sites/{reviewed.site.pk}/suggestions/{query}"


def test_the_best_of_all_pages_come_first(reviewed: Reviewed, as_editor: Client) -> None:
    source = make_page(reviewed.site, "brakes", "A brake squeals when its pads are worn.")
    best = make_recommendation(reviewed.run, source, reviewed.target, "pads", score=0.95)
    response = as_editor.get(list_path(reviewed))
    assert [card.row.pk for card in response.context["cards"]] == [best.pk, reviewed.row.pk, reviewed.second.pk]
    body = response.content.decode()
    assert "A brake squeals when its <mark>pads</mark> are worn." in body
    assert f'href="/sites/{reviewed.site.pk}/pages/{source.pk}/?focus={best.pk}#card-{best.pk}"' in body
    assert 'pending <span class="count">3</span>' in body


@pytest.mark.parametrize(
    ("query", "anchors"),
    [
        ("", ["quiet chain"]),
        ("?status=accepted", ["spoke key"]),
        ("?status=rejected", []),
        ("?status=nonsense&list=99", ["quiet chain"]),
    ],
)
def test_the_list_holds_one_status(reviewed: Reviewed, as_editor: Client, query: str, anchors: list[str]) -> None:
    type(reviewed.row).objects.filter(pk=reviewed.row.pk).update(status="accepted")
    response = as_editor.get(list_path(reviewed, query))
    assert [card.row.anchor_text for card in response.context["cards"]] == anchors


def test_a_decision_stays_in_the_list_and_changes_its_counts(reviewed: Reviewed, as_editor: Client) -> None:
    data = {"action": "accept", "expected": "pending", "direction": "site", "back": list_path(reviewed)}
    path = f"/recommendations/{reviewed.row.pk}/decide/"
    body = as_editor.post(path, data, headers={"HX-Request": "true"}).content.decode()
    assert 'class="card accepted"' in body
    assert 'pending <span class="count">1</span>' in body
    assert 'accepted <span class="count">1</span>' in body
    assert 'id="block-0"' not in body
    undone = as_editor.post(path, {"action": "undo", "expected": "accepted", "direction": "site"})
    assert undone["Location"] == f"{list_path(reviewed)}#card-{reviewed.row.pk}"


def test_the_list_is_reached_from_the_counts(reviewed: Reviewed, as_editor: Client) -> None:
    for path in ("/", f"/sites/{reviewed.site.pk}/"):
        assert f'href="{list_path(reviewed)}"' in as_editor.get(path).content.decode()


def test_the_list_needs_the_same_queries_for_few_and_many(reviewed: Reviewed, as_editor: Client) -> None:
    def count(query: str = "") -> int:
        as_editor.get(list_path(reviewed, query))
        with CaptureQueriesContext(connection) as captured:
            assert as_editor.get(list_path(reviewed, query)).status_code == 200
        return len(captured)

    few = count()
    for number in range(60):
        source = make_page(reviewed.site, f"s{number}", "Words stand here.")
        make_recommendation(
            reviewed.run, source, reviewed.target, "stand", status="rejected" if number % 9 else "pending"
        )
    assert count() == few <= 9
    assert count("?status=rejected") <= 9
    assert 'rel="next"' in as_editor.get(list_path(reviewed, "?status=rejected")).content.decode()


def test_a_site_without_a_finished_run_says_so(as_editor: Client) -> None:
    site = make_run(make_site(), "running").site
    assert "Nothing was suggested yet" in as_editor.get(f"/sites/{site.pk}/suggestions/").content.decode()
