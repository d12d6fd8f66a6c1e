"""Reads a site of 1,000 pages, changes 10 of them, and brings it up to date: what that costs of the first run's time.

    python -m benchmarks.recrawl [--pages 1000] [--changed 10] [--sentences 45] [--json OUT]

Fetching is left out; what a crawl does over all pages at its end is measured on its own, and counts. The rows must be
those of a run over everything with the same frozen weights. Exit status 1 where they are not, or the goal of 5 % is
missed.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.generated_site import GeneratedSite, make_site, served_site
from benchmarks.product_run import Installation
from benchmarks.tables import format_table

GOAL, LEAST_PAGES = 0.05, 1000
_COLUMNS = (
    "source_id", "target_id", "anchor_text", "anchor_start", "sentence_hash", "block", "match_index", "rank", "score",
)  # fmt: skip


def change_pages(site: GeneratedSite, count: int) -> None:
    """A sentence of `count` pages, spread over the site, says something new."""
    paths = sorted(site.pages)
    for number in range(count):
        path = paths[number * len(paths) // count]
        new = f"<p>In week {number} the ladder of house {number} broke, and nobody was hurt. "
        site.pages[path] = site.pages[path].decode().replace("<p>", new, 1).encode()


def measure(page_count: int, changed: int, sentences: int) -> dict[str, Any]:
    """Seconds of both runs by stage, and whether their rows are right."""
    site = make_site(page_count, sentences)
    with tempfile.TemporaryDirectory(prefix="linkrec-recrawl-") as folder, served_site(site) as url:
        installation = Installation(Path(folder))
        first = _run(installation, url)
        change_pages(site, changed)
        again = _run(installation, url)
        compared = Path(folder) / "compared.json"
        installation.run(["-m", "benchmarks.recrawl", "--compare", url, "--json", str(compared)])
        return {
            "pages": page_count,
            "changed": changed,
            "sentences_per_page": sentences,
            "first": first,
            "again": again,
            **json.loads(compared.read_text("utf-8")),
        }


def _run(installation: Installation, url: str) -> dict[str, Any]:
    installation.data_dir.mkdir(parents=True, exist_ok=True)
    output, figures = installation.data_dir / "links.json", installation.data_dir / "figures.json"
    installation.manage("linkrec", url, "--format", "json", "--output", str(output), "--figures", str(figures))
    stages = json.loads(figures.read_text("utf-8"))["stages"]
    ends = installation.data_dir / "ends.json"
    installation.run(["-m", "benchmarks.recrawl", "--ends", url, "--json", str(ends)])
    seconds = {"crawl's end": json.loads(ends.read_text("utf-8"))["seconds"]}
    seconds |= {name: float(stages[name]["seconds"]) for name in ("embed", "recommend")}
    told = {name: stages["recommend"][name] for name in ("kind", "why", "ranked", "kept", "recommendations")}
    return {"seconds": seconds, **told}


def time_ends(url: str) -> dict[str, Any]:
    """What a crawl does over all pages at its end, done once more on the finished rows."""
    _set_up()
    from crawler.click_depth import measure_click_depth
    from crawler.link_resolution import resolve_links
    from crawler.models import Site
    from crawler.site_boilerplate import mark_site_boilerplate

    site = Site.objects.get(start_url=url)
    crawl_id = site.crawls.order_by("-pk").values_list("pk", flat=True)[0]
    started = time.perf_counter()
    resolve_links(site.pk, crawl_id, lambda: None)
    measure_click_depth(site.pk, site.start_url, lambda: None)
    mark_site_boilerplate(site.pk)
    return {"seconds": round(time.perf_counter() - started, 2)}


def compare_with_everything(url: str) -> dict[str, Any]:
    """The last run's rows beside those of a run that ranks every page with the same frozen weights."""
    _set_up()
    from crawler.models import Site
    from recommendations.models import Recommendation, RecommendationRun
    from recommendations.services import recommend_site

    site = Site.objects.get(start_url=url)
    last = RecommendationRun.objects.filter(site=site).order_by("-pk")[0]
    run = RecommendationRun.objects.create(site=site)
    recommend_site(site.pk, run.pk, is_all_ranked=True)

    def rows(of_run: RecommendationRun) -> list[tuple[Any, ...]]:
        found = Recommendation.objects.filter(run=of_run).order_by("source_id", "rank").values_list(*_COLUMNS)
        return [(*row[:-1], round(row[-1], 6)) for row in found]

    return {"are_equal": rows(last) == rows(run)}


def _set_up() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkrec_site.settings")
    django.setup()


def ratio(figures: dict[str, Any]) -> float:
    """The second run's time as a share of the first's."""
    again, first = (sum(figures[run]["seconds"].values()) for run in ("again", "first"))
    return float(again / first)


def format_figures(figures: dict[str, Any]) -> str:
    """Seconds by stage of both runs."""
    first, again = figures["first"], figures["again"]
    rows: list[list[object]] = [
        [f"{stage}, seconds", first["seconds"][stage], again["seconds"][stage]] for stage in first["seconds"]
    ]
    sums = [round(sum(run["seconds"].values()), 1) for run in (first, again)]
    rows += [
        ["after fetching, seconds", *sums],
        ["pages ranked", first["ranked"], again["ranked"]],
        ["pages that kept their links", first["kept"], again["kept"]],
        ["share of the first run", "", f"{ratio(figures):.1%} (goal {GOAL:.0%})"],
        ["rows equal to a run over everything", "", "yes" if figures["are_equal"] else "NO"],
    ]
    header = [f"{figures['pages']:,} pages, {figures['sentences_per_page']} sentences each", "first run"]
    return format_table([*header, f"{figures['changed']} pages changed"], rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and compare with the goal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--changed", type=int, default=10)
    parser.add_argument("--sentences", type=int, default=45, help="sentences on a page")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--ends", help=argparse.SUPPRESS)
    parser.add_argument("--compare", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.ends or options.compare:
        figures = time_ends(options.ends) if options.ends else compare_with_everything(options.compare)
        options.json.write_text(json.dumps(figures), "utf-8")
        return 0
    figures = measure(options.pages, options.changed, options.sentences)
    print(format_figures(figures))
    print(f"second run: {figures['again']['why']}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1), "utf-8")
    # Of a small site loading the model is most of both runs.
    is_goal_met = ratio(figures) <= GOAL or options.pages < LEAST_PAGES
    return 0 if figures["are_equal"] and is_goal_met else 1


if __name__ == "__main__":
    sys.exit(main())
