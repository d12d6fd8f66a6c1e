"""Deciding by form and by htmx: the same rules, an answer each can use."""

from typing import Any

import pytest
from django.test import Client

from recommendations.models import Decision, Recommendation
from tests.recommendations.conftest import Reviewed

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def decide(client: Client, row: Recommendation, htmx: bool = True, **data: str) -> Any:
    data = {"action": "accept", "expected": "pending", **data}
    return client.post(f"/recommendations/{row.pk}/decide/", data, headers=HTMX if htmx else {})


def test_accept_swaps_the_card_the_mark_and_the_counts(reviewed: Reviewed, as_editor: Client) -> None:
    response = decide(as_editor, reviewed.row)
    body = response.content.decode()
    assert response.status_code == 200
    assert body.startswith(f'<li id="card-{reviewed.row.pk}" class="card accepted"')
    assert 'id="block-0" dir="auto" hx-swap-oob="true"' in body
    assert 'class="suggested accepted"' in body
    assert '<nav id="tallies"' in body
    assert "Accepted: “spoke key” links to Spokes." in body
    assert "by <bdi>edith</bdi>" in body


def test_without_javascript_one_comes_back_to_the_card(reviewed: Reviewed, as_editor: Client) -> None:
    back = f"/sites/{reviewed.site.pk}/pages/{reviewed.source.pk}/?status=pending"
    response = decide(as_editor, reviewed.row, htmx=False, back=back)
    assert response["Location"] == f"{back}#card-{reviewed.row.pk}"
    assert "Accepted: “spoke key”" in as_editor.get(back).content.decode()


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", ""]
)
def test_one_is_never_sent_elsewhere(reviewed: Reviewed, as_editor: Client, back: str) -> None:
    location = decide(as_editor, reviewed.row, htmx=False, back=back)["Location"]
    assert location == f"/sites/{reviewed.site.pk}/pages/{reviewed.source.pk}/#card-{reviewed.row.pk}"


def test_reject_says_what_it_bars(reviewed: Reviewed, as_editor: Client) -> None:
    body = decide(as_editor, reviewed.row, action="reject", reason="bad_anchor").content.decode()
    assert 'class="card rejected"' in body
    assert "These words are not suggested for this target again" in body
    assert "bad anchor" in body
    assert f'id="mark-{reviewed.row.pk}"' not in body
    assert Decision.objects.get().reason == "bad_anchor"


def test_the_slower_of_two_sees_how_it_stands(reviewed: Reviewed, as_editor: Client, as_admin: Client) -> None:
    decide(as_admin, reviewed.row)
    response = decide(as_editor, reviewed.row, action="reject", reason="other")
    body = response.content.decode()
    assert response.status_code == 409
    assert "accepted now by ada, so your decision was not saved" in body
    assert 'class="card accepted"' in body
    plain = decide(as_editor, reviewed.row, htmx=False, action="reject", reason="other")
    assert "was not saved" in as_editor.get(plain["Location"].partition("#")[0]).content.decode()


def test_undo(reviewed: Reviewed, as_editor: Client) -> None:
    decide(as_editor, reviewed.row)
    body = decide(as_editor, reviewed.row, action="undo", expected="accepted").content.decode()
    assert 'class="card pending"' in body
    assert not Decision.objects.exists()


def test_other_words_by_form(reviewed: Reviewed, as_editor: Client) -> None:
    path = f"/recommendations/{reviewed.row.pk}/words/"
    assert as_editor.get(path).templates[0].name == "recommendations/anchor_form.html"
    fragment = as_editor.get(path, headers=HTMX).content.decode()
    assert fragment.startswith("<form")
    body = decide(as_editor, reviewed.row, action="anchor", words="an hour").content.decode()
    assert ">an hour</a></mark>" in body
    assert "on other words" in body
    reviewed.row.refresh_from_db()
    assert (reviewed.row.status, reviewed.row.anchor_text) == ("accepted", "an hour")


def test_an_alternative_wins_over_the_field(reviewed: Reviewed, as_editor: Client) -> None:
    decide(as_editor, reviewed.row, action="anchor", words="spoke key", choice="a wheel")
    reviewed.row.refresh_from_db()
    assert reviewed.row.anchor_text == "a wheel"


def test_refused_words_come_back_with_the_reason(reviewed: Reviewed, as_editor: Client) -> None:
    response = decide(as_editor, reviewed.row, action="anchor", words="bicycle <b>")
    body = response.content.decode()
    assert response.status_code == 422
    assert response["HX-Retarget"] == f"#words-{reviewed.row.pk}"
    assert "“bicycle &lt;b&gt;” does not stand in the sentence" in body
    assert 'value="bicycle &lt;b&gt;"' in body
    plain = decide(as_editor, reviewed.row, htmx=False, action="anchor", words="bicycle")
    assert plain.status_code == 422
    assert "does not stand in the sentence" in plain.content.decode()


@pytest.mark.parametrize("data", [{"action": "burn"}, {"expected": "nonsense"}, {"reason": "nonsense"}])
def test_broken_forms_change_nothing(reviewed: Reviewed, as_editor: Client, data: dict[str, str]) -> None:
    assert decide(as_editor, reviewed.row, **data).status_code == 400
    assert not Decision.objects.exists()


def test_a_suggestion_that_is_gone(reviewed: Reviewed, as_editor: Client) -> None:
    row = reviewed.row
    path = f"/recommendations/{row.pk}/words/"
    reviewed.run.delete()
    response = as_editor.post(f"/recommendations/{row.pk}/decide/", {}, headers=HTMX)
    assert response.status_code == 404
    assert "a newer run replaced it" in response.content.decode()
    assert "a newer run replaced it" in as_editor.get(path).content.decode()


def test_deciding_from_the_inlinks_tab(reviewed: Reviewed, as_editor: Client) -> None:
    response = decide(as_editor, reviewed.row, direction="in")
    body = response.content.decode()
    assert reviewed.source.title in body
    assert "hx-swap-oob" in body
    assert 'id="block-0"' not in body  # the text of the source page is not on show there
    location = decide(as_editor, reviewed.second, htmx=False, direction="in")["Location"]
    assert location.startswith(f"/sites/{reviewed.site.pk}/pages/{reviewed.second.target_id}/inlinks/")


def test_deciding_needs_a_fixed_number_of_queries(
    reviewed: Reviewed, as_editor: Client, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(36):
        decide(as_editor, reviewed.row)
