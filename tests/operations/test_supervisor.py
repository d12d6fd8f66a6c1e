"""Processes that die are started again, later each time; those that will not stop are killed."""

import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from linkrec_site.env import child_environment
from linkrec_site.supervisor import Child, Supervisor
from tests.operations.installation import children_of, is_alive


class Scene:
    def __init__(self, folder: Path) -> None:
        self.said: list[str] = []
        self.supervisor = Supervisor(folder, folder, self.said.append)

    def start(self, code: str, stop_seconds: float = 10.0) -> Child:
        child = Child("test", (sys.executable, "-c", code), child_environment(), stop_seconds=stop_seconds)
        self.supervisor.start(child)
        return child

    def watch_until(self, said: int) -> None:
        deadline = time.monotonic() + 30
        while len(self.said) < said:
            assert time.monotonic() < deadline
            self.supervisor.watch()
            time.sleep(0.05)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    one = Scene(tmp_path)
    yield one
    one.supervisor.kill_all()


def test_a_process_that_keeps_dying_waits_longer_each_time(scene: Scene) -> None:
    scene.start("print('out of paint'); raise SystemExit(3)")
    scene.watch_until(said=2)
    assert "ended (status 3); it is started again in 1 s" in scene.said[0]
    assert "in 2 s" in scene.said[1]
    assert scene.supervisor.last_words("test") == "out of paint\nout of paint"


def test_a_killed_process_is_named_by_its_signal(scene: Scene) -> None:
    child = scene.start("import time; time.sleep(60)")
    assert child.process
    child.process.send_signal(signal.SIGKILL)
    scene.watch_until(said=1)
    assert "signal SIGKILL" in scene.said[0]


def test_one_that_will_not_stop_is_killed_with_its_own_children(scene: Scene, tmp_path: Path) -> None:
    code = (
        "import pathlib, signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); "
        "pathlib.Path('ready').touch(); time.sleep(60)"
    )
    child = scene.start(code, stop_seconds=0.5)
    assert child.process
    deadline = time.monotonic() + 30
    while not (tmp_path / "ready").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    family = [child.process.pid, *children_of(child.process.pid)]
    assert len(family) == 2
    scene.supervisor.stop_all()
    time.sleep(0.2)
    assert not any(is_alive(pid) for pid in family)
