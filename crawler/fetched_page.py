"""One answer of a web server: reading it within limits. Leaves asking, redirects and retries to http.py."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import requests

from crawler.errors import BodyTooLarge
from crawler.url_normalization import normalize_url

REDIRECTS = frozenset({301, 302, 303, 307, 308})
#: An answer without use of its body is read this far to keep the connection, and cut beyond.
_DRAINED_BYTES = 64 * 1024
_ENCODINGS = frozenset({"", "gzip", "x-gzip", "deflate", "identity"})


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """One answer. `url` was asked for, `final_url` answered after `redirects` (every URL that was left behind)."""

    url: str
    final_url: str
    status: int
    headers: dict[str, str]  # names in lower case
    body: bytes
    redirects: tuple[str, ...] = ()
    is_body_read: bool = True
    seconds: float | None = None  # of the last exchange, from asking to the end of what was read

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def location(self) -> str:
        """Where a redirect points, normalized; "" where this is none or the address is unusable."""
        if not self.is_redirect:
            return ""
        return normalize_url(_decode_header(self.headers["location"]), self.final_url)

    @property
    def is_redirect(self) -> bool:
        return self.status in REDIRECTS and "location" in self.headers


def read_answer(url: str, response: requests.Response, max_bytes: int, accept: Sequence[str]) -> FetchedPage:
    headers = {name.lower(): value for name, value in response.headers.items()}
    status = response.status_code
    page = FetchedPage(url, url, status, headers, b"", is_body_read=False)
    is_wanted = status == 200 and (not accept or page.media_type in ("", *accept))
    if not is_wanted:
        _drain(response)
        return page
    declared = headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared[:18]) > max_bytes:
        raise BodyTooLarge("declared too large")
    # Bytes in an encoding that was not asked for stay as they are, whatever decoders happen to be installed.
    is_asked_for = _ENCODINGS.issuperset(re.split(r"[\s,]+", headers.get("content-encoding", "").lower()))
    chunks: list[bytes] = []
    size = 0
    while chunk := response.raw.read1(65536, decode_content=is_asked_for):
        size += len(chunk)
        if size > max_bytes:
            raise BodyTooLarge("grew too large")
        chunks.append(chunk)
    return FetchedPage(url, url, status, headers, b"".join(chunks))


def _drain(response: requests.Response) -> None:
    """Read a short unwanted body so that the connection can be used again; let a long one go."""
    declared = response.headers.get("Content-Length", "")
    if declared.isdigit() and int(declared[:18]) <= _DRAINED_BYTES:
        response.raw.read(_DRAINED_BYTES, decode_content=False)


def _decode_header(value: str) -> str:
    """A header's text: HTTP says Latin-1, servers send UTF-8."""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value
