"""Login and logout, where they lead, and how many times one may guess."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.login_throttle import FAILURES_ALLOWED, WAIT
from accounts.models import LoginFailure
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


def log_in(name: str, password: str, path: str = "/login/", **data: str) -> Any:
    return Client().post(path, {"username": name, "password": password, **data})


def log_in_from(address: str, forwarded_for: str, password: str = PASSWORD) -> Any:
    values = {"username": "ann", "password": password}
    return Client().post("/login/", values, REMOTE_ADDR=address, headers={"X-Forwarded-For": forwarded_for})


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


def test_a_stranger_locks_out_his_own_address_alone() -> None:
    make_user("ann")
    for _ in range(FAILURES_ALLOWED):
        log_in_from("203.0.113.9", "", "wrong")
    assert log_in_from("203.0.113.9", "").status_code == 200
    assert log_in_from("198.51.100.7", "").status_code == 302


def test_behind_the_proxy_its_last_hop_is_the_client(settings: Any) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    make_user("ann")
    for number in range(FAILURES_ALLOWED):
        log_in_from("127.0.0.1", f"10.0.0.{number}, 203.0.113.9", "wrong")
    assert log_in_from("127.0.0.1", "198.51.100.7, 203.0.113.9").status_code == 200
    assert log_in_from("127.0.0.1", "203.0.113.9, 198.51.100.7").status_code == 302


def test_without_a_proxy_nobody_names_his_own_address() -> None:
    make_user("ann")
    for number in range(FAILURES_ALLOWED):
        log_in_from("203.0.113.9", f"10.0.0.{number}", "wrong")
    assert log_in_from("203.0.113.9", "198.51.100.7").status_code == 200


def test_an_ipv6_household_is_one_address() -> None:
    make_user("ann")
    for number in range(FAILURES_ALLOWED):
        log_in_from(f"2001:db8:0:1::{number}", "", "wrong")
    assert log_in_from("2001:db8:0:1::ffff", "").status_code == 200
    assert log_in_from("2001:db8:0:2::1", "").status_code == 302


def test_waiting_is_enough_and_old_failures_are_dropped() -> None:
    make_user("ann")
    for _ in range(FAILURES_ALLOWED):
        log_in("ann", "wrong")
    LoginFailure.objects.update(failed_at=timezone.now() - WAIT)
    log_in("somebody", "wrong")
    assert LoginFailure.objects.count() == 1
    assert log_in("ann", PASSWORD).status_code == 302


def test_the_whole_admin_opens() -> None:
    client = Client()
    client.force_login(make_user("ada", is_admin=True))
    from django.contrib import admin

    for model in admin.site._registry:
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        assert client.get(path).status_code == 200, path
