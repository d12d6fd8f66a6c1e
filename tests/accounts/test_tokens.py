"""API tokens: printed once, stored hashed."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import ApiToken
from accounts.tokens import create_token, find_token
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def make_token(*arguments: str) -> str:
    out = StringIO()
    call_command("create_api_token", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue().strip()


def test_the_command_prints_a_token_that_works_and_is_stored_hashed() -> None:
    make_user("ann")
    token = make_token("ann", "CMS export")
    stored = ApiToken.objects.get()
    assert stored.name == "CMS export"
    assert token not in "".join(str(value) for value in vars(stored).values())
    response = Client().get("/api/v1/sites", headers={"Authorization": f"Bearer {token}"})
    assert response.status_code == 200


def test_tokens_differ_and_a_deleted_one_is_revoked() -> None:
    user = make_user()
    first, second = create_token(user, "a"), create_token(user, "b")
    assert first != second
    ApiToken.objects.filter(name="a").delete()
    assert find_token(first) is None
    assert find_token(second) is not None


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("nobody", "x"), "no account named 'nobody'"),
        (("ann", " "), "has 0 characters"),
        (("ann", "x" * 101), "has 101"),
    ],
)
def test_wrong_arguments_are_told(arguments: tuple[str, str], complaint: str) -> None:
    make_user("ann")
    with pytest.raises(CommandError, match=complaint):
        make_token(*arguments)


def test_use_is_noted_once_a_minute(django_assert_num_queries: object) -> None:
    token = create_token(make_user(), "a")
    find_token(token)
    first = ApiToken.objects.get().last_used_at
    find_token(token)
    assert ApiToken.objects.get().last_used_at == first


def test_the_admin_shows_tokens_but_never_makes_or_reads_them() -> None:
    create_token(make_user(), "shown")
    client = Client()
    client.force_login(make_user("ada", is_admin=True))
    token = ApiToken.objects.get()
    assert "shown" in client.get("/admin/accounts/apitoken/").content.decode()
    assert token.token_sha256 not in client.get(f"/admin/accounts/apitoken/{token.pk}/change/").content.decode()
    assert client.get("/admin/accounts/apitoken/add/").status_code == 403
