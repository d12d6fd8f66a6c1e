"""Runs the product through its public commands in a data directory of its own. Leaves scoring to `evaluation`."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.corpora import ROOT, Corpus, served, unpacked


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


@contextlib.contextmanager
def installation_for(corpus: Corpus, keep: Path | None) -> Iterator[tuple[Installation, int]]:
    """A data directory and a port: temporary, or kept under `keep` so that a later run embeds only what is new."""
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="linkrec-evaluate-") as folder:
            yield Installation(Path(folder)), 0
        return
    kept = (keep / corpus.name).resolve()
    kept.mkdir(parents=True, exist_ok=True)
    port_file = kept / "port"
    yield Installation(kept), int(port_file.read_text()) if port_file.is_file() else 0


@contextlib.contextmanager
def served_installation(path: Path, keep: Path | None = None) -> Iterator[tuple[Corpus, str, Installation]]:
    """A corpus unpacked and served, its start URL, and a data directory for it."""
    with (
        unpacked(path) as corpus,
        installation_for(corpus, keep) as (installation, port),
        served(corpus, port, is_conditional=False) as url,
    ):
        (installation.data_dir / "port").write_text(url.rsplit(":", 1)[1].strip("/"))
        yield corpus, url, installation


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


def run_module(
    installation: Installation, module: str, url: str, *, model: str = "", options: Sequence[str] = ()
) -> Path:
    """Run a module of this package on the same rows and vectors; the file that it wrote."""
    output = installation.data_dir / f"{'-'.join([module, *options]).replace('--', '')}.json"
    arguments = ["-m", f"benchmarks.{module}", url, "--output", str(output), *options]
    installation.run([*arguments, *(["--model", model] if model else [])])
    return output


def run_baseline(
    installation: Installation, module: str, url: str, *, model: str = "", options: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The recommendations of another method on the same rows and vectors."""
    return read_rows(run_module(installation, module, url, model=model, options=options))


def recommend_at_default(installation: Installation, url: str, model: str = "") -> list[dict[str, Any]]:
    """The product's own threshold, on what was just crawled and embedded."""
    output = installation.data_dir / "default_threshold.json"
    installation.manage("recommend_links", url, *(["--model", model] if model else []))
    installation.manage("export_links", url, "--format", "json", "--output", str(output))
    return read_rows(output)
