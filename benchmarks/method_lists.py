"""Runs the product and the compared methods on one served corpus, in one go. Leaves scoring to `evaluation`.

(a) mean vectors, (b) BM25, and titles mentioned, (c) the product without abstention, (d) the product at its own
threshold; and the engine's ranked candidates.
"""

import datetime
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.candidates import RankedCandidates, read_candidates
from benchmarks.corpora import ROOT, Corpus
from benchmarks.product_run import Installation, recommend_at_default, run_baseline, run_linkrec, run_module
from benchmarks.scoring import Rows

PRODUCT, PRODUCT_DEFAULT, MEAN = "product", "product, default threshold", "mean vectors"
#: name in the table -> module of this package, and its options
BASELINES: dict[str, tuple[str, tuple[str, ...]]] = {
    MEAN: ("mean_vectors", ()),
    "BM25": ("lexical", ("--method", "bm25")),
    "title mentions": ("lexical", ("--method", "mentions")),
}


@dataclass(slots=True)
class MethodLists:
    """What every method proposed on one corpus with one model, of one run.

    `code` names the commit that was run, with a plus where files differed from it.
    """

    model: str
    date: str
    code: str
    rows: dict[str, Rows]
    candidates: RankedCandidates
    run: dict[str, Any] = field(default_factory=dict)


def run_methods(
    corpus: Corpus, url: str, installation: Installation, model: str, baselines: Sequence[str]
) -> MethodLists:
    """Everything on the same crawl and the same vectors; kept for `read_lists`. Raises RunFailed."""
    code = code_state()
    run = run_linkrec(installation, url, model=model, threshold=0)
    used = run.figures.get("stages", {}).get("embed", {}).get("model_name") or model or "chosen by the product"
    rows: dict[str, Rows] = {
        name: run_baseline(installation, BASELINES[name][0], url, model=model, options=BASELINES[name][1])
        for name in baselines
    }
    rows[PRODUCT] = run.rows
    started = _cpu_seconds()
    rows[PRODUCT_DEFAULT] = recommend_at_default(installation, url, model)
    run.figures["recommend_cpu_seconds"] = round(_cpu_seconds() - started, 2)
    candidates = read_candidates(run_module(installation, "candidates", url, model=model))
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    lists = MethodLists(used, today, code, rows, candidates, run.figures)
    _lists_file(installation, model).write_text(json.dumps(asdict(lists)), "utf-8")
    return lists


def read_lists(installation: Installation, model: str) -> MethodLists | None:
    """What the last run kept, if any; never compared with a floor."""
    file = _lists_file(installation, model)
    if not file.is_file():
        return None
    data = json.loads(file.read_text("utf-8"))
    data["candidates"] = RankedCandidates.from_json(data["candidates"])
    return MethodLists(**data)


def _lists_file(installation: Installation, model: str) -> Path:
    name = (model or "chosen").replace("/", "-")
    return installation.data_dir / f"lists.{name}.json"


def _cpu_seconds() -> float:
    """Of the commands run so far; unlike wall seconds it does not grow when neighbours are busy."""
    times = os.times()
    return times.children_user + times.children_system


def code_state() -> str:
    """The commit that is checked out, with a plus where something of the product was changed since."""
    try:
        commit = _git("rev-parse", "--short=12", "HEAD")
        return commit + ("+" if _git("status", "--porcelain", "--", "crawler", "embeddings", "recommendations") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()
