"""Measures the product's suggestions on links that editors really made, beside the plain methods, in one run.

    python -m benchmarks.evaluate [CORPUS ...] [--model NAME] [--json OUT] [--keep DIR] [--methods a,b] [--write-docs]

Every corpus is served on loopback, read by the product's own `linkrec` command and scored; the compared methods run on
the same database and the same vectors. A CORPUS is a folder with html/ and truth.jsonl, an archive of one, or a name
under ../shared/corpora; without any: every archive there. --write-docs puts what was measured into docs/quality.md:
each corpus into its section, and the figures over sites when the run covers the whole sites.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.corpora import CorporaMissing, Corpus, find_corpora
from benchmarks.evaluation import Evaluation, score_lists
from benchmarks.method_lists import BASELINES, read_lists, run_methods
from benchmarks.over_sites import only_whole
from benchmarks.product_run import RunFailed, served_installation
from benchmarks.quality_document import QUALITY_DOCUMENT, DocumentError, read_sections, write_sections
from benchmarks.quality_report import format_evaluation, format_over_sites, format_reliability_over_sites

ENGLISH_MODEL = "all-MiniLM-L6-v2"


def models_to_run(corpus: Corpus, asked: Sequence[str]) -> Sequence[str]:
    """The models asked for, else the product's choice, and the English one too on a site of several languages."""
    if asked:
        return ["" if name == "auto" else name for name in asked]
    is_all_english = set(corpus.languages()) <= {"en"}
    return ("",) if is_all_english else ("", ENGLISH_MODEL)


def evaluate_corpus(path: Path, options: argparse.Namespace, baselines: Sequence[str]) -> Iterator[Evaluation]:
    """One result a model; a model on which the product fails is told of and left out."""
    with served_installation(path, options.keep) as (corpus, url, installation):
        for model in models_to_run(corpus, options.model):
            try:
                lists = read_lists(installation, model) if options.rescore else None
                lists = lists or run_methods(corpus, url, installation, model, baselines)
                yield score_lists(corpus, lists, is_product_choice=not model)
            except RunFailed as error:
                print(f"{corpus.name}: {error}", file=sys.stderr)
                options.failures += 1


def sections_of(results: Sequence[Evaluation]) -> dict[str, str]:
    """What a finished run says over sites; nothing where it does not cover the whole ones."""
    if not only_whole(results):
        return {}
    return {
        "over sites": "### All corpora\n\n" + format_over_sites(results),
        "reliability": "### Reliability of the score\n\n" + format_reliability_over_sites(results),
    }


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help="folder, archive, or name under ../shared/corpora")
    parser.add_argument(
        "--model", action="append", default=[], help="may be repeated; auto: the product's choice (the default)"
    )
    parser.add_argument("--json", type=Path, help="write every figure here")
    parser.add_argument("--keep", type=Path, help="keep databases, vectors and lists under this folder")
    parser.add_argument("--rescore", action="store_true", help="score the lists that --keep holds, run what is missing")
    parser.add_argument("--methods", default=",".join(BASELINES), help="compared methods; empty for none")
    parser.add_argument("--write-docs", action="store_true", help="put the tables into the document")
    parser.add_argument("--document", type=Path, default=QUALITY_DOCUMENT, help="default: docs/quality.md")
    parser.set_defaults(failures=0)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0 when every corpus was measured, 1 when the product failed on one, 2 when there is none."""
    options = make_parser().parse_args(arguments)
    baselines = [name.strip() for name in options.methods.split(",") if name.strip()]
    if unknown := set(baselines) - set(BASELINES):
        print(f"evaluate: no method {sorted(unknown)}: choose from {', '.join(BASELINES)}.", file=sys.stderr)
        return 2
    results: list[Evaluation] = []
    try:
        if options.write_docs:
            read_sections(options.document.read_text("utf-8"))
        for path in find_corpora(options.corpora):
            for result in evaluate_corpus(path, options, baselines):
                results.append(result)
                table = format_evaluation(result)
                print(table, end="\n\n", flush=True)
                name = f"{result.corpus} ({result.model})"
                _write(options, {f"corpus {name}": f"### {name}\n\n{table}"})
    except (CorporaMissing, DocumentError, OSError) as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 2
    if results:
        print(format_over_sites(results), format_reliability_over_sites(results), sep="\n\n")
    _write(options, sections_of(results))
    if options.json:
        options.json.write_text(json.dumps([asdict(result) for result in results], indent=1), "utf-8")
    return 1 if options.failures else 0


def _write(options: argparse.Namespace, sections: Mapping[str, str]) -> None:
    if options.write_docs and sections:
        write_sections(sections, options.document)


if __name__ == "__main__":
    sys.exit(main())
