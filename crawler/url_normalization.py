"""URL normalization: one spelling for what is surely one address. Pure.

What is merged: letter case of scheme and host, IDN (as punycode), default port, dot segments, percent-encoding,
fragment, tracking and session parameters, empty parameters. What is kept, because servers may tell it apart: case of
the path, the trailing slash, index.html, .html, double slashes, the order and repetition of the other parameters.
Those are merged by what the server says (redirects, rel=canonical, equal text of `spelling_variants`), never by string.
"""

import re
import string
from functools import lru_cache
from ipaddress import IPv6Address
from urllib.parse import SplitResult, urljoin, urlsplit

import idna

#: Longest URL that is kept (the database column's width).
MAX_URL_LENGTH = 2000
DEFAULT_PORTS = {"http": 80, "https": 443}

_TRACKING = re.compile(
    r"(?:utm_\w*|[dg]?clid|gclsrc|[gw]braid|fbclid|msclkid|ysclid|yclid|twclid|ttclid|li_fat_id|igshid|igsh|mc_[ce]id"
    r"|_ga|_gl|_hsenc|_hsmi|__hs\w*|hsctatracking|mkt_tok|vero_(?:id|conv)|oly_(?:enc|anon)_id|rb_clickid|wickedid"
    r"|epik|srsltid|pk_\w+|mtm_\w+|matomo_\w+|piwik_\w+|ml_subscriber\w*|replytocom"
    r"|phpsessid|jsessionid|aspsessionid\w*|session_?id|cfid|cftoken|oscsid|zenid)",
    re.IGNORECASE,
)
#: `sid` names many things: it is a session only where its value looks like one.
_SESSION_PAIR = re.compile(r"sid=[0-9a-f]{24,}", re.IGNORECASE)
_SESSION_IN_PATH = re.compile(r";jsessionid=[^/;]*", re.IGNORECASE)
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*")

_UNRESERVED = (string.ascii_letters + string.digits + "-._~").encode()
#: Bytes that stand bare in a path; their percent-encoded forms mean the same to every server seen.
_PATH_BARE = frozenset(_UNRESERVED + b"!$&'()*+,;=:@/")
#: In a query & = + ; are separators: bare and encoded forms differ, so neither is turned into the other.
_QUERY_BARE = frozenset(_UNRESERVED + b"!'()*,:@/?$&+;=[]")
_QUERY_DECODED = frozenset(_UNRESERVED + b"!'()*,:@/?")
_PATH_DECODED = frozenset(_PATH_BARE - {ord("/")})
_PLAIN = re.compile(r"[A-Za-z0-9._~/-]*")
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")


def normalize_url(url: str, base: str | None = None) -> str:
    """The normalized URL, made absolute by `base` (itself a URL); "" where it is no usable http or https address.

    Never raises; idempotent. Addresses with credentials in them are not usable.
    """
    cleaned = "".join(url.split("\n")).replace("\r", "").replace("\t", "").strip(" \0\x0b\x0c\x1f\xa0")
    if "\\" in cleaned:
        head, mark, query = cleaned.partition("?")
        cleaned = head.replace("\\", "/") + mark + query
    if base and ";" in cleaned:
        # urljoin drops a semicolon with nothing behind it; escaped it means the same, and it comes back below.
        head, mark, query = cleaned.partition("?")
        cleaned = head.replace(";", "%3B") + mark + query
    try:
        absolute = urljoin(base, cleaned) if base else cleaned
        return _normalize_absolute(absolute.partition("#")[0])
    except (ValueError, UnicodeError):
        return ""


@lru_cache(maxsize=16384)
def _normalize_absolute(url: str) -> str:
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS or "@" in parts.netloc:
        return ""
    host = _normalize_host(parts)
    port = parts.port
    if not host or port == 0:
        return ""
    place = host if port in (None, DEFAULT_PORTS[scheme]) else f"{host}:{port}"
    query = _normalize_query(parts.query)
    normalized = f"{scheme}://{place}{_normalize_path(parts.path)}" + (f"?{query}" if query else "")
    return normalized if len(normalized) <= MAX_URL_LENGTH else ""


def _normalize_host(parts: SplitResult) -> str:
    """The host in its one form, IPv6 in brackets; "" where it is none."""
    host = parts.hostname or ""
    if ":" in host:
        return f"[{IPv6Address(host).compressed}]" if "%" not in host else ""
    if not host.isascii():
        host = idna.encode(host, uts46=True, transitional=False).decode("ascii")
    host = host.removesuffix(".").lower()
    return host if len(host) <= 253 and _HOST.fullmatch(host) else ""


def _normalize_path(path: str) -> str:
    quoted = path if _PLAIN.fullmatch(path) else _SESSION_IN_PATH.sub("", _quote(path, _PATH_BARE, _PATH_DECODED))
    if "/." not in quoted:
        return quoted if quoted.startswith("/") else "/" + quoted
    kept: list[str] = []
    segments = quoted.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _normalize_query(query: str) -> str:
    if not query:
        return ""
    pairs = _quote(query, _QUERY_BARE, _QUERY_DECODED).split("&")
    kept = [
        pair
        for pair in pairs
        if pair.strip("=") and not _TRACKING.fullmatch(pair.split("=", 1)[0]) and not _SESSION_PAIR.fullmatch(pair)
    ]
    return "&".join(kept)


def _quote(text: str, bare: frozenset[int], decoded: frozenset[int]) -> str:
    """Percent-encode what may not stand bare, decode what means the same bare, upper-case the other escapes."""
    out: list[str] = []
    data = text.encode("utf-8", "replace")
    position = 0
    while position < len(data):
        byte = data[position]
        if byte == 0x25 and (escape := _ESCAPE.match(data, position)):
            value = int(escape[1], 16)
            out.append(chr(value) if value in decoded else f"%{value:02X}")
            position += 3
            continue
        out.append(chr(byte) if byte in bare else f"%{byte:02X}")
        position += 1
    return "".join(out)


def origin_of(url: str) -> str:
    """`scheme://host[:port]` of a normalized URL."""
    return "/".join(url.split("/", 3)[:3])


def host_of(url: str) -> str:
    """The host of a normalized URL, without port; IPv6 without brackets."""
    return urlsplit(url).hostname or ""


@lru_cache(maxsize=4096)
def _site_key(origin: str) -> tuple[str, object]:
    parts = urlsplit(origin)
    host = (parts.hostname or "").removeprefix("www.")
    # http and https on their default ports are one site; any other port is a place of its own.
    return host, (parts.scheme, parts.port) if parts.port else "default"


def to_site_url(url: str, site_url: str) -> str:
    """`url` with the site's own scheme and host; "" where it is on another site.

    `www.` and http/https are folded: a site that names itself both ways must not become two.
    """
    origin, site_origin = origin_of(url), origin_of(site_url)
    if origin == site_origin:
        return url
    if not url or _site_key(origin) != _site_key(site_origin):
        return ""
    return site_origin + url[len(origin) :]


def is_same_site(url: str, site_url: str) -> bool:
    """Whether both normalized URLs are on one site (host without `www.`, and port)."""
    return bool(to_site_url(url, site_url))


_SECOND_LEVELS = frozenset(
    ["ac", "co", "com", "edu", "gob", "gov", "go", "gouv", "mil", "ne", "net", "nom", "or", "org"]
)


def registered_name(url: str) -> str:
    """The name that somebody registered (`example.co.uk` of `www.example.co.uk`), by rule of thumb; an IP as it is."""
    host = host_of(url)
    labels = host.split(".")
    if ":" in host or labels[-1].isdigit() or len(labels) < 2:
        return host
    has_two_part_suffix = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVELS
    return ".".join(labels[-3 if has_two_part_suffix else -2 :])


_INDEX_NAMES = ("index.html", "index.htm", "index.php")


def spelling_variants(url: str) -> list[str]:
    """Other spellings under which servers like to answer the same page: `/x`, `/x/`, `/x.html`, `/x/index.html`, ...

    Two of them are one page only when their text is equal too.
    """
    origin = origin_of(url)
    path, mark, query = url[len(origin) :].partition("?")
    stem = path
    for name in _INDEX_NAMES:
        stem = stem.removesuffix("/" + name)
    for suffix in (".html", ".htm", ".php"):
        stem = stem.removesuffix(suffix)
    stem = stem.rstrip("/")
    paths = [f"{stem}/", *(f"{stem}/{name}" for name in _INDEX_NAMES)]
    if stem:
        paths += [stem, f"{stem}.html", f"{stem}.htm", f"{stem}.php"]
    if stem.lower() != stem:
        paths += [path.lower()]
    spellings = [f"{origin}{other}{mark}{query}" for other in paths]
    if query:
        spellings += [f"{origin}{path}"]
    return [spelling for spelling in spellings if spelling != url]
