"""Tells a body that is no text at all, whatever its Content-Type says. Pure. Leaves decoding to charset.py."""

from collections.abc import Mapping

from crawler.extraction.charset import decode_html

_SAMPLE = 64 * 1024
#: Compressed or random bytes have a tenth of these; a page with stray ones has hardly any.
_TOLERATED_SHARE = 0.03
#: C0 without white space and without ESC, which ISO-2022-JP is full of.
_CONTROLS = bytes(code for code in (*range(0x20), 0x7F) if code not in b"\t\n\v\f\r\x1b")
_DAMAGED = dict.fromkeys((*_CONTROLS, 0xFFFD))


def is_binary(body: bytes, headers: Mapping[str, str]) -> bool:
    """Whether the body is an image, an archive or the like under the name of a page."""
    if not _is_damaged(len(body[:_SAMPLE]), len(body[:_SAMPLE].translate(None, _CONTROLS))):
        return False
    # UTF-16 and UTF-32 are half zero bytes, and text all the same.
    text = decode_html(body, headers)[:_SAMPLE]
    return _is_damaged(len(text), len(text.translate(_DAMAGED)))


def _is_damaged(length: int, length_of_text: int) -> bool:
    return length - length_of_text > _TOLERATED_SHARE * length
