"""What `manage.py check` tells an operator, and what of RQ is not there to be reached."""

import stat
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import override_settings
from rq.serializers import JSONSerializer

from linkrec_site.checks import check_data_directory, check_debug, check_https
from linkrec_site.data_directory import ensure_private_directory
from recommendations.rq_job import JsonJob
from recommendations.rq_worker import LeaseWorker


def test_a_secret_that_others_may_read_is_an_error(tmp_path: Path) -> None:
    secret = tmp_path / "secret_key"
    secret.write_text("x")
    secret.chmod(0o644)
    with override_settings(LINKREC_DATA_DIR=tmp_path):
        (message,) = check_data_directory(None)
        assert message.id == "linkrec.E002"
        assert f"chmod 600 {secret}" in str(message.hint)
        secret.chmod(0o600)
        assert check_data_directory(None) == []
        (tmp_path / "db.sqlite3").touch(0o644)
        tmp_path.chmod(0o755)
        hints = [str(message.hint) for message in check_data_directory(None)]
        assert hints == [f"Type: chmod 700 {tmp_path}", f"Type: chmod 600 {tmp_path / 'db.sqlite3'}"]


def test_the_data_directory_is_closed_to_others_where_it_is_ours(tmp_path: Path) -> None:
    ours, empty, others = (tmp_path / name for name in ("ours", "empty", "others"))
    for folder in (ours, empty, others):
        folder.mkdir()
        folder.chmod(0o755)
    (ours / "secret_key").touch()
    (others / "somebody's file").touch()
    modes = [stat.S_IMODE(ensure_private_directory(folder).stat().st_mode) for folder in (ours, empty, others)]
    assert modes == [0o700, 0o700, 0o755]


def test_debug_and_open_hosts_are_warned_of() -> None:
    with override_settings(DEBUG=True, ALLOWED_HOSTS=["links.example.com"], SESSION_COOKIE_SECURE=False):
        assert [message.id for message in (*check_debug(None), *check_https(None))] == ["linkrec.W001", "linkrec.W002"]
    with override_settings(DEBUG=False, ALLOWED_HOSTS=["127.0.0.1"]):
        assert [*check_debug(None), *check_https(None)] == []


def test_rqs_dashboard_is_not_in_the_admin() -> None:
    assert not [model for model in admin.site._registry if model._meta.app_label == "django_rq"]
    assert apps.is_installed("django_rq")


class _NoServer:
    """As much of a connection as a worker wants before it works."""

    class connection_pool:
        connection_kwargs: dict[str, object] = {}

    def client_setname(self, name: str) -> None: ...

    def client_info(self) -> dict[str, str]:
        return {"addr": "nowhere"}


def test_the_worker_speaks_json_and_listens_to_one_queue_whatever_it_is_told() -> None:
    worker = LeaseWorker(["linkrec"], connection=_NoServer(), serializer="pickle", worker_ttl=420)
    assert worker.serializer is JSONSerializer
    assert worker.job_class is JsonJob
    assert (worker.worker_ttl, worker.maintenance_interval, worker.job_monitoring_interval) == (20, 10, 5)
    assert JsonJob(connection=_NoServer(), serializer="pickle").serializer is JSONSerializer
    with pytest.raises(ValueError, match="2 queues"):
        LeaseWorker(["linkrec", "other"], connection=_NoServer())
