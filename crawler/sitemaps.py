"""Sitemaps: bytes in, URLs out (urlset, index, plain text; gzipped or not). Pure; leaves fetching to sources/web.py.

Hostile input is expected: no DTD, no entities, no network, bounded decompression.
"""

import io
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from lxml import etree

from crawler.url_normalization import normalize_url

#: Protocol limit of one sitemap, unpacked.
SITEMAP_MAX_BYTES = 50 * 1024 * 1024
_GZIP_MAGIC = b"\x1f\x8b"


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
    if start.startswith((b"http://", b"https://")):
        return _parse_text(body, url, max_urls)
    if not start.startswith((b"<", b"\xff\xfe", b"\xfe\xff")):
        raise SitemapBroken("it is neither XML nor a list of URLs")
    if b"<!doctype" in body[:65536].lower():
        raise SitemapBroken("it declares a document type, as HTML pages do and sitemaps may not")
    return _parse_xml(body, url, max_urls)


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


def _parse_text(body: bytes, url: str, max_urls: int) -> Sitemap:
    lines = body.decode("utf-8-sig", "replace").split("\n", max_urls)[:max_urls]
    found = (normalize_url(line.strip(), url) for line in lines if line.strip())
    return Sitemap(page_urls=tuple(dict.fromkeys(filter(None, found))))


def _parse_xml(body: bytes, url: str, max_urls: int) -> Sitemap:
    pages: dict[str, None] = {}
    children: dict[str, None] = {}
    lastmods: dict[str, datetime] = {}
    events = etree.iterparse(
        io.BytesIO(body),
        events=("end",),
        tag=("{*}loc", "{*}lastmod", "{*}url", "{*}sitemap"),
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
            if url_kind == "url" and (when := _read_time(lastmod)):
                lastmods[found] = when
            if len(pages) + len(children) >= max_urls:
                problem = f"only its first {max_urls} URLs were read"
                break
    except etree.XMLSyntaxError as error:
        problem = f"it is not well-formed XML ({error.msg})"
    if not problem and len(events.error_log):
        problem = f"it is not well-formed XML ({events.error_log[0].message})"
    root = getattr(events, "root", None)
    if root is not None and (name := _local_name(root)) not in ("urlset", "sitemapindex"):
        raise SitemapBroken(f"its first element is <{name[:40]}>, not <urlset> or <sitemapindex>")
    if problem and not pages and not children:
        raise SitemapBroken(problem)
    return Sitemap(tuple(pages), lastmods, tuple(children), problem)


def _locations(events: "etree.iterparse[etree._Element]") -> Iterator[tuple[str, str, str]]:
    """("url" or "sitemap", address, lastmod) of each entry; with its lastmod once more where that comes after."""
    for _, element in events:
        parent = element.getparent()
        if parent is None:
            continue
        if _local_name(element) in ("loc", "lastmod"):
            kind = _local_name(parent)
            address = parent.findtext("{*}loc")
            # Extensions have a loc of their own, in an element of their own: it is no page.
            if kind in ("url", "sitemap") and address:
                yield kind, address.strip(), parent.findtext("{*}lastmod", "").strip()
        else:
            element.clear()
            while element.getprevious() is not None:
                del parent[0]


def _read_time(text: str) -> datetime | None:
    """The moment in W3C's form, whole or cut after day or month; None where it is none."""
    try:
        found = datetime.fromisoformat(f"{text}-01" if len(text) == len("2026-01") else text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _local_name(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]
