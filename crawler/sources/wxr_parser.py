"""WordPress' export format (WXR 1.0 to 1.2): a stream of bytes in, posts out, one at a time. Pure.

The file is somebody's: no document type, no entities, no network, flat memory, and control characters, with which
WordPress itself makes files that are no XML, are left out on the way. Leaves what becomes of posts to `wxr`.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from lxml import etree

from crawler.xml_prolog import has_document_type

_CHUNK = 256 * 1024
_GZIP_MAGIC = b"\x1f\x8b"
#: What XML 1.0 has no place for. In UTF-8 none of these bytes is a part of another character.
_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_CONTROL_REFERENCES = re.compile(rb"&#(?:0*(?:[0-8]|1[124-9]|2[0-9]|3[01])|x0*(?:[0-8bcef]|1[0-9a-f]));", re.IGNORECASE)
#: Named characters that nobody defined, as plugins write them between posts: they are left out, and nothing else.
_HARMLESS = frozenset({"ERR_UNDECLARED_ENTITY", "WAR_UNDECLARED_ENTITY"})
#: One post may have this many bytes; a larger one is no post.
MOST_POST_BYTES = 50 * 1024 * 1024


class WxrBroken(ValueError):
    """The bytes are no export of WordPress; `str()` is the reason in a few words."""


@dataclass(frozen=True, slots=True)
class WxrPost:
    """One item of the file. `modified` is modified_gmt, `status` publish, draft, private, pending, future, ..."""

    number: int
    link: str
    title: str
    content: str
    kind: str
    status: str
    modified: str
    is_protected: bool
    slug: str


@dataclass(slots=True)
class WxrFile:
    """What the file says before and around its posts. `problem`: why reading ended early, "" where it did not."""

    site_url: str = ""
    language: str = ""
    problem: str = ""


def read_wxr(stream: IO[bytes], file: WxrFile) -> Iterator[WxrPost]:
    """The posts in the file's order; `file` is filled meanwhile. Raises WxrBroken where it is no export at all."""
    parser = etree.XMLPullParser(
        events=("start", "end"),
        recover=True,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
    )
    is_first, is_export, is_ended, since_post = True, False, False, 0
    for chunk in _behind_prolog(_chunks(stream, file)):
        is_first = False
        since_post += len(chunk)
        try:
            parser.feed(chunk)
        except etree.XMLSyntaxError as error:
            file.problem = file.problem or f"it is not well-formed XML ({error.msg})"
            break
        for event, element in parser.read_events():
            name = _local(element)
            if event == "start":
                is_export = is_export or "wordpress.org/export" in " ".join(map(str, element.nsmap.values()))
                continue
            is_ended = is_ended or element.getparent() is None
            if name == "item":
                since_post = 0
                yield _post(element)
                _let_go(element)
            elif (
                name in ("base_blog_url", "base_site_url", "link", "language")
                and _local(element.getparent()) == "channel"
            ):
                _read_head(file, name, (element.text or "").strip())
            elif name in ("category", "tag", "term", "author") and _local(element.getparent()) == "channel":
                _let_go(element)
        if since_post > MOST_POST_BYTES:
            file.problem = f"a post of it has more than {MOST_POST_BYTES // 1024 // 1024} MB"
            break
    if is_first:
        raise WxrBroken("it is empty")
    if not is_export:
        raise WxrBroken("it does not name WordPress' export format")
    fault = next((entry.message for entry in parser.error_log if entry.type_name not in _HARMLESS), "")
    if not file.problem and (fault or not is_ended):
        file.problem = f"it is not well-formed XML ({fault})" if fault else "it is cut off"


def read_head(stream: IO[bytes]) -> bytes:
    """The beginning of the file as it is read, unpacked; b"" where nothing can be unpacked."""
    return next(_chunks(stream, WxrFile()), b"")


def _chunks(stream: IO[bytes], file: WxrFile) -> Iterator[bytes]:
    head = stream.read(2)
    stream.seek(0)
    rest = b""
    for read in _unpacked(stream, file) if head == _GZIP_MAGIC else iter(lambda: stream.read(_CHUNK), b""):
        data = rest + read
        # A reference to a character must not be cut in two.
        cut = data.rfind(b"&", len(data) - 12) if len(data) > 12 else -1
        data, rest = (data[:cut], data[cut:]) if cut >= 0 else (data, b"")
        if data:
            yield _clean(data)
    if rest:
        yield _clean(rest)


def _unpacked(stream: IO[bytes], file: WxrFile) -> Iterator[bytes]:
    """What gzip holds, as far as it is whole, and never more at once than a chunk of it."""
    unpacker = zlib.decompressobj(wbits=31)
    waiting = b""
    try:
        while waiting or (waiting := stream.read(_CHUNK)):
            if unpacker.eof:
                unpacker = zlib.decompressobj(wbits=31)
            if data := unpacker.decompress(waiting, _CHUNK):
                yield data
            waiting = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
        while not unpacker.eof and (data := unpacker.decompress(unpacker.unconsumed_tail, _CHUNK)):
            yield data
        is_whole = unpacker.eof
    except zlib.error:
        is_whole = False
    if not is_whole:
        file.problem = "its gzip data is damaged or cut off"


def _clean(data: bytes) -> bytes:
    return _CONTROL_REFERENCES.sub(b"", _CONTROLS.sub(b"", data))


def _behind_prolog(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The chunks, none before it is known that the file declares no document type. Raises WxrBroken."""
    data = b""
    for chunk in chunks:
        data += chunk
        start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
        if start and (start.startswith((b"\xff\xfe", b"\xfe\xff")) or not start.startswith(b"<")):
            raise WxrBroken("it is not XML")
        is_declared = has_document_type(data)
        if is_declared:
            raise WxrBroken("it declares a document type, which exports do not")
        if is_declared is not None:
            break
    if data:
        yield data
    yield from chunks


def _read_head(file: WxrFile, name: str, text: str) -> None:
    if name == "language":
        file.language = text
    elif text and (name == "base_blog_url" or not file.site_url):
        file.site_url = text


def _post(item: etree._Element) -> WxrPost:
    texts: dict[str, str] = {}
    for child in item:
        if not isinstance(child.tag, str):
            continue
        name = _local(child)
        if name == "encoded":
            name = "excerpt" if "excerpt" in child.tag else "content"
        texts.setdefault(name, child.text or "")
    number = texts.get("post_id", "").strip()
    return WxrPost(
        number=int(number) if number.isascii() and number.isdigit() else 0,
        link=texts.get("link", "").strip(),
        title=texts.get("title", "").strip(),
        content=texts.get("content", ""),
        kind=texts.get("post_type", "").strip(),
        status=texts.get("status", "").strip(),
        modified=texts.get("post_modified_gmt", texts.get("post_date_gmt", "")).strip(),
        is_protected=bool(texts.get("post_password", "").strip()),
        slug=texts.get("post_name", "").strip(),
    )


def _let_go(element: etree._Element) -> None:
    """What was read is not kept: memory stays flat however long the file is."""
    parent = element.getparent()
    element.clear()
    if parent is not None:
        while element.getprevious() is not None:
            del parent[0]


def _local(element: "etree._Element | None") -> str:
    return str(element.tag).rpartition("}")[2] if element is not None else ""
