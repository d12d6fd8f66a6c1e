"""Runs the product through its public commands in a data directory of its own. Leaves scoring to `evaluate`."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.corpora import ROOT


class RunFailed(Exception):
    """A command ended with an error; the message holds its last lines."""


@dataclass(frozen=True, slots=True)
class Installation:
    """A data directory: one whole installation of the product. Models are shared, so that none is converted twice."""

    data_dir: Path

    def environment(self) -> dict[str, str]:
        """This process' environment, pointed at the data directory and allowed to read loopback sites."""
        environment = dict(os.environ)
        for name in ("DATABASE_URL", "REDIS_URL", "LINKREC_MODEL", "DJANGO_SETTINGS_MODULE"):
            environment.pop(name, None)
        environment.setdefault("LINKREC_MODEL_DIR", str(ROOT / "var" / "models"))
        return environment | {
            "LINKREC_DATA_DIR": str(self.data_dir),
            "LINKREC_ALLOWED_PRIVATE_HOSTS": "127.0.0.1",
        }

    def run(self, arguments: Sequence[str], is_quiet: bool = True) -> None:
        """Run Python with these arguments in the checkout. Raises RunFailed with the end of what it printed."""
        stream = subprocess.PIPE if is_quiet else None
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stream,
            text=True,
            check=False,
        )
        if done.returncode:
            tail = "\n".join((done.stderr or "").strip().splitlines()[-15:])
            raise RunFailed(f"`{' '.join(arguments)}` ended with exit status {done.returncode}:\n{tail}")

    def manage(self, *arguments: str, is_quiet: bool = True) -> None:
        """Run a management command."""
        self.run(["manage.py", *arguments], is_quiet)


@dataclass(frozen=True, slots=True)
class ProductRun:
    """What one run of `linkrec` gave: recommendations per source in descending order, and its own figures."""

    rows: list[dict[str, Any]]
    figures: dict[str, Any]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The recommendations of an export."""
    data = json.loads(path.read_text("utf-8"))
    return list(data["recommendations"] if isinstance(data, dict) else data)


def run_linkrec(
    installation: Installation,
    url: str,
    *,
    model: str = "",
    threshold: float | None = 0.0,
    top: int = 10,
    is_quiet: bool = True,
) -> ProductRun:
    """Crawl, embed, recommend and export by the one public command."""
    installation.data_dir.mkdir(parents=True, exist_ok=True)
    output = installation.data_dir / "linkrec.json"
    figures = installation.data_dir / "figures.json"
    arguments = ["linkrec", url, "--format", "json", "--output", str(output), "--top", str(top)]
    arguments += ["--figures", str(figures)]
    arguments += ["--threshold", str(threshold)] if threshold is not None else []
    arguments += ["--model", model] if model else []
    installation.manage(*arguments, is_quiet=is_quiet)
    return ProductRun(read_rows(output), json.loads(figures.read_text("utf-8")) if figures.is_file() else {})


def run_baseline(
    installation: Installation, module: str, url: str, *, model: str = "", options: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Run another method (a module of this package) on the same rows and vectors."""
    output = installation.data_dir / f"{'-'.join([module, *options]).replace('--', '')}.json"
    arguments = ["-m", f"benchmarks.{module}", url, "--output", str(output), *options]
    installation.run([*arguments, *(["--model", model] if model else [])])
    return read_rows(output)
