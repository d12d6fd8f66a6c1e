"""Pages that send the reader on by <meta http-equiv=refresh>: a redirect without an HTTP status. Pure."""

import re

from crawler.extraction.metadata import find_base_url
from crawler.extraction.parsing import parse_html
from crawler.url_normalization import normalize_url

_HEAD_BYTES = 64 * 1024
_HINT = re.compile(rb"http-equiv\s*=\s*[\"']?\s*refresh", re.IGNORECASE)
_CONTENT = re.compile(r"\s*(\d+)(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|(\S+))", re.IGNORECASE)
#: A page that waits longer is meant to be read.
_MOST_SECONDS = 5


def refresh_target(body: bytes, url: str) -> str:
    """Where the page sends its reader at once, normalized; "" where it stays, or loads itself anew."""
    head = body[:_HEAD_BYTES]
    if not _HINT.search(head):
        return ""
    # What stands in comments, scripts and noscript is not in the tree.
    root = parse_html(head.decode("utf-8", "replace"))
    if root is None:
        return ""
    for element in root.iter("meta"):
        if (element.get("http-equiv") or "").strip().lower() != "refresh":
            continue
        found = _CONTENT.match(element.get("content") or "")
        if found and int(found[1][:9]) <= _MOST_SECONDS:
            target = normalize_url(found[2] or found[3] or found[4] or "", find_base_url(root, url))
            return target if target != url else ""
    return ""
