"""Runs the whole job on a site of 2,000 pages and watches every process: time by stage, and peak memory.

    python -m benchmarks.memory_and_time [--pages 2000] [--sentences 45] [--json OUT]

Exit status 1 where a process took more than the bound of 2 GiB or the run failed.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpora import ROOT
from benchmarks.generated_site import make_site, served_site
from benchmarks.process_tree import TreeFigures, run_watched
from benchmarks.product_run import Installation, read_rows
from benchmarks.tables import format_table

BOUND_BYTES = 2 * 1024**3


def measure(page_count: int, sentences_per_page: int) -> dict[str, Any]:
    """Figures of one run of `linkrec` on a generated site."""
    site = make_site(page_count, sentences_per_page)
    with tempfile.TemporaryDirectory(prefix="linkrec-memory-") as folder, served_site(site) as url:
        installation = Installation(Path(folder))
        output, figures_file = Path(folder) / "links.json", Path(folder) / "figures.json"
        command = [sys.executable, "manage.py", "linkrec", url, "--format", "json", "--output", str(output)]
        command += ["--figures", str(figures_file)]
        tree = run_watched(command, cwd=ROOT, environment=installation.environment())
        if tree.status:
            sys.exit(f"memory_and_time: linkrec ended with exit status {tree.status}.")
        figures = json.loads(figures_file.read_text("utf-8")) if figures_file.is_file() else {}
        return _collect(page_count, sentences_per_page, tree, figures, len(read_rows(output)))


def _collect(
    pages: int, sentences: int, tree: TreeFigures, figures: dict[str, Any], recommendations: int
) -> dict[str, Any]:
    command, peak = tree.largest()
    return {
        "pages": pages,
        "sentences_per_page": sentences,
        "recommendations": recommendations,
        "seconds": round(tree.seconds, 1),
        "pages_per_second": round(pages / tree.seconds, 2),
        "stages": {name: float(stage["seconds"]) for name, stage in figures.get("stages", {}).items()},
        "peak_rss_bytes": peak,
        "peak_process": command[-120:],
        "processes": len(tree.peak_bytes),
    }


def format_figures(figures: dict[str, Any]) -> str:
    """Time by stage and the peak against its bound."""
    rows: list[list[object]] = [[f"{name}, seconds", seconds] for name, seconds in figures["stages"].items()]
    rows += [
        ["whole run, seconds", figures["seconds"]],
        ["pages a second", figures["pages_per_second"]],
        ["recommendations", figures["recommendations"]],
        ["peak memory of any process, MiB", round(figures["peak_rss_bytes"] / 1024**2)],
        ["bound, MiB", BOUND_BYTES // 1024**2],
    ]
    header = [f"{figures['pages']:,} pages, {figures['sentences_per_page']} sentences each", "figure"]
    return format_table(header, rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and compare with the bound."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--sentences", type=int, default=45, help="sentences on a page")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    start = time.monotonic()
    figures = measure(options.pages, options.sentences)
    print(format_figures(figures))
    print(f"largest process: {figures['peak_process']} ({time.monotonic() - start:.0f} s in all)")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1), "utf-8")
    return 0 if figures["peak_rss_bytes"] <= BOUND_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
