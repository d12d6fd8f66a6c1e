"""Draws suggestions for readers to judge, and adds up what they say.

    python -m benchmarks.judging draw --keep DIR --out DIR2 [CORPUS ...] [--seed COMMIT] [--reuse]
    python -m benchmarks.judging verdicts --key DIR2/key.json --first A.jsonl --second B.jsonl [--write-docs]

draw runs the product at its default threshold on every distinct site, draws 100 of the ten highest suggestions of each
page, and writes packets for readers (DIR2/packets) and the key, which readers must not see (DIR2/key.json).
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.corpora import ROOT, CorporaMissing, find_corpora, unpacked
from benchmarks.judging.draw import DRAWN, PLANTED, draw_items
from benchmarks.judging.packets import write_key, write_packets
from benchmarks.judging.sites import JudgedSite, JudgingError, place_suggestions, read_pages
from benchmarks.judging.verdicts import Judgement, format_judgement, read_verdicts
from benchmarks.method_lists import PRODUCT_DEFAULT, code_state, read_lists
from benchmarks.product_run import RunFailed, run_linkrec, run_module, served_installation
from benchmarks.quality_document import QUALITY_DOCUMENT, DocumentError, write_sections


def distinct_corpora(names: Sequence[str]) -> list[Path]:
    """One corpus a site: the whole one where a slice of it is there too."""
    largest: dict[str, tuple[int, Path]] = {}
    for path in find_corpora(names):
        with unpacked(path) as corpus:
            site, pages = corpus.site(), int(corpus.meta().get("pages", 0))
        if site not in largest or pages > largest[site][0]:
            largest[site] = pages, path
    return sorted(path for _, path in largest.values())


def judged_site(path: Path, keep: Path, *, is_reused: bool) -> JudgedSite:
    """The site's pages and what the product suggests on it, run now or taken from what `evaluate --keep` left."""
    with served_installation(path, keep) as (corpus, url, installation):
        lists = read_lists(installation, "") if is_reused else None
        rows = lists.rows[PRODUCT_DEFAULT] if lists else run_linkrec(installation, url, threshold=None).rows
        pages = read_pages(run_module(installation, "judging.page_texts", url))
        print(f"{corpus.name}: {len(rows)} suggestions on {len({row['source'] for row in rows})} pages", flush=True)
        return place_suggestions(corpus.name, pages, rows)


def draw(options: argparse.Namespace) -> None:
    """Write packets and key."""
    seed = options.seed or _head()
    if options.reuse and not options.keep.is_dir():
        raise JudgingError(f"There is no folder {options.keep} to reuse. Run `evaluate --keep {options.keep}` first.")
    print("Each site is read and ranked first where nothing is reused: minutes a site.", file=sys.stderr)
    sites = {
        site.corpus: site
        for site in (
            judged_site(path, options.keep, is_reused=options.reuse) for path in distinct_corpora(options.corpora)
        )
    }
    items = draw_items(list(sites.values()), seed, options.drawn, options.planted)
    packets = write_packets(items, sites, options.out / "packets")
    key = options.out / "key.json"
    write_key(items, sites, key, {"seed": seed, "code": code_state()})
    planted = sum(bool(item.planted) for item in items)
    print(f"{len(items) - planted} suggestions and {planted} planted ones in {len(packets)} packets; the key is {key}.")


def verdicts(options: argparse.Namespace) -> None:
    """Print the figures; with --write-docs put them and the table of verdicts into the document."""
    key = json.loads(options.key.read_text("utf-8"))
    numbers = list(key["items"])
    first, second = (read_verdicts(file, numbers) for file in (options.first, options.second))
    text = format_judgement(Judgement(key, first, second))
    print(text)
    if options.write_docs:
        write_sections({"judged suggestions": f"### Suggestions judged by readers\n\n{text}"}, options.document)


def _head() -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise JudgingError("There is no commit to draw by: give --seed.")
    return done.stdout.strip()


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("draw", help="write packets for readers, and the key")
    drawing.add_argument("corpora", nargs="*", metavar="CORPUS", help="default: every distinct site")
    drawing.add_argument("--keep", type=Path, required=True, help="databases and vectors, as of `evaluate --keep`")
    drawing.add_argument("--out", type=Path, required=True)
    drawing.add_argument("--seed", default="", help="default: the commit that is checked out")
    drawing.add_argument("--reuse", action="store_true", help="take the suggestions of the last `evaluate --keep`")
    drawing.add_argument("--drawn", type=int, default=DRAWN)
    drawing.add_argument("--planted", type=int, default=PLANTED)
    drawing.set_defaults(run=draw)
    judging = commands.add_parser("verdicts", help="add up what two readers found")
    for name in ("key", "first", "second"):
        judging.add_argument(f"--{name}", type=Path, required=True)
    judging.add_argument("--write-docs", action="store_true", help="put the table into the document")
    judging.add_argument("--document", type=Path, default=QUALITY_DOCUMENT)
    judging.set_defaults(run=verdicts)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 2 where nothing can be drawn or added up."""
    options = make_parser().parse_args(arguments)
    try:
        options.run(options)
    except (JudgingError, CorporaMissing, RunFailed, DocumentError, OSError) as error:
        print(f"judging: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
