"""Pages from WordPress by its REST interface: every public post type, by an application password or without one.

One light sweep over ids and times of change tells what is new, changed, moved or no longer there; only what has changed
is asked for in full. Leaves posts to `posts`, addresses and JSON to `api`, and passwords to `access`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from crawler.errors import FetchError
from crawler.http import HttpClient
from crawler.scope import Scope
from crawler.sources.types import BulkPage, KnownPage, Opening, Outcome, SourcePage
from crawler.sources.wordpress.access import check_access
from crawler.sources.wordpress.api import WordPressApi, WordPressError, as_json
from crawler.sources.wordpress.posts import Post, PostReader, PostType
from crawler.sources.wxr import NO_PAGES, NOT_PUBLISHED
from crawler.url_normalization import normalize_url

#: WordPress' own most.
_PER_PAGE = 100
#: Pages of a list without a post that one may see: on a site of many authors they are few in a row.
_MOST_EMPTY = 100


class WordPressSource:
    """A WordPress site as a source of pages."""

    def __init__(
        self,
        client: HttpClient,
        start_url: str,
        scope: Scope,
        *,
        has_password: bool = False,
        are_drafts_included: bool = False,
    ) -> None:
        self.site_url = start_url
        self._client = client
        self._scope = scope
        self._has_password = has_password
        self._are_drafts_included = are_drafts_included and has_password
        self._may_edit = False
        self._is_stopped = False
        self._api: WordPressApi | None = None
        self._types: list[PostType] = []

    @property
    def api(self) -> WordPressApi:
        if self._api is None:
            self._api = WordPressApi(self._client, self.site_url)
        return self._api

    def open(self) -> Opening:
        """Find the interface, check the password, list the post types. Raises CrawlError, in one sentence."""
        home = self._home()
        if not self._scope.place(home, self.site_url):
            raise WordPressError(f"The WordPress at {self.site_url} says that its home is {home}. Enter that address.")
        notes = []
        if not self._has_password:
            notes.append("Read without a password: what WordPress shows to everybody.")
        else:
            capabilities = check_access(self.api, home).get("capabilities") or {}
            self._may_edit = isinstance(capabilities, dict) and bool(capabilities.get("edit_others_posts"))
            if not self._may_edit:
                self._are_drafts_included = False
                notes.append(
                    "The user may not edit others' posts, so what WordPress shows to everybody was read. "
                    "Drafts and raw content need an editor's application password."
                )
        self._types = self._read_types()
        return Opening(start_url=self.site_url, given_url=self.site_url, notes=tuple(notes))

    def pages(self, known: Callable[[Sequence[str]], Mapping[str, KnownPage]], cursor: str) -> Iterator[BulkPage]:
        """Every post behind `cursor`, "type page" of the sweep. Raises CrawlError."""
        reader = PostReader(self.api, self._url, self._may_edit, self._status())
        first_type, _, first_page = cursor.partition(" ")
        slugs = [kind.slug for kind in self._types]
        begin = slugs.index(first_type) if first_type in slugs else 0
        for place, kind in enumerate(self._types[begin:]):
            number = int(first_page) if place == 0 and first_type == kind.slug else 0
            empty = 0
            while True:
                number += 1
                swept, pages = self._sweep(kind, number)
                empty = 0 if swept else empty + 1
                if empty > _MOST_EMPTY:
                    raise WordPressError(
                        f"{self.site_url} says that there are {pages} pages of {kind.slug}, and gives nothing on "
                        f"the last {empty}. What was read is kept. Read the site by its web address instead."
                    )
                for page in self._of_lot(kind, swept, known, reader):
                    if self._is_stopped:
                        return
                    # What stands behind the last of a list's page begins with the next: a new attempt reads none twice
                    # but those of the page that was being read.
                    yield BulkPage(f"{kind.slug} {number - 1}", page)
                # A short page is not the end: others' posts are left out of it.
                if number >= pages:
                    break

    def look_for(self, missing: Mapping[str, KnownPage]) -> Iterator[BulkPage]:
        """What became of posts that are in no list any more: gone where WordPress says so, else they were missed."""
        for key, page in missing.items():
            try:
                found = self._what_became_of(key, page)
            except FetchError:
                continue
            if found:
                yield BulkPage("", found)

    def stop(self) -> None:
        """Let no waiting request start any more."""
        self._is_stopped = True
        self._client.pacer.stop()

    def _what_became_of(self, key: str, page: KnownPage) -> SourcePage | None:
        slug, _, number = key.partition(":")
        route = next((kind.route for kind in self._types if kind.slug == slug), "")
        answer = self.api.ask(f"{route}/{number}", _fields="id,status") if route else None
        if answer is not None and answer.status == 200:
            post = as_json(answer)
            status = str(post.get("status")) if isinstance(post, dict) else ""
            if status == "publish":
                # The lists moved while they were read.
                return SourcePage(page.url, Outcome.UNCHANGED, source_key=key)
            if status and (status == "trash" or not self._are_drafts_included):
                where = "it is in the trash" if status == "trash" else f"its status is {status[:40]}"
                return SourcePage(page.url, Outcome.GONE, f"{NOT_PUBLISHED}: {where}", 404, source_key=key)
            return None
        if answer is None or answer.status not in (404, 410):
            # By number: an address that is gone may be redirected to a guess, the number of a post never is.
            answer = self._client.get(f"{self._home().rstrip('/')}/?p={number}", follow_redirects=False)
        if answer.status not in (404, 410):
            return None
        return SourcePage(page.url, Outcome.GONE, f"HTTP {answer.status}", answer.status, source_key=key)

    def _home(self) -> str:
        return normalize_url(str(self.api.root.get("home") or self.site_url))

    def _read_types(self) -> list[PostType]:
        found, _ = self.api.read("wp/v2/types", **({"context": "edit"} if self._may_edit else {}))
        kinds = [
            PostType(str(each["slug"]), f"{each.get('rest_namespace') or 'wp/v2'}/{each['rest_base']}")
            for each in (found.values() if isinstance(found, dict) else [])
            if isinstance(each, dict)
            and each.get("rest_base")
            and each.get("slug") not in NO_PAGES
            # Only editors are told: a type without pages of its own, as those in which plugins keep their settings.
            and each.get("viewable", True)
        ]
        public = [kind for kind in kinds if "(" not in kind.route and self._is_open(kind)]
        if not public:
            raise WordPressError(
                f"{self.site_url} shows no list of posts. It may be shut by a plugin: give a user name and an "
                "application password, or read the site by its web address or from an export file instead."
            )
        return sorted(public, key=lambda kind: kind.slug)

    def _is_open(self, kind: PostType) -> bool:
        return self.api.ask(kind.route, per_page=1, _fields="id").status == 200

    def _status(self) -> dict[str, str]:
        return {"status": "any"} if self._are_drafts_included else {}

    def _sweep(self, kind: PostType, number: int) -> tuple[list[Post], int]:
        """(id, modified_gmt, link, status) of the posts on this page of the list, and how many pages there are."""
        asked: dict[str, Any] = {"per_page": _PER_PAGE, "page": number, "orderby": "id", "order": "asc"}
        answer = self.api.ask(kind.route, **asked, _fields="id,modified_gmt,link,status", **self._status())
        if answer.status == 400 and number > 1:
            # Fewer posts than a moment ago: the list has become shorter by a page.
            return [], number - 1
        found = as_json(answer)
        if not isinstance(found, list):
            raise WordPressError(
                f"{answer.url} answers with HTTP {answer.status} and no list of posts. "
                "Check that the user may read posts, or read the site by its web address instead."
            )
        rows: list[Post] = [row for row in found if isinstance(row, dict) and isinstance(row.get("id"), int)]
        total = answer.headers.get("x-wp-totalpages", "")
        is_told = total.isascii() and total.isdigit()
        return rows, int(total[:9]) if is_told else number + (len(found) == _PER_PAGE)

    def _of_lot(
        self,
        kind: PostType,
        swept: Sequence[Post],
        known: Callable[[Sequence[str]], Mapping[str, KnownPage]],
        reader: PostReader,
    ) -> Iterator[SourcePage]:
        stored = known([kind.key(row) for row in swept])
        wanted: list[Post] = []
        for row in swept:
            key, url = kind.key(row), self._url(row)
            before = stored.get(key)
            if not url:
                continue
            if reason := self._scope.reason_to_skip(url, self.site_url):
                yield SourcePage(url, Outcome.SKIPPED, reason, source_key=key)
            elif before and before.url == url and before.last_modified == row.get("modified_gmt"):
                yield SourcePage(url, Outcome.UNCHANGED, source_key=key)
            else:
                wanted.append(row)
        yield from reader.read(kind, wanted, stored)

    def _url(self, post: Post) -> str:
        return self._scope.place(normalize_url(str(post.get("link", ""))), self.site_url)
