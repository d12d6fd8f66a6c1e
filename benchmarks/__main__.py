"""Runs every speed and memory measurement, each in a process of its own, and ends with one table.

    python -m benchmarks [--quick] [--only NAME ...]

Exit status 1 where a measurement missed its bound or failed. Quality is `python -m benchmarks.evaluate`.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.corpora import ROOT, CorporaMissing, find_corpora
from benchmarks.product_run import Installation
from benchmarks.tables import format_table


@dataclass(frozen=True, slots=True)
class Measurement:
    """A module of this package with its options for a full and a quick run."""

    name: str
    full: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()
    needs_corpora: bool = False


MEASUREMENTS = (
    Measurement("embedding"),
    Measurement("extraction", quick=("--pages", "60"), needs_corpora=True),
    Measurement("anchors", quick=("--links", "60")),
    Measurement("crawl", quick=("--pages", "300", "--plain", "100")),
    Measurement("complete_crawls", needs_corpora=True, quick=("django_small", "multilang_small")),
    Measurement("memory_and_time", quick=("--pages", "100", "--sentences", "20")),
    Measurement("recrawl", quick=("--pages", "100", "--changed", "1", "--sentences", "20")),
)


def has_corpora() -> bool:
    """Whether there is anything real to measure on."""
    try:
        return bool(find_corpora())
    except CorporaMissing:
        return False


def run_measurement(measurement: Measurement, is_quick: bool) -> tuple[str, float]:
    """Its verdict and seconds."""
    if not (ROOT / "benchmarks" / f"{measurement.name}.py").is_file():
        return "absent", 0.0
    if measurement.needs_corpora and not has_corpora():
        return "left out: the corpora in ../shared are absent", 0.0
    options = measurement.quick if is_quick else measurement.full
    start = time.monotonic()
    environment = Installation(ROOT / "var").environment()
    command = [sys.executable, "-m", f"benchmarks.{measurement.name}", *options]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    return ("ok" if done.returncode == 0 else f"failed ({done.returncode})"), time.monotonic() - start


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, and say what failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, for a first look")
    parser.add_argument("--only", action="append", choices=[m.name for m in MEASUREMENTS], default=[])
    options = parser.parse_args(arguments)
    rows: list[tuple[str, str, str]] = []
    for measurement in MEASUREMENTS:
        if options.only and measurement.name not in options.only:
            continue
        print(f"== {measurement.name}", flush=True)
        verdict, seconds = run_measurement(measurement, options.quick)
        rows.append((measurement.name, f"{seconds:.0f} s", verdict))
        print(flush=True)
    print(format_table(["measurement", "time", "verdict"], rows))
    return 1 if any(verdict.startswith(("failed", "absent")) for _, _, verdict in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
