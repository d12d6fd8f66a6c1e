"""Measures the product's suggestions on links that editors really made, beside the plain methods, in one run.

    python -m benchmarks.evaluate [CORPUS ...] [--model NAME] [--json OUT] [--keep DIR] [--methods a,b]

Every corpus is served on loopback, read by the product's own `linkrec` command and scored; the compared methods run on
the same database and the same vectors. Without names: every archive under ../shared/corpora.
"""

import argparse
import contextlib
import datetime
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.corpora import CorporaMissing, Corpus, find_corpora, served, unpacked
from benchmarks.product_run import Installation, RunFailed, read_rows, run_baseline, run_linkrec
from benchmarks.scoring import Figures, Scorer
from benchmarks.tables import format_ratio, format_table

ENGLISH_MODEL = "all-MiniLM-L6-v2"
PRODUCT, PRODUCT_DEFAULT, MEAN = "product", "product, default threshold", "mean vectors"
#: name in the table -> module of this package, and its options
BASELINES: dict[str, tuple[str, tuple[str, ...]]] = {
    MEAN: ("mean_vectors", ()),
    "BM25": ("lexical", ("--method", "bm25")),
    "title mentions": ("lexical", ("--method", "mentions")),
}
MACRO_FIGURES = ("recall@10", "both@10", "all@10")


@dataclass(slots=True)
class Evaluation:
    """One corpus with one model: figures of each method, whole and by slice."""

    corpus: str
    sha256: str
    model: str
    date: str
    figures: dict[str, Figures] = field(default_factory=dict)
    slices: dict[str, dict[str, Figures]] = field(default_factory=dict)
    run: dict[str, Any] = field(default_factory=dict)


def evaluate(corpus: Corpus, url: str, installation: Installation, model: str, baselines: Sequence[str]) -> Evaluation:
    """Run the product and the compared methods on one served corpus."""
    scorer = Scorer(corpus)
    run = run_linkrec(installation, url, model=model, threshold=0)
    used = run.figures.get("stages", {}).get("embed", {}).get("model_name") or model or "chosen by the product"
    result = Evaluation(corpus.name, corpus.sha256, used, _today(), run=run.figures)
    lists = {
        name: run_baseline(installation, BASELINES[name][0], url, model=model, options=BASELINES[name][1])
        for name in baselines
    }
    lists[PRODUCT] = run.rows
    lists[PRODUCT_DEFAULT] = recommend_at_default(installation, url, model)
    for name, rows in lists.items():
        result.figures[name] = scorer.score(rows)
        result.slices[name] = scorer.slices(rows)
    return result


def recommend_at_default(installation: Installation, url: str, model: str) -> list[dict[str, Any]]:
    """The product's own threshold, on what was just crawled and embedded."""
    output = installation.data_dir / "default_threshold.json"
    installation.manage("recommend_links", url, *(["--model", model] if model else []))
    installation.manage("export_links", url, "--format", "json", "--output", str(output))
    return read_rows(output)


def _today() -> str:
    return datetime.datetime.now(tz=datetime.UTC).date().isoformat()


def models_to_run(corpus: Corpus, asked: Sequence[str]) -> Sequence[str]:
    """The models asked for, else the product's choice, and the English one too on a site of several languages."""
    if asked:
        return asked
    is_all_english = set(corpus.languages()) <= {"en"}
    return ("",) if is_all_english else ("", ENGLISH_MODEL)


@contextlib.contextmanager
def installation_for(corpus: Corpus, keep: Path | None) -> Iterator[tuple[Installation, int]]:
    """A data directory and a port: temporary, or kept under `keep` so that a later run crawls and embeds no more."""
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
    with unpacked(path) as corpus, installation_for(corpus, keep) as (installation, port), served(corpus, port) as url:
        (installation.data_dir / "port").write_text(url.rsplit(":", 1)[1].strip("/"))
        yield corpus, url, installation


def format_evaluation(result: Evaluation) -> str:
    """The whole table of one corpus: every figure of every method side by side, then the slices."""
    names = list(result.figures)
    header = [f"{result.corpus} ({result.model})", *names]
    rows = [[figure, *(result.figures[name].get(figure) for name in names)] for figure in result.figures[PRODUCT]]
    if MEAN in names:
        header.append("product / mean")
        for row in rows:
            product, mean = (result.figures[name].get(str(row[0])) for name in (PRODUCT, MEAN))
            row.append(format_ratio(product, mean))
    for part in result.slices[PRODUCT]:
        for figure in MACRO_FIGURES[:2]:
            pairs = result.slices[PRODUCT][part]["pairs"]
            values = [result.slices[name][part][figure] for name in names]
            ratio = [format_ratio(values[names.index(PRODUCT)], values[names.index(MEAN)])] if MEAN in names else []
            rows.append([f"{figure}, {part} ({pairs})", *values, *ratio])
    return "\n\n".join([format_table(header, rows), _format_run(result)])


def _format_run(result: Evaluation) -> str:
    stages = result.run.get("stages", {})
    seconds = ", ".join(f"{name} {stage['seconds']:.0f} s" for name, stage in stages.items())
    peak = result.run.get("peak_rss_bytes", 0) / 2**20
    return f"{result.date}, corpus sha256 {result.sha256[:16]}; {seconds}; peak memory {peak:.0f} MiB"


def format_summary(results: Sequence[Evaluation]) -> str:
    """One line a corpus and model, product against the published method."""
    header = ["corpus", "model", "pairs"]
    header += [f"{name} {figure}" for figure in MACRO_FIGURES for name in ("product", "mean")]
    rows: list[list[object]] = []
    for result in results:
        row: list[object] = [result.corpus, result.model, result.figures[PRODUCT]["pairs"]]
        for figure in MACRO_FIGURES:
            row += [result.figures[name][figure] if name in result.figures else None for name in (PRODUCT, MEAN)]
        rows.append(row)
    return format_table(header, rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0 when every corpus was measured, 1 when the product failed on one, 2 when there is none."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help="folder, archive, or name under ../shared/corpora")
    parser.add_argument("--model", action="append", default=[], help="may be repeated; default: the product's choice")
    parser.add_argument("--json", type=Path, help="write every figure here")
    parser.add_argument("--keep", type=Path, help="keep databases and vectors under this folder for the next run")
    parser.add_argument("--methods", default=",".join(BASELINES), help="compared methods; empty for none")
    options = parser.parse_args(arguments)
    baselines = [name.strip() for name in options.methods.split(",") if name.strip()]
    results, failures = [], 0
    try:
        for path in find_corpora(options.corpora):
            with served_installation(path, options.keep) as (corpus, url, installation):
                for model in models_to_run(corpus, options.model):
                    try:
                        results.append(evaluate(corpus, url, installation, model, baselines))
                    except RunFailed as error:
                        failures += 1
                        print(f"{corpus.name}: {error}", file=sys.stderr)
                        continue
                    print(format_evaluation(results[-1]), end="\n\n", flush=True)
    except CorporaMissing as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 2
    if results:
        print(format_summary(results))
    if options.json:
        options.json.write_text(json.dumps([asdict(result) for result in results], indent=1), "utf-8")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
