"""What two readers found, beside the key: agreement, what both call good, planted ones caught, reliability."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.judging.sites import JudgingError
from benchmarks.quality_report import format_reliability
from benchmarks.reliability import Reliability, measure_reliability
from benchmarks.tables import format_table

#: The words with which a reader may open a `why`; instructions.md explains them.
REASONS = (
    "wrong page", "wrong sense", "wrong words", "cut words", "too general", "no use", "better page", "linked already",
    "wrong place",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Verdict:
    """One reader on one item. `reason` is one of REASONS, "other", or nothing where the link is good."""

    is_good: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Both readers over all items. Figures are over the drawn suggestions; planted ones are counted apart."""

    key: Mapping[str, Any]
    first: Mapping[str, Verdict]
    second: Mapping[str, Verdict]

    @property
    def drawn(self) -> list[str]:
        """Numbers of the product's suggestions."""
        return [number for number, entry in self.key["items"].items() if not entry["planted"]]

    @property
    def planted(self) -> list[str]:
        """Numbers of the bad links that were mixed in."""
        return [number for number, entry in self.key["items"].items() if entry["planted"]]

    def are_both_good(self, number: str) -> bool:
        """Whether both readers would make the link."""
        return self.first[number].is_good and self.second[number].is_good

    def both_good(self) -> int:
        """How many of the drawn suggestions both readers would make."""
        return sum(self.are_both_good(number) for number in self.drawn)

    def reliability(self) -> Reliability:
        """Scores against what both call good."""
        scores = [float(self.key["items"][number]["score"]) for number in self.drawn]
        return measure_reliability(scores, [self.are_both_good(number) for number in self.drawn])


def read_verdicts(file: Path, numbers: Sequence[str]) -> dict[str, Verdict]:
    """One reader's lines. Raises JudgingError where one is missing, unknown, given twice or not of the form."""
    verdicts: dict[str, Verdict] = {}
    for place, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            number, is_good, why = str(row["id"]), row["good"], str(row.get("why", ""))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise JudgingError(f"{file}, line {place} is no verdict: {line[:80]!r} ({error!r}).") from error
        if not isinstance(is_good, bool) or number not in numbers or number in verdicts:
            raise JudgingError(f"{file}, line {place}: {number!r} is unknown, given twice, or not true or false.")
        verdicts[number] = Verdict(is_good, "" if is_good else _reason(why))
    if missing := [number for number in numbers if number not in verdicts]:
        raise JudgingError(f"{file} has no verdict on {', '.join(missing)}: every item needs one.")
    return verdicts


def _reason(why: str) -> str:
    return next((reason for reason in REASONS if why.casefold().startswith(reason)), "other")


def cohen_kappa(first: Sequence[bool], second: Sequence[bool]) -> float | None:
    """Agreement of two readers beyond chance (Cohen, "A coefficient of agreement for nominal scales", Educational and
    Psychological Measurement 20, 1960): (observed - expected) / (1 - expected); None where chance alone agrees."""
    count = len(first)
    if not count:
        return None
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / count
    goods = sum(first) / count, sum(second) / count
    expected = goods[0] * goods[1] + (1 - goods[0]) * (1 - goods[1])
    return (observed - expected) / (1 - expected) if expected < 1 else None


def format_judgement(judgement: Judgement) -> str:
    """The figures and, in a table, every verdict with paths and hashes."""
    drawn, planted, readers = judgement.drawn, judgement.planted, (judgement.first, judgement.second)
    goods = [sum(reader[number].is_good for number in drawn) for reader in readers]
    caught = [sum(not reader[number].is_good for number in planted) for reader in readers]
    kappas = [cohen_kappa(*([reader[n].is_good for n in numbers] for reader in readers)) for numbers in (
        drawn, [*drawn, *planted])]  # fmt: skip
    kappa, kappa_all = ("–" if value is None else f"{value:.2f}" for value in kappas)
    both = judgement.both_good()
    lines = [
        f"- {len(drawn)} suggestions at the default threshold, commit {judgement.key['code']}, seed "
        f"{judgement.key['seed']}.",
        f"- Both readers would make {both} of {len(drawn)} ({both / max(len(drawn), 1):.0%}); the first {goods[0]}, "
        f"the second {goods[1]}.",
        f"- Agreement (Cohen's kappa): {kappa} on the suggestions, {kappa_all} with the planted ones.",
        f"- Planted bad links caught: {caught[0]} and {caught[1]} of {len(planted)}.",
    ]
    parts = ["\n".join(lines), _format_sites(judgement), format_reliability(judgement.reliability(), "both call good")]
    return "\n\n".join([*parts, _format_table(judgement)])


def _format_sites(judgement: Judgement) -> str:
    items = judgement.key["items"]
    rows = []
    for corpus in sorted({items[number]["corpus"] for number in judgement.drawn}):
        numbers = [number for number in judgement.drawn if items[number]["corpus"] == corpus]
        rows.append([corpus, len(numbers), sum(judgement.are_both_good(number) for number in numbers)])
    return format_table(["corpus", "suggestions", "both call good"], rows)


def _format_table(judgement: Judgement) -> str:
    rows = []
    for number, entry in judgement.key["items"].items():
        score = f"planted: {entry['planted']}" if entry["planted"] else f"{entry['score']:.3f}"
        words = [verdict.reason or "good" for verdict in (judgement.first[number], judgement.second[number])]
        hashes = [entry["paragraph_sha256"][:12], entry["anchor_sha256"][:12]]
        rows.append([number, entry["corpus"], entry["source"], entry["target"], *hashes, score, *words])
    header = ["item", "corpus", "source", "target", "sha256 of paragraph", "of words", "score", "first", "second"]
    return format_table(header, rows, is_padded=False)
