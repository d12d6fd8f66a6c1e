"""The queue belongs to its owner: modes, password, and payloads that cannot choose what runs."""

import json
import pickle
import stat
import zlib
from pathlib import Path

import pytest
import redis

from linkrec_site.queue_server import start_embedded_server
from linkrec_site.queue_settings import queue_url
from tests.operations.installation import Installation
from tests.operations.test_jobs import RUN, start_run


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_socket_and_secrets_are_the_owners_alone(installation: Installation) -> None:
    folder = installation.data_dir / "queue"
    assert mode_of(folder) == 0o700
    assert mode_of(folder / "password") == 0o600
    assert mode_of(folder / "server.conf") == 0o600
    assert mode_of(folder / "socket") == 0o700
    password = (folder / "password").read_text()
    command = Path(f"/proc/{installation.queue.pid}/cmdline").read_text() if installation.queue else ""
    assert password not in command


def test_nobody_gets_in_without_the_password(installation: Installation) -> None:
    socket = installation.data_dir / "queue" / "socket"
    with redis.Redis(unix_socket_path=str(socket)) as client, pytest.raises(redis.exceptions.AuthenticationError):
        client.keys()


def test_a_path_too_long_for_a_socket_falls_back_to_loopback_with_the_password(private_dir: Path) -> None:
    data_dir = private_dir / ("deep" * 30)
    data_dir.mkdir()
    plan, server = start_embedded_server(data_dir)
    try:
        assert plan.url.startswith("redis://:")
        assert plan.url == queue_url(data_dir, "")
        with redis.Redis.from_url(plan.url) as client:
            assert client.ping()
        port = int(plan.url.rsplit(":", 1)[1].split("/")[0])
        with redis.Redis(port=port) as stranger, pytest.raises(redis.exceptions.AuthenticationError):
            stranger.ping()
    finally:
        server.terminate()
        server.wait(10)


def test_a_log_that_cannot_be_read_is_set_aside(private_dir: Path) -> None:
    plan, server = start_embedded_server(private_dir)
    server.terminate()
    server.wait(10)
    for file in (private_dir / "queue" / "appendonlydir").iterdir():
        file.write_bytes(b"\x00not a log at all" * 9)
    plan, server = start_embedded_server(private_dir)
    try:
        with redis.Redis.from_url(plan.url) as client:
            assert client.ping()
        assert list((private_dir / "queue").glob("appendonlydir.unreadable-*"))
    finally:
        server.terminate()
        server.wait(10)


def test_payloads_are_json_and_survive_a_killed_server(installation: Installation) -> None:
    start_run(installation)
    with redis.Redis.from_url(installation.queue_url) as client:
        (job_id,) = client.lrange("rq:queue:linkrec", 0, -1)
        data = client.hget(b"rq:job:" + job_id, "data")
        assert json.loads(zlib.decompress(data)) == ["crawler.jobs.run_crawl", None, [1], {}]


@pytest.mark.parametrize("is_pickle", [True, False], ids=["pickle", "json"])
def test_a_planted_job_does_not_run(installation: Installation, is_pickle: bool) -> None:
    """Whoever reaches the queue still cannot choose what the worker calls: not by pickle, not by name."""
    trace = installation.data_dir / "planted"
    call = ["os.system", None, [f"touch {trace}"], {}]
    data = zlib.compress(pickle.dumps(_Planted(str(trace))) if is_pickle else json.dumps(call).encode())
    fields = {"data": data, "origin": "linkrec", "created_at": "2026-01-01T00:00:00.000000Z", "status": "queued"}
    callbacks = {"success_callback_name": "os.system", "failure_callback_name": "os.system"}
    with redis.Redis.from_url(installation.queue_url) as client:
        client.hset("rq:job:planted", mapping={**fields, **callbacks})
        client.rpush("rq:queue:linkrec", "planted")
        start_run(installation)
        installation.start_worker()
        installation.wait_for("end of the honest run", lambda: installation.status_of(RUN) == "done")
        assert client.hget("rq:job:planted", "status") == b"failed"
    assert not trace.exists()


class _Planted:
    def __init__(self, path: str) -> None:
        self._path = path

    def __reduce__(self) -> tuple[object, ...]:
        return (open, (self._path, "w"))
