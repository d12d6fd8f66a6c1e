"""What an uploaded file may be, before it is kept."""

import gzip
import io

import pytest

from crawler.models import SourceKind
from crawler.source_files import BadSourceFile, address_in_file

EXPORT = (
    '<?xml version="1.0"?><!-- a note <!DOCTYPE --><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>'
    "<wp:base_blog_url>https://blog.example/</wp:base_blog_url><item><title><![CDATA[<!DOCTYPE> and I]]></title></item>"
    "</channel></rss>"
)


def address(body: bytes, kind: str = SourceKind.WXR) -> str:
    return address_in_file(kind, io.BytesIO(body), "upload")


def test_an_export_tells_its_address_packed_or_not() -> None:
    assert address(EXPORT.encode()) == "https://blog.example/"
    assert address(gzip.compress(EXPORT.encode())) == "https://blog.example/"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "is empty"),
        (b"\x1f\x8b\x08damaged", "is no WordPress export"),
        (gzip.compress(b"no export"), "is no WordPress export"),
        (b'<!DOCTYPE rss SYSTEM "file:///etc/passwd">' + EXPORT.encode(), "declares a document type"),
    ],
)
def test_anything_else_is_refused_before_it_is_kept(body: bytes, said: str) -> None:
    with pytest.raises(BadSourceFile, match=said):
        address(body)
