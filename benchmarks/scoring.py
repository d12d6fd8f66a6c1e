"""Scores recommendations against a corpus' hidden links, whole and in slices. The figures are eval/score.py's own."""

import functools
import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from benchmarks.corpora import Corpus, load_measure

Rows = Sequence[dict[str, Any]]
Figures = dict[str, float]

#: A hidden link counts as named by its title when at least half of its anchor's words stand in the target's title.
TITLE_OVERLAP = 0.5


class Scorer:
    """One corpus, its pages read once however many lists are scored."""

    def __init__(self, corpus: Corpus, shared: Path | None = None) -> None:
        self._corpus = corpus
        self._measure = cast(Any, load_measure("score", shared))
        pages = self._measure.read_pages(corpus.directory)
        self._measure.read_pages = lambda _directory: pages
        # The same sentences are scored for every method and slice; the measure itself stays as it is.
        self._measure.tokens = functools.lru_cache(maxsize=200_000)(self._measure.tokens)
        self._truth = corpus.truth()

    def path_of(self, url: str) -> str:
        """A page's path as the scorer compares it."""
        return str(self._measure.path_of(url))

    def hidden_pairs(self, *, is_generic: bool = False) -> set[tuple[str, str]]:
        """(source path, target path) of the hidden links; those that only generic anchors ("here") hid apart."""
        usable = {self._path_pair(link) for link in self._truth if not link.get("generic_anchor")}
        return {self._path_pair(link) for link in self._truth} - usable if is_generic else usable

    def judged_rows(self, rows: Rows) -> tuple[list[float], list[bool]]:
        """Scores, and whether an editor had made that link. Pairs hidden under a generic anchor count as neither."""
        hidden, left_out = self.hidden_pairs(), self.hidden_pairs(is_generic=True)
        pairs = [(self._path_pair(row), float(row["score"])) for row in rows]
        known = [(score, pair in hidden) for pair, score in pairs if pair not in left_out]
        return [score for score, _ in known], [is_hidden for _, is_hidden in known]

    def _path_pair(self, row: dict[str, Any]) -> tuple[str, str]:
        return self.path_of(row["source"]), self.path_of(row["target"])

    def score(self, rows: Rows) -> Figures:
        """Every figure of the scorer, over all hidden pairs."""
        return dict(self._measure.score(self._corpus.directory, rows))

    def slices(self, rows: Rows) -> dict[str, Figures]:
        """The same figures by language and by whether the target's title holds the anchor's words."""
        languages = {pair: str(links[0].get("lang") or "?") for pair, links in self._pairs().items()}
        overlaps = {
            pair: max(float(link.get("title_overlap") or 0) for link in links) for pair, links in self._pairs().items()
        }
        parts: dict[str, Callable[[tuple[str, str]], bool]] = {
            "anchor in title": lambda pair: overlaps[pair] >= TITLE_OVERLAP,
            "anchor not in title": lambda pair: overlaps[pair] < TITLE_OVERLAP,
        }
        if len(set(languages.values())) > 1:
            for language in sorted(set(languages.values())):
                parts[f"language {language}"] = lambda pair, language=language: languages[pair] == language  # type: ignore[misc]
        return {name: self._score_part(rows, is_in_part) for name, is_in_part in parts.items()}

    def _pairs(self) -> dict[tuple[str, str], list[dict[str, Any]]]:
        pairs = defaultdict(list)
        for link in self._truth:
            pairs[link["source"], link["target"]].append(link)
        return pairs

    def _score_part(self, rows: Rows, is_in_part: Callable[[tuple[str, str]], bool]) -> Figures:
        with tempfile.TemporaryDirectory(prefix="linkrec-slice-") as folder:
            kept = [link for link in self._truth if is_in_part((link["source"], link["target"]))]
            lines = "\n".join(json.dumps(link) for link in kept)
            (Path(folder) / "truth.jsonl").write_text(lines, "utf-8")
            return dict(self._measure.score(folder, rows))
