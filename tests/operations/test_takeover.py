"""The acceptance line: workers killed in each of the three stages, and the rows of an undisturbed run all the same."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.operations.installation import LEASE_SECONDS, ROOT, Installation, kill_with_job

STAGES = ("crawler_crawl", "embeddings_embeddingrun", "recommendations_recommendationrun")
#: Slow enough for the crawl to be caught at its work.
SECONDS_BETWEEN_REQUESTS = 0.05


@dataclass(frozen=True)
class Rows:
    """What a run leaves behind, by addresses, since ids differ."""

    counts: tuple[int, ...]
    links: dict[tuple[str, str, str], float]


def read_rows(one: Installation) -> Rows:
    tables = ("crawler_page", "crawler_link", "crawler_sentence", "recommendations_recommendation", *STAGES)
    links = one.rows(
        "SELECT s.url, t.url, r.anchor_text, r.score FROM recommendations_recommendation r "
        "JOIN crawler_page s ON s.id = r.source_id JOIN crawler_page t ON t.id = r.target_id"
    )
    return Rows(
        counts=tuple(one.rows(f"SELECT count(*) FROM {table}")[0][0] for table in tables),
        links={(source, target, anchor): score for source, target, anchor, score in links},
    )


@pytest.fixture(scope="module")
def demo_url() -> Iterator[str]:
    process = subprocess.Popen([sys.executable, "-m", "demo.serve", "0"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        yield process.stdout.readline().split()[-1]
    process.terminate()
    process.wait(10)


def new_installation(folder: str, database: Path, url: str) -> Installation:
    shutil.copy(database, folder)
    lease_seconds = int(os.environ.get("TAKEOVER_LEASE_SECONDS", LEASE_SECONDS))
    one = Installation(Path(folder), stand_ins=False, lease_seconds=lease_seconds)
    one.start_queue()
    one.do(
        f"site = Site.objects.create(name='demo', start_url='{url}', "
        f"seconds_between_requests={SECONDS_BETWEEN_REQUESTS})\npipeline.start_pipeline(site.pk)"
    )
    return one


def wait_for_end(one: Installation) -> None:
    one.wait_for("end", lambda: one.status_of(STAGES[2]) not in ("queued", "running"), 240)
    assert [one.status_of(stage) for stage in STAGES] == ["done"] * 3, one.rows(f"SELECT error FROM {STAGES[0]}")


def is_at_work(one: Installation, stage: str) -> bool:
    """Whether the stage is in the middle of its work; fails when it has ended unseen."""
    ((status, done, total),) = one.rows(f"SELECT status, progress_done, progress_total FROM {stage}")
    assert status in ("queued", "running"), f"{stage} was {status} before its worker could be killed"
    return bool(status == "running" and total and (done or stage != STAGES[0]))


@pytest.mark.slow
def test_killing_the_worker_in_every_stage_changes_no_row(demo_url: str, migrated_database: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="linkrec-") as folder:
        undisturbed = new_installation(folder, migrated_database, demo_url)
        try:
            undisturbed.start_worker()
            wait_for_end(undisturbed)
            expected = read_rows(undisturbed)
        finally:
            undisturbed.stop()
    with tempfile.TemporaryDirectory(prefix="linkrec-") as folder:
        killed = new_installation(folder, migrated_database, demo_url)
        takeovers = {}
        try:
            for stage in STAGES:
                takeovers[stage] = kill_at_work(killed, stage)
            killed.start_worker()
            wait_for_end(killed)
            found = read_rows(killed)
        finally:
            killed.stop()
    print("seconds to takeover:", {stage: round(seconds, 1) for stage, seconds in takeovers.items()})
    assert expected.links, "the undisturbed run recommended nothing"
    assert found.counts == expected.counts
    common = expected.links.keys() & found.links.keys()
    assert len(common) >= 0.999 * len(expected.links)
    assert max(abs(expected.links[link] - found.links[link]) for link in common) <= 0.001


def kill_at_work(one: Installation, stage: str) -> float:
    """kill -9 in the middle of the stage, then once more as soon as its successor has ended it; seconds to takeover."""
    worker = one.start_worker()
    one.wait_for(f"work at {stage}", lambda: is_at_work(one, stage), 120)
    kill_with_job(worker)
    attempts = attempts_of(one, stage)
    successor = one.start_worker()
    seconds = one.wait_for(f"takeover of {stage}", lambda: attempts_of(one, stage) > attempts, 90)
    one.wait_for(f"end of {stage}", lambda: one.status_of(stage) == "done", 240)
    kill_with_job(successor)
    return seconds


def attempts_of(one: Installation, stage: str) -> int:
    return int(one.rows(f"SELECT attempts FROM {stage}")[0][0])
