"""WordPress' REST interface: where it is, and its answers as JSON. Leaves what posts mean to `posts`."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from crawler.errors import CrawlError
from crawler.fetched_page import FetchedPage
from crawler.http import MEGABYTE, HttpClient
from crawler.url_normalization import normalize_url, origin_of

_RELATION = "https://api.w.org/"
_LINK_HEADER = re.compile(r"<([^>]+)>\s*;[^,<]*rel=[\"']?https://api\.w\.org/", re.IGNORECASE)
_LINK_ELEMENT = re.compile(rb"<link\b[^>]*\brel=[\"']https://api\.w\.org/[\"'][^>]*>", re.IGNORECASE)
_LANGUAGE = re.compile(rb"<html\b[^>]*\blang=[\"']([A-Za-z0-9-]{2,35})[\"']", re.IGNORECASE)
_HREF = re.compile(rb"\bhref=[\"']([^\"']+)[\"']", re.IGNORECASE)
#: A hundred posts with all their text.
_MOST_BYTES = 64 * MEGABYTE


class WordPressError(CrawlError):
    """The site's REST interface cannot be used."""


class WordPressApi:
    """Asks one site's interface. `root` is what the root route says: name, home, namespaces, authentication.

    `language` is what the start page says of itself: the interface does not tell.
    """

    def __init__(self, client: HttpClient, start_url: str) -> None:
        self._client = client
        self.language = ""
        self.address, self.root = self._discover(start_url)

    def _discover(self, start_url: str) -> tuple[str, dict[str, Any]]:
        """Where the interface is: as the site says, else where it usually is. Raises WordPressError."""
        start = self._client.get(start_url)
        end = start.final_url
        told = _told_address(start)
        if language := _LANGUAGE.search(start.body[:100_000]):
            self.language = language[1].decode("ascii")
        path = end.partition("?")[0]
        # The start address may be a folder without its slash.
        bases = dict.fromkeys((path.rstrip("/"), path.rpartition("/")[0]))
        usual = [f"{base}/{place}" for base in bases for place in ("wp-json/", "?rest_route=/")]
        asked = dict.fromkeys(filter(None, (told, *usual)))
        seen: list[str] = []
        for address in asked:
            # What the page says is somebody's word: the interface is on the site, or it is not asked.
            if origin_of(address) != origin_of(end):
                continue
            answer = self._client.get(address, max_bytes=_MOST_BYTES)
            found = as_json(answer)
            if isinstance(found, dict) and "wp/v2" in found.get("namespaces", ()):
                return address, found
            seen.append(
                f"{address} answers with HTTP {answer.status}" + ("" if answer.status != 200 else ", but not so")
            )
        raise WordPressError(
            f"{start_url} shows no REST interface of WordPress ({'; '.join(seen) or 'none is named'}). "
            "It may be shut by a plugin: read the site by its web address or from an export file instead."
        )

    def route(self, path: str, parameters: Mapping[str, Any]) -> str:
        """The address of a route such as wp/v2/posts, whichever way the site spells them."""
        parts = urlsplit(self.address)
        if "rest_route=" in parts.query:
            query = urlencode({"rest_route": f"/{path}", **parameters}, safe="/,")
            return urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))
        query = urlencode(parameters, safe=",")
        return f"{self.address.rstrip('/')}/{path}" + (f"?{query}" if query else "")

    def ask(self, path: str, **parameters: Any) -> FetchedPage:
        """The answer to GET of a route, whatever its status."""
        return self._client.get(self.route(path, parameters), max_bytes=_MOST_BYTES)

    def read(self, path: str, **parameters: Any) -> tuple[Any, Mapping[str, str]]:
        """The JSON of a route, and the headers. Raises WordPressError for any status but 200."""
        answer = self.ask(path, **parameters)
        found = as_json(answer)
        if answer.status != 200 or found is None:
            what = f"HTTP {answer.status}" if answer.status != 200 else "something that is no JSON"
            raise WordPressError(
                f"{self.route(path, {})} answers with {what}. "
                "Check that the user may read posts, or read the site by its web address instead."
            )
        return found, answer.headers


def _told_address(page: FetchedPage) -> str:
    if found := _LINK_HEADER.search(page.headers.get("link", "")):
        return normalize_url(found[1], page.final_url)
    element = _LINK_ELEMENT.search(page.body)
    href = _HREF.search(element[0]) if element else None
    return normalize_url(href[1].decode("utf-8", "replace").replace("&amp;", "&"), page.final_url) if href else ""


def as_json(answer: FetchedPage) -> Any:
    """The JSON that was answered; None where it is none. Plugins like to print marks or warnings before it."""
    if answer.status != 200:
        return None
    text = answer.body.decode("utf-8-sig", "replace")
    try:
        return json.loads(text)
    except RecursionError:
        return None
    except ValueError:
        starts = [at for mark in "{[" if (at := text.find(mark)) > 0]
        try:
            return json.loads(text[min(starts) :]) if starts else None
        except (ValueError, RecursionError):
            return None
