"""Addresses without end: calendars, filters that combine, session ids, print versions, lists that never stop. Pure.

Decided by what was read, not by names: of a kind of address (one path with different queries, one path with different
dates or pages of a list, one query on many paths, one folder far down) many were read, and the last of them brought no
words that others of the kind had not, and led to more of their kind. Archives, shops and wikis bring new words with
each page, so they are never hurt, and thin pages that one list names end with that list. Pages are noted in the order
in which the crawl visits them, and a verdict is never taken back within a crawl: an attempt that goes on after a kill
notes the same pages again and decides as the first would have.
"""

import re
import zlib
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from crawler.frontier import TRAP

#: So many of a kind are read before it can be refused, and so many of its last pages may be barren at most.
_LEAST_READ = 40
_LAST, _MOST_BARREN = 30, 28
_DEEP = 8
#: The same folder so often in one path is a link that is relative by mistake.
_MOST_ALIKE = 4
_MOST_WORDS = 3_000
_MOST_KINDS = 2_000
_BITS = 1 << 17
#: Words are not compared for one query on many paths: there a page that says what another says is barren.
_QUERY_ON_ANY_PATH = "/**?"
_WORD = re.compile(r"[^\W\d_]+|\d+")
_DIGITS = re.compile(r"\d+")
#: Parts of addresses that no person wrote: session ids, hashes.
_TOKEN = re.compile(r"(?=[^/=&]*\d)(?=[^/=&]*[A-Za-z])[A-Za-z0-9_-]{16,}|\(S\([^)]*\)\)")
#: Numbers that a program can go on with for ever: months and days, and the pages of a list. Whatever else is numbered
#: (articles, products, topics), however alike its pages are, ends where the site ends.
_ENDLESS_NUMBERS = re.compile(r"(?<!\d)[12]\d{3}[-/._]?(?:0?[1-9]|1[0-2])(?!\d)|/page[/_-]?\d+(?:/|$)", re.IGNORECASE)
_COUNTED = re.compile(r"(?!(?:page|paged|start|offset)=)[\w.-]+=\d+", re.IGNORECASE)
_REFUSED = re.compile(rf"{TRAP}: the last of (\d+) addresses like (\S+) brought")


def kinds_of(url: str, own_host: str = "") -> tuple[str, ...]:
    """The kinds of address that a URL may be one of very many of; none for an address of plain words.

    They name the host and port where these are not the site's own.
    """
    parts = urlsplit(url)
    path, query = parts.path, parts.query
    kinds = []
    if query:
        names = sorted({_DIGITS.sub("#", pair.partition("=")[0]) for pair in query.split("&")})
        if not _COUNTED.fullmatch(query):
            kinds.append(f"{path}?*")
        kinds.append(f"{_QUERY_ON_ANY_PATH}{'&'.join(names)}")
    if _ENDLESS_NUMBERS.search(path) or _TOKEN.search(path):
        kinds.append(_DIGITS.sub("#", _TOKEN.sub("~", path)))
    folders = path.split("/")
    if len(folders) > _DEEP:
        kinds.append(f"/{folders[1]}/**")
    place = "" if parts.netloc == own_host else parts.netloc
    return tuple(f"{place}{kind}" for kind in kinds)


@dataclass(slots=True)
class _Kind:
    """What was read of one kind of address. Which triples of words were seen is kept in bits, in constant memory."""

    read: int = 0
    last: deque[bool] = field(default_factory=lambda: deque(maxlen=_LAST))
    seen: bytearray = field(default_factory=bytearray)
    count: int = 0

    def take(self, triples: Iterable[int]) -> int:
        """Take in the triples; how many of them were new."""
        if not self.seen or self.count > _BITS // 4:
            self.seen, self.count = bytearray(_BITS // 8), 0
        new = 0
        for triple in triples:
            place, bit = triple >> 3, 1 << (triple & 7)
            if not self.seen[place] & bit:
                self.seen[place] |= bit
                new += 1
        self.count += new
        return new

    @property
    def is_barren(self) -> bool:
        return self.read >= _LEAST_READ and sum(self.last) >= _MOST_BARREN


@dataclass(slots=True)
class TrapWatch:
    """What one crawl has read of each kind of address; `own_host` is the site's host, and port where it has one."""

    own_host: str = ""
    _kinds: "OrderedDict[str, _Kind]" = field(default_factory=OrderedDict)
    _refused: dict[str, int] = field(default_factory=dict)
    _texts: set[int] = field(default_factory=set)

    def reason_to_skip(self, url: str) -> str:
        """Why a URL is not worth a request, as "kind: detail"; "" where it is."""
        segments = [segment for segment in urlsplit(url).path.split("/") if segment and not segment.isdigit()]
        most = max(map(segments.count, set(segments)), default=0)
        if most >= _MOST_ALIKE:
            return f"{TRAP}: its path names one folder {most} times"
        kind = next((kind for kind in kinds_of(url, self.own_host) if kind in self._refused), "")
        if not kind:
            return ""
        return f"{TRAP}: the last of {self._refused[kind]} addresses like {kind} brought no new text"[:500]

    def recall_refused(self, reasons: Iterable[str]) -> None:
        """Refuse what an earlier crawl, or attempt, found to have no end."""
        for reason in reasons:
            if found := _REFUSED.match(reason):
                self._refused.setdefault(found[2], int(found[1]))

    def note(self, url: str, texts: Sequence[str], links: Callable[[], Iterable[str]]) -> None:
        """Take in a page that was read; `texts` are its title and blocks, `links` is asked if needed."""
        words = _words(texts)
        text = zlib.crc32(" ".join(words).encode()) << 32 | len(words)
        is_known_text = text in self._texts
        self._texts.add(text)
        kinds = kinds_of(url, self.own_host)
        if not kinds:
            return
        triples = {zlib.crc32(" ".join(words[at : at + 3]).encode()) % _BITS for at in range(max(1, len(words) - 2))}
        for name in kinds:
            kind = self._kind(name)
            kind.read += 1
            if _QUERY_ON_ANY_PATH in name:
                kind.last.append(is_known_text)
            else:
                is_stale = kind.take(triples) <= _least_new(name, len(triples))
                kind.last.append(
                    is_stale and any(name in kinds_of(link, self.own_host) for link in links() if link != url)
                )
            if kind.is_barren:
                self._refused.setdefault(name, kind.read)

    def _kind(self, name: str) -> _Kind:
        kind = self._kinds.setdefault(name, _Kind())
        self._kinds.move_to_end(name)
        if len(self._kinds) > _MOST_KINDS:
            self._kinds.popitem(last=False)
        return kind


def _words(texts: Sequence[str]) -> list[str]:
    found: list[str] = []
    for text in texts:
        found += ("#" if word.isdigit() else word.lower() for word in _WORD.findall(text))
        if len(found) > _MOST_WORDS:
            break
    return found[:_MOST_WORDS]


def _least_new(kind: str, count: int) -> float:
    """Up to so many new triples are none: a heading that names the chosen filters is new with every choice of them."""
    return max(2.0, (0.03 if kind.endswith("?*") else 0.005) * count)
