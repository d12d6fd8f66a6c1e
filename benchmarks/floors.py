"""Keeps the quality floors: the figures below which no change may take the product.

    python -m benchmarks.floors                                          # print them
    python -m benchmarks.floors --raise digitalgov_small.recall@10 0.62
    python -m benchmarks.floors --lower digitalgov_small.recall@10 0.55 --reason "why this is right"

A floor is compared with a live run only (tests/quality). Raising one is free; lowering one needs its flag and a reason,
which is kept in the file, and a test reads the file's history for a floor that sank without one.
"""

import argparse
import datetime
import json
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.corpora import ROOT
from benchmarks.tables import format_table

FLOORS_FILE = ROOT / "tests" / "quality" / "floors.toml"
HEADER = """\
# Quality floors, CORPUS.FIGURE of a live run without abstention; the one place where they are kept.
# Change them with `python -m benchmarks.floors --raise NAME VALUE` or `--lower NAME VALUE --reason "..."`.
"""
SHORTEST_REASON = 15


class FloorError(Exception):
    """A change that is not allowed; the message says what to do."""


@dataclass(frozen=True, slots=True)
class LoweredFloor:
    """A floor that was lowered, and why."""

    name: str
    old: float
    new: float
    date: str
    reason: str


@dataclass(slots=True)
class Floors:
    """`values` maps corpus -> figure -> floor."""

    values: dict[str, dict[str, float]] = field(default_factory=dict)
    lowered: list[LoweredFloor] = field(default_factory=list)

    def get(self, name: str) -> float | None:
        """The floor of CORPUS.FIGURE, if there is one."""
        corpus, figure = split_name(name)
        return self.values.get(corpus, {}).get(figure)

    def raise_to(self, name: str, value: float) -> None:
        """Set a new or higher floor. Raises FloorError where it would be lower."""
        old = self.get(name)
        if old is not None and value < old:
            raise FloorError(f'{name} is {old}: {value} would lower it. Use --lower {name} {value} --reason "...".')
        self._set(name, value)

    def lower_to(self, name: str, value: float, reason: str, date: str) -> None:
        """Set a lower floor and keep the reason. Raises FloorError where there is nothing to lower or no reason."""
        old = self.get(name)
        if old is None or value >= old:
            raise FloorError(f"{name} is {old}, and {value} is not below it. Use --raise to set it.")
        if len(reason.strip()) < SHORTEST_REASON:
            raise FloorError(f"{reason!r} is no reason. Say in a sentence why {name} may sink from {old} to {value}.")
        self.lowered.append(LoweredFloor(name, old, value, date, reason.strip()))
        self._set(name, value)

    def rows(self) -> list[tuple[str, str, float]]:
        """(corpus, figure, floor) of every floor."""
        return [(corpus, *pair) for corpus, figures in sorted(self.values.items()) for pair in figures.items()]

    def _set(self, name: str, value: float) -> None:
        if not 0 <= value <= 1:
            raise FloorError(f"{value} is not a share between 0 and 1.")
        corpus, figure = split_name(name)
        self.values.setdefault(corpus, {})[figure] = value


def split_name(name: str) -> tuple[str, str]:
    """CORPUS.FIGURE in two."""
    corpus, point, figure = name.partition(".")
    if not (corpus and point and figure):
        raise FloorError(f"{name!r} names no floor. Write CORPUS.FIGURE, for example digitalgov_small.recall@10.")
    return corpus, figure


def parse_floors(text: str) -> Floors:
    """The floors of a file's text."""
    data = tomllib.loads(text)
    lowered = [LoweredFloor(**entry) for entry in data.pop("lowered", [])]
    return Floors({corpus: dict(figures) for corpus, figures in data.items()}, lowered)


def format_floors(floors: Floors) -> str:
    """The file's text; json.dumps writes strings as TOML reads them."""
    lines = [HEADER]
    for corpus, figures in sorted(floors.values.items()):
        lines += [f"[{corpus}]", *(f"{json.dumps(figure)} = {value}" for figure, value in figures.items()), ""]
    for entry in floors.lowered:
        lines += [
            "[[lowered]]",
            f"name = {json.dumps(entry.name)}",
            f"old = {entry.old}",
            f"new = {entry.new}",
            f"date = {json.dumps(entry.date)}",
            f"reason = {json.dumps(entry.reason, ensure_ascii=False)}",
            "",
        ]
    return "\n".join(lines)


def read_floors(path: Path = FLOORS_FILE) -> Floors:
    """The floors as they stand."""
    return parse_floors(path.read_text("utf-8"))


def unexplained_sinkings(history: Sequence[Floors], now: Floors) -> list[str]:
    """Floors that were higher, or were there, in an earlier state of the file and sank without a reason in it."""
    explained = {(entry.name, entry.new) for entry in now.lowered if len(entry.reason) >= SHORTEST_REASON}
    faults = []
    for earlier in history:
        for corpus, figures in earlier.values.items():
            for figure, old in figures.items():
                name = f"{corpus}.{figure}"
                new = now.get(name)
                if new is None or (new < old and (name, new) not in explained):
                    faults.append(f"{name} sank from {old} to {new} without a reason")
    return sorted(set(faults))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print, raise or lower floors. Exit status 1 where a change is refused."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raise", nargs=2, metavar=("NAME", "VALUE"), dest="raised", action="append", default=[])
    parser.add_argument("--lower", nargs=2, metavar=("NAME", "VALUE"))
    parser.add_argument("--reason", default="")
    parser.add_argument("--file", type=Path, default=FLOORS_FILE)
    options = parser.parse_args(arguments)
    floors = read_floors(options.file) if options.file.is_file() else Floors()
    try:
        for name, value in options.raised:
            floors.raise_to(name, float(value))
        if options.lower:
            today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
            floors.lower_to(options.lower[0], float(options.lower[1]), options.reason, today)
    except (FloorError, ValueError) as error:
        print(f"floors: {error}", file=sys.stderr)
        return 1
    if options.raised or options.lower:
        options.file.write_text(format_floors(floors), "utf-8")
    print(format_table(["corpus", "figure", "floor"], floors.rows()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
