"""A text or CSV file of addresses: bytes in, URLs out, and the lines that are none. Pure; leaves fetching to others."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bs4 import UnicodeDammit

from crawler.url_normalization import normalize_url

#: More than this many lines are no list that anybody reads a site by.
MOST_URLS = 1_000_000
_MOST_BAD_LINES = 100
_LONGEST_SHOWN = 120
_SAMPLE = 100_000
_LONGEST_ROW = 20
_LINES_LOOKED_AT = 200
_MARKS = ("\t", ";", ",")
#: What stands behind a mark that is no part of an address.
_SURE_CELL = re.compile(r"\"|https?://", re.IGNORECASE)
_LIKELY_CELL = re.compile(r"[\d.,]*|.*\s.*")
_ADDRESS = re.compile(r"https?://\S+\Z", re.IGNORECASE)
_NAMELESS = re.compile(r"(?:www\.)?[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,}(?::\d+)?(?:[/?#]\S*)?\Z")


@dataclass(frozen=True, slots=True)
class UrlList:
    """urls: normalized, in order, each once. bad_lines: (number from 1, text) of lines without an address."""

    urls: tuple[str, ...]
    bad_lines: tuple[tuple[int, str], ...] = ()
    bad_count: int = 0


def read_url_list(body: bytes) -> UrlList:
    """The first address of each line; a head line, empty lines and comments (#) count as none. Never raises."""
    urls: dict[str, None] = {}
    bad: list[tuple[int, str]] = []
    bad_count = 0
    for number, cells in _rows(_decode(body)):
        filled = [cell.strip() for cell in cells if cell.strip()]
        if not filled or filled[0].startswith("#"):
            continue
        found = next((url for cell in filled if (url := _address(cell))), "")
        if found:
            urls[found] = None
        elif number > 1 or not _is_head(filled):
            bad_count += 1
            if len(bad) < _MOST_BAD_LINES:
                bad.append((number, " ".join(filled)[:_LONGEST_SHOWN]))
        if len(urls) >= MOST_URLS:
            break
    return UrlList(tuple(urls), tuple(bad), bad_count)


def _decode(body: bytes) -> str:
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if body.startswith(mark):
            return body.decode(name, "replace")
    halves = (body[:_SAMPLE:2], body[1:_SAMPLE:2])
    for half, name in zip(halves, ("utf-16-be", "utf-16-le"), strict=True):
        if half.count(0) > len(half) // 2:
            return body.decode(name, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode(UnicodeDammit(body[:_SAMPLE]).original_encoding or "latin-1", "replace")


def _rows(text: str) -> Iterable[tuple[int, list[str]]]:
    """(number of its first line, cells) of each row."""
    lines = text.replace("\0", "").splitlines()
    mark = _mark_between_cells([line for line in lines[:_LINES_LOOKED_AT] if line.strip() and line.strip()[0] != "#"])
    if not mark:
        return ((number, [line]) for number, line in enumerate(lines, start=1))
    return _cells(lines, mark)


def _mark_between_cells(lines: list[str]) -> str:
    """Tab, semicolon or comma; "" where each line is one address, in which all but the tab are lawful."""
    head = lines[0] if lines else ""
    if "://" not in head and any(mark in head for mark in _MARKS):
        return max(_MARKS, key=head.count)
    for mark in _MARKS:
        rows = [line.split(mark) for line in lines if "://" in line]
        cells = [cell.strip() for row in rows for cell in row[1:]]
        is_even = len(set(map(len, rows))) == 1
        if any(map(_SURE_CELL.match, cells)) or (is_even and any(map(_LIKELY_CELL.fullmatch, cells))):
            return mark
    return ""


def _cells(lines: list[str], mark: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row. A row goes on behind its line where a quote was opened and is closed further down."""
    at = 0
    while at < len(lines):
        end = at + 1
        if lines[at].count('"') % 2:
            closing = next(
                (n for n in range(at + 1, min(at + _LONGEST_ROW, len(lines))) if lines[n].count('"') % 2), at
            )
            end = closing + 1
        try:
            rows = list(csv.reader(io.StringIO("\n".join(lines[at:end])), delimiter=mark))
        except csv.Error:
            rows = [lines[at:end]]
        yield at + 1, [cell for row in rows for cell in row]
        at = end


def _address(cell: str) -> str:
    text = cell.strip("<>\"' ")
    if _ADDRESS.match(text):
        return normalize_url(text)
    return normalize_url(f"https://{text}") if _NAMELESS.match(text) else ""


def _is_head(cells: list[str]) -> bool:
    """Column names: words, none of which could be meant as an address."""
    return not any("/" in cell or "." in cell for cell in cells)
