"""Sentences a second beside the plain method, agreement with full precision, and peak memory, for both bundled models.

    python -m benchmarks.embedding [--model NAME ...] [--pages 24] [--sentences 40] [--json OUT]

Plain: sentence-transformers' `encode` with its defaults, page by page. The product's: one call over all pages. Both get
the same distinct sentences, in turns, so that a busy neighbour slows both alike; what repeats on a site is left out of
the text and would speed the product up further. Peak memory is of a process that does the product's part alone.
Exit status 1 where the product's is slower, or where its vectors leave those of full precision (mean cosine < .999).
"""

import argparse
import html
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.generated_site import make_site
from benchmarks.site_rows import start_django
from benchmarks.tables import format_ratio, format_table

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from embeddings.types import Encoder

MODELS = ("all-MiniLM-L6-v2", "multilingual-e5-small")
LEAST_COSINE = 0.999
TURNS = 4


@dataclass(slots=True)
class Figures:
    """One model. CPU seconds count every thread and hardly grow when neighbours are busy."""

    model: str
    number_format: str
    sentences: int
    plain_seconds: float
    seconds: float
    plain_cpu_seconds: float
    cpu_seconds: float
    mean_cosine: float
    least_cosine: float
    peak_mebibytes: float

    @property
    def is_good(self) -> bool:
        return self.cpu_seconds <= self.plain_cpu_seconds and self.mean_cosine >= LEAST_COSINE


def make_pages(page_count: int, sentences_per_page: int) -> list[list[str]]:
    """Distinct sentences of the generated site, page by page."""
    seen: set[str] = set()
    pages = []
    for body in make_site(page_count, sentences_per_page).pages.values():
        paragraphs = re.findall(r"<p>(.*?)</p>", body.decode().partition("</main>")[0])
        text = html.unescape(re.sub(r"<[^>]+>", "", " ".join(paragraphs)))
        page = [sentence for sentence in dict.fromkeys(re.split(r"(?<=\.) ", text)) if sentence not in seen]
        seen.update(page)
        pages.append(page)
    return pages


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """(result, seconds, CPU seconds)."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def encode_page_by_page(plain: "SentenceTransformer", pages: list[list[str]]) -> list[Any]:
    """The plain method, with its own defaults."""
    return [plain.encode(page) for page in pages]


def compare(encoder: "Encoder", plain: "SentenceTransformer", pages: list[list[str]]) -> dict[str, float]:
    """Both methods over the same pages, in turns."""
    totals = dict.fromkeys(("plain_seconds", "plain_cpu_seconds", "seconds", "cpu_seconds"), 0.0)
    ours, theirs = [], []
    for turn in range(TURNS):
        part = pages[turn::TURNS]
        texts = [text for page in part for text in page]
        vectors, seconds, cpu = timed(partial(encoder.encode, texts))
        ours.append(vectors)
        totals["seconds"] += seconds
        totals["cpu_seconds"] += cpu
        vectors, seconds, cpu = timed(partial(encode_page_by_page, plain, part))
        theirs.append(np.vstack(vectors))
        totals["plain_seconds"] += seconds
        totals["plain_cpu_seconds"] += cpu
    full = np.vstack(theirs)
    cosines = (np.vstack(ours) * full).sum(axis=1) / np.linalg.norm(full, axis=1)
    return {**totals, "mean_cosine": float(cosines.mean()), "least_cosine": float(cosines.min())}


def measure(model_name: str, pages: list[list[str]], peak: float) -> Figures:
    """Load both, warm both up, compare."""
    import torch
    from django.conf import settings
    from sentence_transformers import SentenceTransformer

    from embeddings.bundled_models import find_e5_folder, find_minilm_folder
    from embeddings.encoders import E5, load_encoder
    from embeddings.encoders_devices import choose_device

    device = choose_device()
    folder = (find_e5_folder if model_name == E5 else find_minilm_folder)(settings.LINKREC_MODEL_DIR)
    encoder = load_encoder(model_name)
    # e5's folder stores half precision; the published weights, and so the plain method, are in float32.
    plain = SentenceTransformer(str(folder), device=device.name, model_kwargs={"dtype": torch.float32})
    encoder.encode(pages[0])
    plain.encode(pages[0])
    return Figures(
        model=model_name,
        number_format=f"{device.name} {device.dtype}",
        sentences=sum(map(len, pages)),
        peak_mebibytes=peak,
        **compare(encoder, plain, pages),
    )


def peak_of_own_process(model_name: str, arguments: argparse.Namespace) -> float:
    """MiB of a fresh process that does nothing but the product's part."""
    sizes = ["--pages", str(arguments.pages), "--sentences", str(arguments.sentences)]
    command = [sys.executable, "-m", "benchmarks.embedding", "--model", model_name, *sizes, "--peak"]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])


def print_peak(model_name: str, pages: list[list[str]]) -> None:
    """What the child process of peak_of_own_process says."""
    from embeddings.encoders import load_encoder

    load_encoder(model_name).encode([text for page in pages for text in page])
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and say whether the bounds hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", choices=MODELS, default=[])
    parser.add_argument("--pages", type=int, default=24)
    parser.add_argument("--sentences", type=int, default=40, help="a page")
    parser.add_argument("--peak", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--json", type=Path, help="write the figures there too")
    options = parser.parse_args(arguments)
    start_django()
    pages = make_pages(options.pages, options.sentences)
    if options.peak:
        print_peak(options.model[0], pages)
        return 0
    found = [measure(name, pages, peak_of_own_process(name, options)) for name in options.model or MODELS]
    rows = [
        (
            f"{row.model} ({row.number_format})",
            row.sentences,
            row.sentences / row.plain_seconds,
            row.sentences / row.seconds,
            format_ratio(row.plain_seconds, row.seconds),
            format_ratio(row.plain_cpu_seconds, row.cpu_seconds),
            f"{row.mean_cosine:.5f}",
            f"{row.least_cosine:.5f}",
            f"{row.peak_mebibytes:.0f} MiB",
        )
        for row in found
    ]
    header = (
        "model",
        "sentences",
        "plain /s",
        "ours /s",
        "faster",
        "in CPU time",
        "mean cosine",
        "least",
        "peak memory",
    )
    print(format_table(header, rows))
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in found], indent=1), "utf-8")
    return 0 if all(row.is_good for row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
