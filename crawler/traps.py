"""Addresses without end: what a crawl has been led to so far shows that one more of the kind brings nothing new.

Pure, and fed with URLs alone in the order in which the crawl takes them: an attempt that goes on after a kill recalls
them and decides as the first would have. A kind is refused only after many of it were read, so that an archive, a shop
or a wiki is not hurt. Leaves the page limit, and traps that one address shows by itself, to others.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from crawler.frontier import TRAP

#: Of one path, read with two parameters or more before further ones count as facets: filters, orders, views mixed.
_MOST_MIXED = 300
#: So many different sets of parameter names must have been seen: filters that are combined show many.
_LEAST_SETS = 6
#: Months or days of one calendar beyond the years that people write about.
_MOST_FAR_DATES = 24
_YEARS_AHEAD, _FIRST_YEAR = 2, 1970
#: Pages of one list; a list that goes on is one that never ends.
_LONGEST_LIST = 5_000
#: The same name of a folder so often in one path is a link that is relative by mistake.
_MOST_ALIKE = 4

_DATE = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)")
_YEAR = re.compile(r"(?:^|[&;])(?:year|y|yr|jahr|annee|ano)=(\d{4})(?!\d)", re.IGNORECASE)
_LIST_PAGE = re.compile(r"(?:/page[/-]|[?&](?:page|paged)=)(\d+)(?=$|[/&])", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


@dataclass(slots=True)
class TrapWatch:
    """What one crawl has seen. `this_year` makes dates far from it a calendar that turns by itself."""

    this_year: int
    _mixed: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    _sets: dict[str, set[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(set))
    _far_dates: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def recall(self, urls: Iterable[str]) -> None:
        """Take in what an earlier attempt of the same crawl has visited, in its order."""
        for url in urls:
            self.reason_to_skip(url)

    def reason_to_skip(self, url: str) -> str:
        """Why the next URL of the crawl is not worth a request, as "kind: detail"; "" where it is. Ask once each."""
        parts = urlsplit(url)
        return (
            self._of_facets(parts.path, parts.query)
            or self._of_calendar(parts.path, parts.query)
            or _of_list(url)
            or _of_path(parts.path)
        )

    def _of_facets(self, path: str, query: str) -> str:
        names = tuple(sorted({pair.partition("=")[0] for pair in query.split("&")})) if query else ()
        if len(names) < 2:
            return ""
        self._mixed[path] += 1
        if len(self._sets[path]) < _LEAST_SETS:
            self._sets[path].add(names)
        if self._mixed[path] <= _MOST_MIXED or len(self._sets[path]) < _LEAST_SETS:
            return ""
        return f"{TRAP}: more than {_MOST_MIXED} mixtures of filters and orders of {path}"

    def _of_calendar(self, path: str, query: str) -> str:
        place = f"{path}?{query}" if query else path
        found = _DATE.search(place)
        year = int(found[1]) if found and 1 <= int(found[2]) <= 12 else 0
        if not year and (named := _YEAR.search(query)):
            year = int(named[1])
        if not year or _FIRST_YEAR <= year <= self.this_year + _YEARS_AHEAD:
            return ""
        kind = _DIGITS.sub("0", place)
        self._far_dates[kind] += 1
        if self._far_dates[kind] <= _MOST_FAR_DATES:
            return ""
        return f"{TRAP}: a calendar that goes on without end ({year})"


def _of_list(url: str) -> str:
    found = _LIST_PAGE.search(url)
    return f"{TRAP}: page {found[1]} of a list" if found and int(found[1][:9]) > _LONGEST_LIST else ""


def _of_path(path: str) -> str:
    segments = [segment for segment in path.split("/") if segment and not segment.isdigit()]
    most = max(map(segments.count, set(segments)), default=0)
    return f"{TRAP}: its path names one folder {most} times" if most >= _MOST_ALIKE else ""
