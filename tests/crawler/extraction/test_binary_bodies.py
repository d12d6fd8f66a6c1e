"""What is no text at all, whatever its Content-Type says."""

import random
import zlib

import pytest

from crawler.extraction.binary_bodies import is_binary

PAGE = "<!doctype html><html><body><p>Wörter und 日本語, a few of them.</p></body></html>" * 20


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32", "shift_jis"])
def test_pages_are_text_in_any_encoding(encoding: str) -> None:
    text = PAGE.replace("ö", "oe")
    assert not is_binary(text.encode(encoding), {"content-type": f"text/html; charset={encoding}"})


def test_escapes_empty_bodies_and_strays_are_text() -> None:
    japanese = "".join("<b>a日</b>" for _ in range(200)).encode("iso2022_jp")
    assert not is_binary(japanese, {"content-type": "text/html; charset=iso-2022-jp"})
    assert not is_binary(b"", {})
    assert not is_binary(PAGE.encode() + b"\x00\x07", {})


@pytest.mark.parametrize(
    "body",
    [
        bytes(1000),
        random.Random(7).randbytes(5000),
        b"\x89PNG\r\n\x1a\n" + random.Random(8).randbytes(5000),
        b"\x1f\x8b" + zlib.compress(random.Random(9).randbytes(5000)),
    ],
)
@pytest.mark.parametrize("charset", ["", "; charset=utf-8", "; charset=iso-8859-1"])
def test_other_bytes_are_not(body: bytes, charset: str) -> None:
    assert is_binary(body, {"content-type": f"text/html{charset}"})
