"""Sitemaps: bytes in, URLs out (urlset, index, plain text, feeds; gzipped or not). Pure.

Leaves fetching to sources/web_opening.py. Hostile input is expected: no DTD, no entities, no network, bounded
decompression.
"""

import io
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from lxml import etree

from crawler.url_normalization import normalize_url
from crawler.xml_prolog import has_document_type

#: Protocol limits of one sitemap, unpacked. Search engines read no more URLs of it; we do, and say so.
SITEMAP_MAX_BYTES = 50 * 1024 * 1024
MOST_URLS = 50_000
_KINDS = {"url": "page", "item": "page", "entry": "page", "sitemap": "sitemap"}
_ADDRESSES = ("loc", "link")
_ROOTS = ("urlset", "sitemapindex", "rss", "feed", "RDF")
_TIMES = ("lastmod", "updated", "pubDate")
_BARE_AMPERSAND = re.compile(rb"&(?!(?:#\d+|#[xX][0-9A-Fa-f]+|\w+);)")
_GZIP_MAGIC = b"\x1f\x8b"
_WEB = ("http://", "https://")


class SitemapBroken(ValueError):
    """The bytes are no sitemap; `str()` is the reason in a few words."""


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one sitemap says, in its order. `problem` tells why reading ended early, "" where it did not."""

    page_urls: tuple[str, ...] = ()
    lastmods: Mapping[str, datetime] = field(default_factory=dict)
    child_urls: tuple[str, ...] = ()
    problem: str = ""


def parse_sitemap(body: bytes, url: str, *, max_urls: int = 1_000_000) -> Sitemap:
    """The URLs in a sitemap, normalized, each once. What was read before a fault is kept. Raises SitemapBroken."""
    body = unpack_gzip(body) if body.startswith(_GZIP_MAGIC) else body
    start = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n\0")
    if not start:
        raise SitemapBroken("it is empty")
    text = body.decode("utf-16", "replace") if body.startswith((b"\xff\xfe", b"\xfe\xff")) else ""
    if text.lstrip().lower().startswith(_WEB):
        return _parse_text(text, url, max_urls)
    if start[:8].lower().startswith((b"http://", b"https://")):
        return _parse_text(body.decode("utf-8-sig", "replace"), url, max_urls)
    if not start.startswith((b"<", b"\xff\xfe", b"\xfe\xff")):
        raise SitemapBroken("it is neither XML nor a list of URLs")
    if b"<!doctype" in body[:65536].lower() or (start.startswith(b"<") and has_document_type(body)):
        raise SitemapBroken("it declares a document type, as HTML pages do and sitemaps may not")
    # Many write & as it stands in the address; the parser would drop what follows it.
    is_bare = not text and b"<![CDATA[" not in body
    return _parse_xml(_BARE_AMPERSAND.sub(b"&amp;", body) if is_bare else body, url, max_urls)


def unpack_gzip(body: bytes, limit: int = SITEMAP_MAX_BYTES) -> bytes:
    """The content of gzipped bytes. Raises SitemapBroken beyond `limit` or where nothing can be unpacked."""
    out: list[bytes] = []
    left, rest = limit, body
    try:
        while rest.startswith(_GZIP_MAGIC):
            unpacker = zlib.decompressobj(31)
            out.append(unpacker.decompress(rest, left + 1))
            left -= len(out[-1])
            if left < 0:
                raise SitemapBroken(f"it unpacks to more than {limit // 1024 // 1024} MB")
            rest = unpacker.unused_data
    except zlib.error as error:
        raise SitemapBroken("its gzip data is damaged") from error
    return b"".join(out)


def _parse_text(text: str, url: str, max_urls: int) -> Sitemap:
    lines = [line.strip() for line in text.splitlines()]
    named = [line for line in lines if line.lower().startswith(_WEB)]
    others = sum(map(bool, lines)) - len(named)
    found = (normalize_url(line, url) for line in named[:max_urls])
    problem = f"{others} of its lines are no address" if others else ""
    return Sitemap(page_urls=tuple(dict.fromkeys(filter(None, found))), problem=problem)


def _parse_xml(body: bytes, url: str, max_urls: int) -> Sitemap:
    pages: dict[str, None] = {}
    children: dict[str, None] = {}
    lastmods: dict[str, datetime] = {}
    events = etree.iterparse(
        io.BytesIO(body),
        events=("end",),
        tag=tuple(f"{{*}}{name}" for name in (*_ADDRESSES, *_TIMES, *_KINDS)),
        recover=True,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    problem = ""
    try:
        for url_kind, address, lastmod in _locations(events):
            if not (found := normalize_url(address, url)):
                continue
            (children if url_kind == "sitemap" else pages)[found] = None
            if url_kind == "page" and (when := _read_time(lastmod)):
                lastmods[found] = when
            if len(pages) + len(children) >= max_urls:
                problem = f"only its first {max_urls} URLs were read"
                break
    except etree.XMLSyntaxError as error:
        problem = f"it is not well-formed XML ({error.msg})"
    if not problem and len(events.error_log):
        problem = f"it is not well-formed XML ({events.error_log[0].message})"
    root = getattr(events, "root", None)
    if root is not None and (name := _local_name(root)) not in _ROOTS:
        raise SitemapBroken(f"its first element is <{name[:40]}>, not <urlset> or <sitemapindex>")
    if problem and not pages and not children:
        raise SitemapBroken(problem)
    return Sitemap(tuple(pages), lastmods, tuple(children), problem)


def _locations(events: "etree.iterparse[etree._Element]") -> Iterator[tuple[str, str, str]]:
    """("page" or "sitemap", address, lastmod) of each entry; with its lastmod once more where that comes after."""
    for _, element in events:
        parent = element.getparent()
        if parent is None:
            continue
        if _local_name(element) not in _KINDS:
            # Extensions have a loc of their own, in an element of their own: it is no page.
            kind = _KINDS.get(_local_name(parent), "")
            if kind and (address := _address_of(parent)):
                times = (parent.findtext(f"{{*}}{name}", "").strip() for name in _TIMES)
                yield kind, address, next(filter(None, times), "")
        else:
            element.clear()
            while element.getprevious() is not None:
                del parent[0]


def _address_of(entry: etree._Element) -> str:
    """The page that an entry names: <loc> in sitemaps, <link> in feeds."""
    if _local_name(entry) in ("url", "sitemap"):
        return entry.findtext("{*}loc", "").strip()
    for link in entry.iterfind("{*}link"):
        if link.get("rel", "alternate") == "alternate" and (address := link.get("href") or link.text or ""):
            return address.strip()
    return ""


def _read_time(text: str) -> datetime | None:
    """The moment in W3C's form, whole or cut after day, month or year, or as mails have it; None where it is none."""
    missing = {len("2026"): "-01-01", len("2026-01"): "-01"}.get(len(text), "")
    for read, value in ((datetime.fromisoformat, text + missing), (parsedate_to_datetime, text)):
        try:
            found = read(value)
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            continue
    return None


def _local_name(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]
