"""Login and logout, where they lead, and how many times one may guess."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.forms import FAILURES_ALLOWED
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_count() -> None:
    cache.clear()


def log_in(name: str, password: str, path: str = "/login/", **data: str) -> Any:
    return Client().post(path, {"username": name, "password": password, **data})


def test_one_comes_back_to_where_one_wanted_to_go() -> None:
    make_user("ann")
    wanted = Client().get("/sites/7/?q=x")["Location"]
    assert wanted == "/login/?next=/sites/7/%3Fq%3Dx"
    assert log_in("ann", PASSWORD, next="/sites/7/?q=x")["Location"] == "/sites/7/?q=x"
    assert log_in("ann", PASSWORD, next="https://evil.example/")["Location"] == "/"


def test_logout_ends_the_session() -> None:
    client = Client()
    client.force_login(make_user())
    client.post("/logout/")
    assert client.get("/").status_code == 302


@pytest.mark.parametrize("path", ["/login/", "/admin/login/"])
def test_guessing_is_slowed_down(path: str) -> None:
    make_user("ada", is_admin=True)
    for _ in range(FAILURES_ALLOWED):
        assert "Wait 5 minutes" not in log_in("ada", "wrong", path).content.decode()
    assert "Wait 5 minutes" in log_in("ada", PASSWORD, path).content.decode()
    make_user("bob")
    assert log_in("bob", PASSWORD).status_code == 302


def test_a_right_password_resets_the_count() -> None:
    make_user("ann")
    for _ in range(3):
        for _ in range(FAILURES_ALLOWED - 1):
            log_in("ann", "wrong")
        assert log_in("ann", PASSWORD).status_code == 302


def test_the_whole_admin_opens() -> None:
    client = Client()
    client.force_login(make_user("ada", is_admin=True))
    from django.contrib import admin

    for model in admin.site._registry:
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        assert client.get(path).status_code == 200, path
