"""The anchor step against the plain method, on the same real links in one run: time, exact matches, token F1.

    python -m benchmarks.anchors [CORPUS ...] [--model NAME] [--links 300] [--json OUT]

Given a sentence and the title of its target, both choose the words to link. Plain: encode every run of 1 to 8 words,
take the one nearest to the title. The product's: one forward pass over the sentence, spans scored by
recommendations.engine.anchors. The product knows no anchor texts of the site here, so that sentence and title are all.
Both use the same encoder, so that precision and batching are the same; the titles' vectors are given to both. With the
English model exit status 1 where the product's is not 12 times as fast or its F1 is lower; others are reported only.
"""

import argparse
import json
import re
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.anchor_links import LONGEST_ANCHOR, RealLink, find_links
from benchmarks.site_rows import start_django
from benchmarks.tables import format_ratio, format_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from embeddings.types import Encoder

    Vectors = NDArray[np.float32]

ENGLISH_MODEL, MULTILINGUAL_MODEL = "all-MiniLM-L6-v2", "multilingual-e5-small"
ENGLISH_SITES = ("18f", "digitalgov_small", "django", "multilang", "osguide_small")
MULTILINGUAL_SITES = ("multilang", "osguide_small")
LEAST_RATIO = 12.0
CHUNK = 100  # links timed in turn by each method, so that a busy neighbour slows both alike

NO_SPACES = re.compile(r"[\u0e00-\u0eff\u3040-\u9fff]")

Predict = Callable[[Sequence[RealLink], "Vectors"], list[str]]


@dataclass(slots=True)
class MethodFigures:
    """One method over all links. CPU seconds count every thread and do not grow when neighbours are busy."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    exact: float = 0.0
    token_f1: float = 0.0


def fold(text: str) -> str:
    """Case, outer punctuation and white space folded."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).casefold()).strip(" .,;:!?\"'()[]“”‘’«»<>。、")


def token_f1(predicted: str, true: str) -> float:
    """F1 of two bags of words; of characters where no spaces are written."""

    def tokens(text: str) -> Counter[str]:
        words = re.findall(r"\w+", fold(text))
        return Counter(piece for word in words for piece in (word if NO_SPACES.search(word) else [word]))

    a, b = tokens(predicted), tokens(true)
    same = (a & b).total()
    return 2 * same / (a.total() + b.total()) if same else 0.0


class EveryNgram:
    """The plain method: encode every run of 1 to 8 words of the sentence, take the one nearest to the title."""

    def __init__(self, encoder: "Encoder") -> None:
        self._encoder = encoder

    def predict(self, links: Sequence[RealLink], titles: "Vectors") -> list[str]:
        """One anchor text a link."""
        from recommendations.engine.words import split_words

        anchors = []
        for link, title in zip(links, titles, strict=True):
            words = split_words(link.sentence, link.language)
            grams = [
                link.sentence[words[first].start : words[last].end]
                for first in range(len(words))
                for last in range(first, min(first + LONGEST_ANCHOR, len(words)))
            ]
            anchors.append(grams[int(np.argmax(self._encoder.encode(grams) @ title))] if grams else "")
        return anchors


class OnePass:
    """The product's anchor step, with the sentence given and no anchor text known."""

    def __init__(self, encoder: "Encoder", links: Sequence[RealLink]) -> None:
        from recommendations.engine.anchors import WordVectors
        from recommendations.engine.term_weights import TermWeights
        from recommendations.engine.titles import short_name
        from recommendations.engine.words import terms_of

        self._encoder = encoder
        self._word_vectors = WordVectors(encoder)
        # A site's names, whole and without subtitle, are encoded once for all sentences: no part of this step.
        self._short_names = {link: short_name(link.title, link.language) for link in links}
        distinct = sorted(set(self._short_names.values()))
        self._short_vectors = dict(zip(distinct, encoder.encode([name or "?" for name in distinct]), strict=True))
        self._weights: dict[str, TermWeights] = {}
        for link in links:
            weights = self._weights.setdefault(link.group, TermWeights())
            weights.add_page(link.language, set(terms_of(f"{link.title} {link.sentence}", link.language)))

    def predict(self, links: Sequence[RealLink], titles: "Vectors") -> list[str]:
        """One anchor text a link, "" where no span is allowed."""
        from crawler.extraction.types import Block, BlockKind, ExtractedSentence
        from recommendations.engine.anchors import rank_spans, target_of
        from recommendations.engine.source_text import ReadSentence
        from recommendations.engine.words import split_words

        tokens = self._encoder.encode_tokens([link.sentence for link in links])
        words = [split_words(link.sentence, link.language) for link in links]
        self._word_vectors.add([word.text for sentence in words for word in sentence])
        anchors = []
        for number, link in enumerate(links):
            sentence = ExtractedSentence(0, 0, 0, len(link.sentence), link.sentence)
            block = Block(0, BlockKind.PARAGRAPH, link.sentence)
            free = np.ones(len(words[number]), dtype=bool)
            read = ReadSentence(sentence, block, words[number], free, (), True)
            weights = self._weights[link.group]
            short = self._short_names[link]
            vectors = np.stack([titles[number], self._short_vectors[short]])
            target = target_of(1, (link.title, short), link.language, vectors, weights)
            ranked = rank_spans(read, tokens[number], self._word_vectors, target, 0, weights, link.language)
            anchors.append(ranked[0].text if ranked else "")
        return anchors


def measure(methods: dict[str, Predict], links: Sequence[RealLink], titles: "Vectors") -> dict[str, MethodFigures]:
    """Run the methods in turn over chunks of the links; the first links warm up and are measured again."""
    figures = {name: MethodFigures() for name in methods}
    for predict in methods.values():
        predict(links[:3], titles[:3])
    for start in range(0, len(links), CHUNK):
        chunk = links[start : start + CHUNK]
        for name, predict in methods.items():
            wall, cpu = time.perf_counter(), time.process_time()
            anchors = predict(chunk, titles[start : start + CHUNK])
            figures[name].seconds += (time.perf_counter() - wall) / len(links)
            figures[name].cpu_seconds += (time.process_time() - cpu) / len(links)
            for link, anchor in zip(chunk, anchors, strict=True):
                figures[name].exact += (fold(anchor) == fold(link.anchor)) / len(links)
                figures[name].token_f1 += token_f1(anchor, link.anchor) / len(links)
    return figures


def measure_model(model_name: str, names: Sequence[str], count: int) -> dict[str, Any]:
    """Both methods with one model."""
    from embeddings.encoders import load_encoder

    is_english = model_name == ENGLISH_MODEL
    sites = names or (ENGLISH_SITES if is_english else MULTILINGUAL_SITES)
    origin, links = find_links(sites, is_english=is_english, count=count)
    encoder = load_encoder(model_name)
    titles = encoder.encode([link.title for link in links])
    plain, ours = EveryNgram(encoder), OnePass(encoder, links)
    figures = measure({"every n-gram encoded": plain.predict, "one pass": ours.predict}, links, titles)
    slow, fast = figures["every n-gram encoded"], figures["one pass"]
    ratio = slow.seconds / fast.seconds
    return {
        "model": model_name,
        "origin": origin,
        "methods": {
            name: {figure: getattr(method, figure) for figure in MethodFigures.__slots__}
            for name, method in figures.items()
        },
        "ratio": ratio,
        "cpu_ratio": slow.cpu_seconds / fast.cpu_seconds,
        "is_accepted": not is_english or (ratio >= LEAST_RATIO and fast.token_f1 >= slow.token_f1),
    }


def format_figures(result: dict[str, Any]) -> str:
    """Both methods side by side."""
    slow, fast = result["methods"].values()
    rows: list[list[object]] = [
        ["milliseconds a sentence", slow["seconds"] * 1e3, fast["seconds"] * 1e3, f"{result['ratio']:.1f}x"],
        ["CPU milliseconds", slow["cpu_seconds"] * 1e3, fast["cpu_seconds"] * 1e3, f"{result['cpu_ratio']:.1f}x"],
        ["exact anchor", slow["exact"], fast["exact"], format_ratio(fast["exact"], slow["exact"])],
        ["token F1", slow["token_f1"], fast["token_f1"], format_ratio(fast["token_f1"], slow["token_f1"])],
    ]
    return f"{result['origin']}\n\n" + format_table([result["model"], *result["methods"], "ratio"], rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure with the English and the multilingual model, or the one asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help="default: 18f and django, or multilang")
    parser.add_argument("--model", action="append", default=[], help="may be repeated; default: both bundled models")
    parser.add_argument("--links", type=int, default=300)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    start_django()
    results = []
    for model in options.model or (ENGLISH_MODEL, MULTILINGUAL_MODEL):
        results.append(measure_model(model, options.corpora, options.links))
        print(format_figures(results[-1]), end="\n\n", flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), "utf-8")
    if all(result["is_accepted"] for result in results):
        return 0
    print(f"anchors: with {ENGLISH_MODEL} one pass must be {LEAST_RATIO:.0f} times as fast at no lower F1.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
