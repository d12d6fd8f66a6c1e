"""Bytes to text: which character set an HTML page is written in. Leaves markup to parsing.py."""

import codecs
import re
from collections.abc import Mapping

from bs4.dammit import EncodingDetector
from charset_normalizer import detect
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, resolve_encoding

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: A declaration is believed while at most this share of the characters comes out as U+FFFD.
_TOLERATED_DAMAGE = 0.005
#: Detectors read this much; more makes them slow, not better.
_DETECTION_SAMPLE = 20_000
_WEB_ENCODING = re.compile(
    r"ascii|utf-(?:8|16(?:-[lb]e)?|32(?:-[lb]e)?)|iso8859-\d+|cp\d{3,4}|koi8-[rut]|mac-\w+|ptcp154|tis-620|hz|johab"
    r"|gb2312|gbk|gb18030|big5(?:hkscs)?|euc_(?:jp|jis_2004|jisx0213|kr)|iso2022_(?:jp(?:_\w+)?|kr)|shift_jis\w*",
    re.IGNORECASE,
)
_NON_ASCII = re.compile(rb"[\x80-\xff]")


def decode_html(body: bytes, headers: Mapping[str, str]) -> str:
    """The page as text. Order: byte order mark, HTTP header, META, UTF-8 if the bytes are valid UTF-8, detection.

    A label of a subset means its superset, as in browsers (ISO-8859-1 is windows-1252, EUC-KR is cp949). A
    declaration that the bytes clearly contradict is passed over.
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    if not _NON_ASCII.search(body) and b"\x1b" not in body:  # escape sequences: ISO-2022-JP
        return body.decode("ascii", "replace")
    declared = _declared_encodings(body, headers)
    for encoding in declared:
        if (text := _decode_if_credible(body, encoding)) is not None:
            return text
    if (text := _decode_if_utf8(body)) is not None:
        return text
    for encoding in (*_detected_encodings(body), "cp1252"):
        if (text := _decode_if_credible(body, encoding)) is not None:
            return text
    return body.decode(declared[0] if declared else "utf-8", "replace")


def _declared_encodings(body: bytes, headers: Mapping[str, str]) -> list[str]:
    labels = [
        http_content_type_encoding(headers.get("content-type") or None),
        html_body_declared_encoding(body[:4096]),
    ]
    if not any(labels):
        labels.append(EncodingDetector.find_declared_encoding(body[:8192], is_html=True, search_entire_document=True))
    found: list[str] = []
    for label in labels:
        name = resolve_encoding(label) if label else None
        if not name or name in found:
            continue
        # A META tag that was readable as ASCII cannot stand in UTF-16: browsers read UTF-8 there.
        name = "utf-8" if name.startswith(("utf-16", "utf-32")) else name
        if _is_text_encoding(name):
            found.append(name)
    return found


def _is_text_encoding(name: str) -> bool:
    """Whether it is an encoding of web pages: the codec registry also holds punycode, zip and worse."""
    try:
        return _WEB_ENCODING.fullmatch(codecs.lookup(name).name) is not None
    except (LookupError, ValueError):
        return False


def _decode_if_credible(body: bytes, encoding: str) -> str | None:
    try:
        text = body.decode(encoding, "replace")
    except (LookupError, UnicodeError):
        return None
    damage = text.count("\ufffd")
    return text if damage <= 1 or damage <= _TOLERATED_DAMAGE * len(text) else None


def _decode_if_utf8(body: bytes) -> str | None:
    """Text in other encodings is hardly ever valid UTF-8 by chance; only the page's end may be cut."""
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        return None


def _detected_encodings(body: bytes) -> list[str]:
    """What the bytes look like to the detector. Markup is ASCII, so the sample starts at the text."""
    first = _NON_ASCII.search(body)
    start = max(0, first.start() - 200) if first else 0
    guess = detect(body[start : start + _DETECTION_SAMPLE])["encoding"]
    name = resolve_encoding(guess) if guess else None
    return [name] if name and name != "utf-8" and _is_text_encoding(name) else []
