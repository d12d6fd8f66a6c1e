"""Keeps measured sections in docs/quality.md: between two marks a command writes, everything else people write.

Each section is opened by a mark of its own, so that a run of one corpus replaces that corpus' section alone.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from benchmarks.corpora import ROOT

QUALITY_DOCUMENT = ROOT / "docs" / "quality.md"
BEGIN = "<!-- measured: written by commands of benchmarks/, not by hand -->"
END = "<!-- end of what was measured -->"
_SECTION = re.compile(r"^<!-- section: (.+?) -->\n", re.MULTILINE)
#: What is read first stands first; within a rank by name.
_RANKS = ("over sites", "reliability", "judged", "corpus")


class DocumentError(Exception):
    """The document cannot take the figures; the message says what to do."""


def read_sections(text: str) -> dict[str, str]:
    """The measured sections by name."""
    measured = _split(text)[1]
    parts = _SECTION.split(measured)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def replace_sections(text: str, sections: Mapping[str, str]) -> str:
    """The document with these sections new, the other measured ones and everything else as they were."""
    before, _, after = _split(text)
    merged = read_sections(text) | dict(sections)
    written = [f"<!-- section: {name} -->\n\n{merged[name].strip()}\n" for name in sorted(merged, key=_order)]
    return "\n".join([f"{before}{BEGIN}\n", *written, f"{END}{after}"])


def write_sections(sections: Mapping[str, str], path: Path = QUALITY_DOCUMENT) -> None:
    """Replace these sections of the file. Raises DocumentError where it has no place for them."""
    if not path.is_file():
        raise DocumentError(f"{path} is no file: name the document that holds the line {BEGIN!r}.")
    path.write_text(replace_sections(path.read_text("utf-8"), sections), "utf-8")


def _split(text: str) -> tuple[str, str, str]:
    before, begin, rest = text.partition(BEGIN)
    measured, end, after = rest.partition(END)
    if not (begin and end):
        raise DocumentError(f"The document has no place for figures: put the lines {BEGIN!r} and {END!r} into it.")
    return before, measured, after


def _order(name: str) -> tuple[int, str]:
    rank = next((number for number, start in enumerate(_RANKS) if name.startswith(start)), len(_RANKS))
    return rank, name
