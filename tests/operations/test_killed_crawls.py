"""kill -9 at ten random moments of two crawls, and stops between them: the rows of an undisturbed one all the same."""

import contextlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.crawler.loopback import Answer, LoopbackSite, page, serve, sitemap
from tests.operations.installation import ROOT

pytestmark = pytest.mark.slow

KILLS = 10
#: Times, ids and tokens; what names another row is compared by its address.
LEFT_OUT = {
    "id",
    "is_stop_requested",
    "at",
    "attempt_token",
    "attempts",
    "changed_at",
    "crawl_id",
    "created_at",
    "fetched_at",
    "finished_at",
    "heartbeat_at",
    "last_crawl_id",
    "live",
    "next_run_at",
    "page_id",
    "progress_done",
    "progress_total",
    "response_seconds",
    "started_at",
    "target_id",
}
TABLES = {
    "crawler_page": "SELECT p.last_crawl_id IS NULL AS unvisited, p.* FROM crawler_page p ORDER BY p.id",
    "crawler_link": "SELECT s.url AS source, t.url AS target, l.* FROM crawler_link l JOIN crawler_page s ON "
    "s.id = l.page_id LEFT JOIN crawler_page t ON t.id = l.target_id ORDER BY s.id, l.ordinal",
    "crawler_sentence": "SELECT p.url, s.* FROM crawler_sentence s JOIN crawler_page p ON p.id = s.page_id "
    "ORDER BY p.id, s.ordinal",
    "crawler_pagebody": "SELECT p.url, b.* FROM crawler_pagebody b JOIN crawler_page p ON p.id = b.page_id "
    "ORDER BY p.id",
    "crawler_pageevent": "SELECT p.url, e.crawl_id - (SELECT min(id) FROM crawler_crawl) AS crawl, e.* "
    "FROM crawler_pageevent e JOIN crawler_page p ON p.id = e.page_id ORDER BY p.id, e.id",
    "crawler_crawl": "SELECT * FROM crawler_crawl ORDER BY id",
}


def read_rows(data_dir: Path) -> dict[str, list[dict[str, Any]]]:
    found = {}
    with contextlib.closing(sqlite3.connect(data_dir / "db.sqlite3", timeout=30)) as database:
        database.row_factory = sqlite3.Row
        for table, statement in TABLES.items():
            rows = [dict(row) for row in database.execute(statement)]
            found[table] = [{name: row[name] for name in row if name not in LEFT_OUT} for row in rows]
    for row in found["crawler_crawl"]:
        row["figures"] = {name: value for name, value in json.loads(row["figures"]).items() if name != "seconds"}
    return found


def first_site(site: LoopbackSite) -> dict[str, Answer]:
    pages: dict[str, Answer] = {
        "/": page("Home", links={f"/{n}": f"to number {n}" for n in range(30)} | {"/pic.png": "a picture"}),
        "/sitemap.xml": sitemap(*(site.at(f"/lonely/{n}") for n in range(20))),
    }
    for number in range(100):
        links = {f"/{number * 2 + 1}": "next", f"/{number * 2 + 2}": "over next", "/": "home"}
        # Words of its own, or so many alike would be a list without end.
        name = "".join("abcdefghij"[int(digit)] for digit in str(number))
        text = (
            f"What {name} was is told by {name}ers, and {name}ing is for those whom {name}s have {name}ed. All of it."
        )
        pages[f"/{number}"] = page(f"Number {number}", text=text, links=links)
    pages |= {f"/lonely/{n}": page(f"Lonely {n}", links={f"/lonely/{n}/": "itself"}) for n in range(20)}
    pages |= {f"/lonely/{n}/": pages[f"/lonely/{n}"] for n in range(20)}
    pages["/9"] = (301, {"Location": "/8"}, "")
    pages["/20"] = (302, {"Location": "/21"}, "")
    pages["/21"] = (302, {"Location": "/20"}, "")
    return pages


def change(pages: dict[str, Answer]) -> None:
    """What the second crawl finds: pages that moved, went, failed, changed, came, and one text instead of three."""
    for number in range(40, 70, 3):
        pages[f"/{number}"] = page(f"Number {number}, revised", links={f"/new/{number}": "new", "/3": "three"})
        pages[f"/new/{number}"] = page(f"New {number}")
    pages["/31"], pages["/32"], pages["/33"] = (404, {}, ""), (410, {}, ""), (403, {}, "")
    pages["/34"] = (301, {"Location": "/34/"}, "")
    pages["/34/"] = page("Number 34", links={"/69": "next"})
    for number in (71, 72, 73, 90):
        pages[f"/{number}"] = page("Back soon", text="We are working on it. Please come again tomorrow.")
    for number in (10, 38, 84):
        pages[f"/{number}"] = page("Moved", text="These pages say the same, but far apart. That is no outage.")
    pages["/lonely/3"] = page("Lonely 3, revised")


def crawl(data_dir: Path, site: LoopbackSite, moments: list[tuple[str, float]]) -> dict[str, Any]:
    environment = os.environ | {
        "LINKREC_DATA_DIR": str(data_dir),
        "LINKREC_LEASE_SECONDS": "1",
        "DJANGO_SETTINGS_MODULE": "linkrec_site.settings",
    }
    command = [sys.executable, "-m", "tests.operations.killed_crawls", site.url, json.dumps(moments)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert told["status"] == "done", done.stderr
    return told


def test_ten_kills_and_two_stops_change_no_row(tmp_path: Path, migrated_database: Path) -> None:
    chance = random.Random(4)
    calm, killed = tmp_path / "calm", tmp_path / "killed"
    with serve() as site:
        site.answers = first_site(site)
        cut = 0
        for folder in (calm, killed):
            folder.mkdir()
            shutil.copy(migrated_database, folder)
        for round_number in range(2):
            if round_number:
                change(site.answers)
            started = time.monotonic()
            crawl(calm, site, [])
            seconds = time.monotonic() - started
            marks = sorted(chance.uniform(0.0, seconds) for _ in range(KILLS // 2 + 1))
            ways = ["kill"] * (KILLS // 2) + ["stop"]
            chance.shuffle(ways)
            # Each attempt gets the time between two marks, and what it takes to open the site once more.
            moments = [(way, max(0.05, b - a)) for way, a, b in zip(ways, [0.0, *marks], marks, strict=False)]
            cut += crawl(killed, site, moments)["cut"]
            expected, found = read_rows(calm), read_rows(killed)
            for table, rows in expected.items():
                assert found[table] == rows, table
        assert cut >= KILLS, f"only {cut} attempts were cut short"
    assert {row["status"] for row in expected["crawler_page"]} == {"read", "redirect", "skipped", "failed", "gone"}
