"""Names the raw content of an answer, so that a page that has not changed by a byte is not taken apart again.

The name tells the version of the extraction that read it: what an older one read is read anew. Pure.
"""

import hashlib

from crawler.extraction.page import EXTRACTION_VERSION
from crawler.fetched_page import FetchedPage

#: Headers that change what a page says.
_HEADERS = ("content-type", "content-language", "x-robots-tag", "link", "refresh")
_PREFIX = f"{EXTRACTION_VERSION}:"


def raw_sha256(answer: FetchedPage) -> str:
    """The name of what the server sent: version, colon, 60 digits at most."""
    digest = hashlib.sha256(answer.body)
    for name in _HEADERS:
        digest.update(f"\n{name}: {answer.headers.get(name, '')}".encode("utf-8", "surrogatepass"))
    return f"{_PREFIX}{digest.hexdigest()}"[:64]


def text_sha256(text: str) -> str:
    """The same for raw text that no web server answered with: an editor's, out of an export or an interface."""
    return f"{_PREFIX}{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"[:64]


def is_of_this_version(source_sha256: str) -> bool:
    """Whether the page was read by the extraction as it is now."""
    return source_sha256.startswith(_PREFIX)
