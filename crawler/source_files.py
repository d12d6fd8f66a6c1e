"""Uploaded lists of addresses and WordPress exports: looked at before they are kept, and replaced as a whole.

Leaves the size limit to linkrec_site.upload_limit and reading the pages in them to the sources.
"""

import re
from functools import partial
from typing import IO

from django.core.files.base import File
from django.db import transaction

from crawler.errors import CrawlError
from crawler.models import Site, SourceKind

#: As far as the head of a file is looked at; an export names its site in the first lines.
_HEAD = 2**18
_ADDRESS = re.compile(r"https?://[^\s,;\"'<>]+", re.IGNORECASE)
_ORIGIN = re.compile(r"https?://[^/?#]+", re.IGNORECASE)
_OWN_ADDRESS = (
    re.compile(r"<wp:base_blog_url>\s*(https?://[^<\s]+)"),
    re.compile(r"<link>\s*(https?://[^<\s]+)"),
)


class BadSourceFile(CrawlError):
    """Not the kind of file that it was said to be."""


def address_in_file(kind: str, file: "IO[bytes] | File[bytes]", name: str) -> str:
    """The address of the site that the file is about, by its own word. Raises BadSourceFile."""
    file.seek(0)
    head = file.read(_HEAD).decode("utf-8", "replace")
    file.seek(0)
    if not head.strip():
        raise BadSourceFile(f"{name} is empty. Choose another file.")
    return _address_of_export(head, name) if kind == SourceKind.WXR else _address_of_list(head, name)


def _address_of_export(head: str, name: str) -> str:
    if "<rss" not in head or "wordpress.org/export/" not in head:
        raise BadSourceFile(
            f"{name} is no WordPress export. Make one in WordPress (Tools, Export, All content) and upload that file."
        )
    found = next((match for pattern in _OWN_ADDRESS if (match := pattern.search(head))), None)
    return found[1] if found else ""


def _address_of_list(head: str, name: str) -> str:
    found = None if "\0" in head else _ADDRESS.search(head)
    if found is None:
        raise BadSourceFile(
            f"{name} holds no address that begins with https:// or http://. "
            "Upload a text or CSV file with one address a line."
        )
    origin = _ORIGIN.match(found[0])
    return f"{origin[0]}/" if origin else ""


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
