"""Crawls generated sites from loopback on one core: pages a second, and peak memory for a small and a large one.

    python -m benchmarks.crawl [--pages 1000 20000] [--sentences 45] [--plain 300]

Beside it the plain method: one page after the other with requests and BeautifulSoup, keeping title, text and links.
The server has the other core. Pages per CPU second is what a core does that nothing else disturbs; a crawl whose
process waits is told by the seconds beside it. Exit status 1 where fewer than 50 pages a CPU second were read or memory
grew by more than 100 MiB from the smallest to the largest site.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpora import ROOT
from benchmarks.generated_site import path_of
from benchmarks.large_site import served_large_site
from benchmarks.product_run import Installation
from benchmarks.tables import format_table

LEAST_PAGES_PER_SECOND = 50
MOST_GROWTH_BYTES = 100 * 1024**2


def crawl_here(url: str) -> dict[str, Any]:
    """Crawl in this process; what it took. A second time, where all is unchanged, as well."""
    import django

    django.setup()
    from crawler.models import Crawl, Site
    from crawler.services import crawl_site, get_or_create_site
    from linkrec_site.data_directory import prepare_data_directory

    prepare_data_directory()
    site = get_or_create_site(url, max_pages=100_000)
    Site.objects.filter(pk=site.pk).update(seconds_between_requests=0.0)
    told: dict[str, Any] = {}
    for name in ("first", "again"):
        crawl = Crawl.objects.create(site=site)
        steps: list[tuple[str, float]] = []

        def progress(done: int, total: int, note: str, steps: list[tuple[str, float]] = steps) -> None:
            if not steps or steps[-1][0] != note:
                steps.append((note, time.monotonic()))

        started, cpu = time.monotonic(), time.process_time()
        figures = crawl_site(site.pk, crawl.pk, progress=progress)
        Crawl.objects.filter(pk=crawl.pk).update(status="done")
        told[name] = {
            "pages": figures["read"],
            "unchanged": figures["unchanged"],
            "links": figures["links"],
            "seconds": time.monotonic() - started,
            "cpu_seconds": time.process_time() - cpu,
            "end_seconds": time.monotonic() - steps[-1][1],
        }
        told.setdefault("peak_bytes", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    return told


def read_plainly(url: str, pages: int) -> dict[str, Any]:
    """The plain method on the first pages of the same site."""
    import requests
    from bs4 import BeautifulSoup

    kept = []
    started, cpu = time.monotonic(), time.process_time()
    for number in range(pages):
        answer = requests.get(url if not number else url.rstrip("/") + path_of(number), timeout=30)
        soup = BeautifulSoup(answer.text, "html.parser")
        links = [link.get("href") for link in soup.find_all("a")]
        kept.append((soup.title.string if soup.title else "", soup.get_text(" "), links))
    return {"pages": len(kept), "seconds": time.monotonic() - started, "cpu_seconds": time.process_time() - cpu}


def measure(url: str, *options: str) -> dict[str, Any]:
    """The figures of a process of its own, on the first core."""
    with tempfile.TemporaryDirectory(prefix="linkrec-crawl-") as folder:
        environment = Installation(Path(folder)).environment() | {"DJANGO_SETTINGS_MODULE": "linkrec_site.settings"}
        command = [sys.executable, "-m", "benchmarks.crawl", "--here", url, *options]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False, preexec_fn=_take_core
        )
    if done.returncode:
        sys.exit(f"crawl: measuring {url} ended with exit status {done.returncode}.")
    figures: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return figures


def _take_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and compare with the bounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, nargs="+", default=[1_000, 20_000])
    parser.add_argument("--sentences", type=int, default=45, help="sentences on a page")
    parser.add_argument("--plain", type=int, default=300, help="pages that the plain method reads")
    parser.add_argument("--here", help=argparse.SUPPRESS)
    parser.add_argument("--plainly", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.here:
        told = read_plainly(options.here, options.plainly) if options.plainly else crawl_here(options.here)
        print(json.dumps(told))
        return 0
    rows: list[list[object]] = []
    peaks: list[int] = []
    rates: list[float] = []
    for pages in options.pages:
        with served_large_site(pages, options.sentences) as url:
            if not rows:
                plain = measure(url, "--plainly", str(min(options.plain, pages)))
                rows.append(_row("plain, one after the other", plain, plain))
            told = measure(url)
        rows.append(_row(f"first crawl of {pages:,} pages", told["first"], plain, told["peak_bytes"]))
        rows.append(_row("again, all unchanged", told["again"], plain))
        peaks.append(told["peak_bytes"])
        rates.append(told["first"]["pages"] / told["first"]["cpu_seconds"])
    header = ["crawl", "pages", "seconds", "pages/s", "pages/CPU s", "times plain", "end steps, s", "peak MiB"]
    print(format_table(header, rows))
    print(f"memory grew by {(max(peaks) - peaks[0]) / 1024**2:.0f} MiB (bound {MOST_GROWTH_BYTES // 1024**2})")
    is_fast = min(rates) >= LEAST_PAGES_PER_SECOND
    return 0 if is_fast and max(peaks) - peaks[0] <= MOST_GROWTH_BYTES else 1


def _row(name: str, told: dict[str, Any], plain: dict[str, Any], peak: int = 0) -> list[object]:
    rate, plain_rate = (each["pages"] / each["cpu_seconds"] for each in (told, plain))
    end = f"{told['end_seconds']:.1f}" if "end_seconds" in told else ""
    return [
        name,
        f"{told['pages']:,}",
        f"{told['seconds']:.1f}",
        f"{told['pages'] / told['seconds']:.1f}",
        f"{rate:.1f}",
        f"{rate / plain_rate:.1f}",
        end,
        f"{peak / 1024**2:.0f}" if peak else "",
    ]


if __name__ == "__main__":
    sys.exit(main())
