"""Uploaded lists of addresses and WordPress exports: looked at before they are kept, and replaced as a whole.

Leaves the size limit to linkrec_site.upload_limit and reading the pages in them to the sources.
"""

import io
import re
from functools import partial
from typing import IO

from django.core.files.base import File
from django.db import transaction

from crawler.errors import CrawlError
from crawler.models import Site, SourceKind
from crawler.sources.url_list import read_url_list
from crawler.sources.wxr_parser import read_head
from crawler.url_normalization import origin_of
from crawler.xml_prolog import has_document_type

#: As far as the head of a file is looked at; an export names its site in the first lines.
_HEAD = 2**18
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_OWN_ADDRESS = (
    re.compile(r"<wp:base_blog_url>\s*(https?://[^<\s]+)"),
    re.compile(r"<link>\s*(https?://[^<\s]+)"),
)


class BadSourceFile(CrawlError):
    """Not the kind of file that it was said to be."""


def address_in_file(kind: str, file: "IO[bytes] | File[bytes]", name: str) -> str:
    """The address of the site that the file is about, by its own word. Raises BadSourceFile."""
    file.seek(0)
    head = file.read(_HEAD)
    file.seek(0)
    if not head.strip():
        raise BadSourceFile(f"{name} is empty. Choose another file.")
    return _address_of_export(head, name) if kind == SourceKind.WXR else _address_of_list(head, name)


def _address_of_export(packed: bytes, name: str) -> str:
    head = read_head(io.BytesIO(packed))
    text = head.decode("utf-8", "replace")
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and has_document_type(head):
        raise BadSourceFile(
            f"{name} declares a document type, which exports of WordPress never do. Upload it as WordPress made it."
        )
    if "<rss" not in text or "wordpress.org/export/" not in text:
        raise BadSourceFile(
            f"{name} is no WordPress export. Make one in WordPress (Tools, Export, All content) and upload that file."
        )
    found = next((match for pattern in _OWN_ADDRESS if (match := pattern.search(text))), None)
    return found[1] if found else ""


def _address_of_list(head: bytes, name: str) -> str:
    is_binary = b"\0" in head and not head.startswith(_UTF_16)
    urls = () if is_binary else read_url_list(head).urls
    if not urls:
        raise BadSourceFile(
            f"{name} holds no address of a page. Upload a text or CSV file with one a line, such as https://example.com/a."
        )
    return f"{origin_of(urls[0])}/"


def keep_source_file(site: Site, upload: "File[bytes]") -> None:
    """Keep the file for the site, in place of the one before. Saves that column."""
    before = site.source_file.name if site.source_file else ""
    storage = site.source_file.storage
    site.source_file.save(upload.name or "upload", upload, save=False)
    site.save(update_fields=["source_file"])
    if before:
        # Not before the row names the new one for good.
        transaction.on_commit(partial(storage.delete, before))


def drop_source_file(site: Site) -> None:
    """Delete the site's file, when the site goes or is read in another way."""
    if site.source_file and site.source_file.name:
        transaction.on_commit(partial(site.source_file.storage.delete, site.source_file.name))
