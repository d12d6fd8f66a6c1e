"""Which addresses are to be read, as an admin set it: patterns, subdomains, parameters that change nothing.

Pure. A pattern is matched from the beginning of the address's path and query, or of the whole address where it begins
with http; `*` is any run of characters, `$` at the end is the end, as in robots.txt. The start page is always read:
what is wanted may be linked from there alone. Leaves robots.txt and traps to others.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from crawler.url_normalization import DEFAULT_PORTS, host_of, normalize_url, origin_of, to_site_url

OUT_OF_SCOPE = "not to be read"


@dataclass(frozen=True, slots=True)
class _Pattern:
    text: str
    expression: re.Pattern[str]

    def matches(self, url: str) -> bool:
        is_whole = self.text.lower().startswith("http")
        return self.expression.match(url if is_whole else url[len(origin_of(url)) :]) is not None


@dataclass(frozen=True, slots=True)
class Scope:
    """What an admin set for a site; without any setting, everything on the site's own host."""

    included: tuple[_Pattern, ...] = ()
    excluded: tuple[_Pattern, ...] = ()
    dropped: re.Pattern[str] | None = None
    are_subdomains_included: bool = False

    def reason_to_skip(self, url: str, start_url: str) -> str:
        """Why a URL of the site is not to be read, as "kind: detail"; "" where it is."""
        if url == start_url:
            return ""
        if pattern := next((pattern for pattern in self.excluded if pattern.matches(url)), None):
            return f"{OUT_OF_SCOPE}: the site's settings leave out {pattern.text}"
        if self.included and not any(pattern.matches(url) for pattern in self.included):
            return f"{OUT_OF_SCOPE}: the site's settings name other addresses alone"
        return ""

    def place(self, url: str, site_url: str) -> str:
        """The URL as the site spells it, without the parameters that change nothing; "" where it is on another site."""
        found = to_site_url(url, site_url)
        if not found and self.are_subdomains_included:
            found = _of_subdomain(url, site_url)
        return self._without_dropped(found) if found and self.dropped else found

    def _without_dropped(self, url: str) -> str:
        address, mark, query = url.partition("?")
        if not mark or self.dropped is None:
            return url
        kept = [pair for pair in query.split("&") if not self.dropped.fullmatch(pair.partition("=")[0])]
        return f"{address}?{'&'.join(kept)}" if kept else address


def make_scope(included: str, excluded: str, dropped: str, *, are_subdomains_included: bool = False) -> Scope:
    """The scope that these lines say; empty lines and those that begin with # say nothing."""
    names = [_expression_of(line) for line in _lines(dropped)]
    return Scope(
        included=tuple(_pattern_of(line) for line in _lines(included)),
        excluded=tuple(_pattern_of(line) for line in _lines(excluded)),
        dropped=re.compile("|".join(names), re.IGNORECASE) if names else None,
        are_subdomains_included=are_subdomains_included,
    )


def _lines(text: str) -> Iterable[str]:
    return (line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#"))


def _pattern_of(line: str) -> _Pattern:
    base, tail = (line[:-1], r"\Z") if line.endswith("$") else (line, "")
    if not base.lower().startswith("http") and not base.startswith(("/", "*")):
        base = f"/{base}"
    return _Pattern(line, re.compile(_expression_of(_spelled(base)) + tail))


def _spelled(pattern: str) -> str:
    """The pattern as normalized URLs are spelled: people type letters that an address has percent-encoded."""
    is_whole = pattern.lower().startswith("http")
    stem = "" if is_whole else "http://pattern.invalid/"
    # Normalization keeps a star as it is, in paths and in queries.
    found = normalize_url(stem + pattern)
    return found[len(stem) :] if found else pattern


def _expression_of(text: str) -> str:
    return ".*".join(map(re.escape, text.split("*")))


def _of_subdomain(url: str, site_url: str) -> str:
    """The URL where its host lies below the site's; http and https on their usual ports are folded."""
    if not url:
        return ""
    host, site_host = host_of(url), host_of(site_url).removeprefix("www.")
    if not host.endswith(f".{site_host}"):
        return ""
    parts, site_parts = urlsplit(url), urlsplit(site_url)
    port, site_port = (part.port or DEFAULT_PORTS.get(part.scheme) for part in (parts, site_parts))
    if parts.port is None and site_parts.port is None:
        return f"{site_parts.scheme}{url[len(parts.scheme) :]}"
    return url if port == site_port else ""
