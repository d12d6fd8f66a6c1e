"""`manage.py crawl_site` as people run it: a process of its own, with its own data directory."""

import os
import re
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from crawler.models import Site
from crawler.services import get_or_create_site
from tests.crawler.loopback import Answer, Handler, LoopbackSite, page, serve

LEASE_SECONDS = 4
ROOT = Path(__file__).resolve().parents[2]


def start(data_dir: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "manage.py", "crawl_site", *arguments],
        cwd=ROOT,
        env={
            **os.environ,
            "LINKREC_DATA_DIR": str(data_dir),
            "LINKREC_ALLOWED_PRIVATE_HOSTS": "127.0.0.1",
            "LINKREC_LEASE_SECONDS": str(LEASE_SECONDS),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def test_a_crawl_and_its_refusals(tmp_path: Path) -> None:
    with serve({"/": page("Home", links={"/a": "a"}), "/a": page("A")}) as site:
        code, out, err = finish(start(tmp_path, site.url, "--name", "Mine"))
        assert code == 0, err
        assert re.search(r"2 pages read \(0 unchanged\) in [\d.]+ s", out)
        assert "crawl:" in err
    code, out, err = finish(start(tmp_path, site.url))
    assert code == 1
    assert out == ""
    last = err.strip().splitlines()[-1]
    assert last.startswith(f"CommandError: {site.url} could not be read: no connection")
    assert "Traceback" not in err
    rows = sqlite3.connect(tmp_path / "db.sqlite3")
    assert rows.execute("SELECT status FROM crawler_crawl ORDER BY id").fetchall() == [("done",), ("failed",)]
    assert rows.execute("SELECT COUNT(*) FROM crawler_page WHERE status = 'read'").fetchone() == (2,)
    rows.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("command", ["crawl_site", "linkrec"])
def test_a_site_that_never_could_be_read_is_not_kept(command: str) -> None:
    with serve(fallback=(500, {}, "broken")) as site:
        with pytest.raises(CommandError, match="HTTP 500"):
            call_command(command, site.url)
        assert not Site.objects.exists()
        # Entered by somebody before: it is theirs.
        get_or_create_site(site.url)
        with pytest.raises(CommandError, match="HTTP 500"):
            call_command(command, site.url)
        assert Site.objects.get().crawls.get().status == "failed"


@pytest.mark.django_db
def test_a_page_limit_of_nothing_is_refused() -> None:
    with pytest.raises(CommandError, match="--max-pages is 0"):
        call_command("crawl_site", "https://example.com/", "--max-pages", "0")


def site_that_stalls(gate: threading.Event) -> dict[str, Answer]:
    """150 pages, of which half come at once and the rest when the gate opens."""

    def stall(handler: Handler) -> None:
        gate.wait(25)
        handler.answer(200, {}, page(f"Page {handler.path}").encode())

    numbers = range(150)
    pages: dict[str, Answer] = {f"/{n}": page(f"Page {n}", links={"/": "home"}) if n < 75 else stall for n in numbers}
    return {"/": page("Home", links={f"/{n}": f"n{n}" for n in numbers}), **pages}


def wait_for_request(site: LoopbackSite, path: str) -> None:
    deadline = time.monotonic() + 60
    while path not in site.paths():
        assert time.monotonic() < deadline, "the crawl does not get on"
        time.sleep(0.02)


def test_a_killed_crawl_goes_on_and_two_at_once_are_refused(tmp_path: Path) -> None:
    gate = threading.Event()
    with serve(site_that_stalls(gate)) as site:
        first = start(tmp_path, site.url)
        wait_for_request(site, "/75")
        code, _, err = finish(start(tmp_path, site.url))
        first.kill()
        finish(first)
        assert code == 1
        assert "is being read by another process" in err
        gate.set()
        asked_before = len(site.requests)
        # Started at once: it waits until it is certain that nobody holds the crawl.
        code, out, err = finish(start(tmp_path, site.url))
        assert code == 0, err
        assert "151 pages read" in out
        assert len(site.requests) - asked_before < 130
        rows = sqlite3.connect(tmp_path / "db.sqlite3")
        assert rows.execute("SELECT COUNT(*), COUNT(DISTINCT url) FROM crawler_page").fetchone() == (151, 151)
        assert rows.execute("SELECT status, attempts FROM crawler_crawl").fetchall() == [("done", 2)]
        rows.close()
