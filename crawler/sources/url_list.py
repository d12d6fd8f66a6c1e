"""A text or CSV file of addresses: bytes in, URLs out, and the lines that are none. Pure; leaves fetching to others."""

import csv
import io
import re
from dataclasses import dataclass

from bs4 import UnicodeDammit

from crawler.url_normalization import normalize_url

#: More than this many lines are no list that anybody reads a site by.
MOST_URLS = 1_000_000
_MOST_BAD_LINES = 100
_LONGEST_SHOWN = 120
_SAMPLE = 100_000
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
    for number, cells in enumerate(_rows(_decode(body)), start=1):
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
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode(UnicodeDammit(body[:_SAMPLE]).original_encoding or "latin-1", "replace")


def _rows(text: str) -> list[list[str]]:
    lines = text.replace("\0", "").splitlines()
    sample = next((line for line in lines if "://" in line), lines[0] if lines else "")
    # Commas are lawful in addresses: they part cells only where something else shows that they do.
    if "\t" in sample:
        mark = "\t"
    elif re.search(r"(?:^|[\"\w/]);(?:\"|\s|http|[A-Za-z ]|$)", sample):
        mark = ";"
    elif '"' in sample or re.search(r",(?:\s*http|\s*$|[^/?&=]*$|.*,)", sample):
        mark = ","
    else:
        return [[line] for line in lines]
    rows: list[list[str]] = []
    for line in lines:
        try:
            rows.append(next(csv.reader(io.StringIO(line), delimiter=mark), []))
        except csv.Error:
            rows.append([line])
    return rows


def _address(cell: str) -> str:
    text = cell.strip("<>\"' ")
    if _ADDRESS.match(text):
        return normalize_url(text)
    return normalize_url(f"https://{text}") if _NAMELESS.match(text) else ""


def _is_head(cells: list[str]) -> bool:
    """Column names: words, none of which could be meant as an address."""
    return not any("/" in cell or "." in cell for cell in cells)
