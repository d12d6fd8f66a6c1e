"""The JSON API: who gets in, what it answers, how it pages, and how it says no."""

import io
import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import ApiToken
from accounts.tokens import create_token
from recommendations.decisions import accept
from recommendations.exporters.json_file import KEYS, ORDER, write_json
from recommendations.selectors_export import export_rows
from tests.factories import make_page, make_recommendation, make_run, make_site
from tests.recommendations.conftest import Reviewed

pytestmark = pytest.mark.django_db


def get(token: str, path: str) -> Any:
    return Client().get(path, headers={"Authorization": f"Bearer {token}"})


@pytest.fixture
def token(editor: Any) -> str:
    return create_token(editor, "test")


def path_of(reviewed: Reviewed, query: str = "") -> str:
    return f"/api/v1/sites/{reviewed.site.pk}/recommendations{query}"


def test_a_token_and_a_session_both_open(reviewed: Reviewed, token: str, as_editor: Client) -> None:
    assert get(token, path_of(reviewed)).json() == as_editor.get(path_of(reviewed)).json()
    assert ApiToken.objects.get().last_used_at is not None


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer nonsense", "Bearer \u00fc", "Basic YTpi"])
def test_no_or_a_wrong_token_is_401_in_one_sentence(reviewed: Reviewed, header: str) -> None:
    response = Client().get(path_of(reviewed), headers={"Authorization": header} if header else {})
    assert response.status_code == 401
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert list(response.json()) == ["detail"]
    assert response.json()["detail"].endswith((".", ")."))


def test_a_token_of_a_deactivated_person_is_refused(reviewed: Reviewed, token: str, editor: Any) -> None:
    editor.is_active = False
    editor.save()
    assert get(token, path_of(reviewed)).status_code == 401


def test_sites(reviewed: Reviewed, token: str) -> None:
    answer = get(token, "/api/v1/sites").json()["sites"]
    assert [(site["id"], site["url"], site["pages_read"]) for site in answer] == [
        (reviewed.site.pk, reviewed.site.start_url, 3)
    ]
    assert answer[0]["recommendations"]["pending"] == 2


def test_objects_have_the_keys_and_values_of_the_json_export(reviewed: Reviewed, token: str) -> None:
    rows = get(token, path_of(reviewed)).json()["recommendations"]
    assert set(rows[0]) == {*KEYS, "id", "status"}
    file = io.StringIO()
    write_json(reviewed.site.start_url, export_rows(reviewed.run, order=ORDER), file)
    exported = json.loads(file.getvalue())["recommendations"]
    assert [{key: row[key] for key in KEYS} for row in rows] == exported


@pytest.mark.parametrize(
    ("status", "count"), [("accepted", 1), ("pending", 1), ("accepted,pending", 2), ("rejected", 0)]
)
def test_status(reviewed: Reviewed, token: str, editor: Any, status: str, count: int) -> None:
    accept(reviewed.row.pk, user=editor, expected_status="pending")
    answer = get(token, path_of(reviewed, f"?status={status}")).json()
    assert answer["total"] == len(answer["recommendations"]) == count
    assert all(row["status"] in status for row in answer["recommendations"])


def test_pages_follow_each_other_and_hold_fast_to_one_run(reviewed: Reviewed, token: str) -> None:
    for number in range(7):
        make_recommendation(reviewed.run, reviewed.source, make_page(reviewed.site, f"n{number}"), "an hour", score=0.5)
    seen: list[int] = []
    address = path_of(reviewed, "?per_page=4&status=pending")
    while address:
        answer = get(token, address).json()
        seen += [row["id"] for row in answer["recommendations"]]
        address = answer["next"]
        make_run(reviewed.site)  # a newer run ends meanwhile
    assert len(seen) == len(set(seen)) == answer["total"] == 9
    assert answer["previous"].endswith(f"page=2&run={reviewed.run.pk}")


def test_a_run_that_is_no_longer_kept_is_told(reviewed: Reviewed, token: str) -> None:
    run_id = reviewed.run.pk
    reviewed.run.delete()
    response = get(token, path_of(reviewed, f"?run={run_id}"))
    assert response.status_code == 404
    assert "no longer kept" in response.json()["detail"]


@pytest.mark.parametrize(
    ("query", "status", "complaint"),
    [
        ("?status=great", 400, "status='great' is unknown. Use pending, accepted"),
        ("?per_page=101", 400, "per_page='101' is not a whole number from 1 to 100."),
        ("?per_page=0", 400, "per_page='0'"),
        ("?page=x", 400, "page='x' is not a whole number"),
        ("?page=2", 404, "page=2 is behind the last page, 1."),
        ("?statsu=accepted", 400, "'statsu' is no parameter here. Use status, page, per_page, run."),
    ],
)
def test_wrong_parameters_are_told_in_one_sentence(
    reviewed: Reviewed, token: str, query: str, status: int, complaint: str
) -> None:
    response = get(token, path_of(reviewed, query))
    assert response.status_code == status
    assert response["Content-Type"] == "application/json"
    assert complaint in response.json()["detail"]


@pytest.mark.parametrize("path", ["/api/v1/sites/999/recommendations", "/api/v1/sites/x/recommendations", "/api/v2/"])
def test_what_is_not_there_is_404_in_json(reviewed: Reviewed, token: str, path: str) -> None:
    response = get(token, path)
    assert response.status_code == 404
    assert list(response.json()) == ["detail"]


def test_only_reading_is_allowed(reviewed: Reviewed, as_editor: Client) -> None:
    for method in ("post", "put", "patch", "delete"):
        assert getattr(as_editor, method)(path_of(reviewed)).status_code == 405


def test_a_site_without_a_finished_run_answers_with_nothing(token: str) -> None:
    site = make_site()
    make_run(site, "running")
    answer = get(token, f"/api/v1/sites/{site.pk}/recommendations?status=accepted").json()
    assert (answer["total"], answer["recommendations"], answer["run"]) == (0, [], None)


def test_queries_do_not_grow(reviewed: Reviewed, token: str) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            get(token, path_of(reviewed, "?per_page=100"))
        return len(captured)

    count()
    few = count()
    for number in range(40):
        make_recommendation(reviewed.run, reviewed.source, make_page(reviewed.site, f"n{number}"), "an hour")
    assert count() == few <= 6
