"""Pages from WordPress by its REST interface: every public post type, by an application password or without one.

One light sweep over ids and times of change tells what is new, changed, moved or no longer there; only what has changed
is asked for in full. Leaves addresses and JSON to `api`, and passwords to `access`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from crawler.errors import FetchError
from crawler.http import HttpClient
from crawler.raw_content import text_sha256
from crawler.sources.post_content import post_content
from crawler.sources.types import BulkPage, KnownPage, Opening, Outcome, SourcePage
from crawler.sources.wordpress.access import check_access
from crawler.sources.wordpress.api import WordPressApi, WordPressError, as_json
from crawler.sources.wordpress_rendering import render_content, render_title
from crawler.sources.wxr import NO_PAGES, NOT_PUBLISHED
from crawler.url_normalization import normalize_url

#: WordPress' own most; a sweep's page of these is 5 kB, and posts in full are asked for in smaller lots.
_PER_PAGE, _IN_FULL = 100, 20
#: Times of change have a grain of a second: what changed so recently is looked at once more.
_RECENT = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class PostType:
    """A kind of post: its slug and the route of its list."""

    slug: str
    route: str


class WordPressSource:
    """A WordPress site as a source of pages."""

    def __init__(
        self,
        client: HttpClient,
        start_url: str,
        to_site: Callable[[str, str], str],
        *,
        has_password: bool = False,
        are_drafts_included: bool = False,
    ) -> None:
        self.site_url = start_url
        self._client = client
        self._to_site = to_site
        self._has_password = has_password
        self._are_drafts_included = are_drafts_included and has_password
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
        given_url = self.site_url
        home = normalize_url(str(self.api.root.get("home") or self.site_url))
        if not self._to_site(home, self.site_url):
            raise WordPressError(f"The WordPress at {given_url} says that its home is {home}. Enter that address.")
        if self._has_password:
            check_access(self.api, home)
        self._types = self._read_types()
        notes = () if self._has_password else ("Read without a password: what WordPress shows to everybody.",)
        return Opening(start_url=self.site_url, given_url=given_url, notes=notes)

    def pages(self, known: Callable[[Sequence[str]], Mapping[str, KnownPage]], cursor: str) -> Iterator[BulkPage]:
        """Every post behind `cursor`, "type page" of the sweep. Raises CrawlError."""
        first_type, _, first_page = cursor.partition(" ")
        slugs = [kind.slug for kind in self._types]
        begin = slugs.index(first_type) if first_type in slugs else 0
        for place, kind in enumerate(self._types[begin:]):
            number = int(first_page) if place == 0 and first_type == kind.slug else 0
            while True:
                number += 1
                swept, pages = self._sweep(kind, number)
                lot = self._of_lot(kind, swept, known)
                for place_in_lot, page in enumerate(lot, start=1):
                    if self._is_stopped:
                        return
                    # Only behind the last of a list's page does the next one begin.
                    yield BulkPage(f"{kind.slug} {number if place_in_lot == len(lot) else number - 1}", page)
                # A short page is not the end: others' posts are left out of it.
                if number >= pages:
                    break

    def look_for(self, missing: Mapping[str, KnownPage]) -> Iterator[BulkPage]:
        """What became of posts that are in no list any more: gone where WordPress or the page itself says so."""
        routes = {kind.slug: kind.route for kind in self._types}
        for key, page in missing.items():
            slug, _, number = key.partition(":")
            try:
                status, is_trash = self._ask_after(routes.get(slug, ""), number)
            except FetchError:
                continue
            if is_trash or status in (404, 410):
                reason = "in the trash of WordPress" if is_trash else f"HTTP {status}"
                yield BulkPage("", SourcePage(page.url, Outcome.GONE, reason, status, source_key=key))

    def _ask_after(self, route: str, number: str) -> tuple[int, bool]:
        """The HTTP status of a post, and whether it lies in the trash, which users with rights are shown."""
        answer = self.api.ask(f"{route}/{number}", _fields="id,status") if route else None
        if answer is not None and answer.status in (200, 404, 410):
            post = as_json(answer)
            return answer.status, isinstance(post, dict) and post.get("status") == "trash"
        # By number: an address that is gone may be redirected to a guess, the number of a post never is.
        home = normalize_url(str(self.api.root.get("home") or self.site_url)).rstrip("/")
        return self._client.get(f"{home}/?p={number}", follow_redirects=False).status, False

    def stop(self) -> None:
        """Let no waiting request start any more."""
        self._is_stopped = True
        self._client.pacer.stop()

    def _read_types(self) -> list[PostType]:
        found, _ = self.api.read("wp/v2/types", **self._context())
        types = found.values() if isinstance(found, dict) else []
        kinds = [
            PostType(str(each["slug"]), f"{each.get('rest_namespace') or 'wp/v2'}/{each['rest_base']}")
            for each in types
            if isinstance(each, dict) and each.get("rest_base") and each.get("slug") not in NO_PAGES
        ]
        public = [
            kind for kind in kinds if "(" not in kind.route and self.api.ask(kind.route, per_page=1).status == 200
        ]
        if not public:
            raise WordPressError(
                f"{self.site_url} shows no list of posts. It may be shut by a plugin: give a user name and an "
                "application password, or read the site by its web address or from an export file instead."
            )
        return sorted(public, key=lambda kind: kind.slug)

    def _is_open(self, kind: PostType) -> bool:
        return self.api.ask(kind.route, per_page=1, _fields="id").status == 200

    def _context(self) -> dict[str, str]:
        return {"context": "edit"} if self._has_password else {}

    def _status(self) -> dict[str, str]:
        return {"status": "any"} if self._are_drafts_included else {}

    def _sweep(self, kind: PostType, number: int) -> tuple[list[dict[str, Any]], int]:
        """(id, modified_gmt, link, status) of the posts on this page of the list, and how many pages there are."""
        answer = self.api.ask(
            kind.route,
            per_page=_PER_PAGE,
            page=number,
            orderby="id",
            order="asc",
            _fields="id,modified_gmt,link,status",
            **self._status(),
        )
        if answer.status == 400 and number > 1:
            # Fewer posts than a moment ago: the list has become shorter by a page.
            return [], number - 1
        found = as_json(answer)
        if not isinstance(found, list):
            raise WordPressError(
                f"{answer.url} answers with HTTP {answer.status} and no list of posts. "
                "Check that the user may read posts, or read the site by its web address instead."
            )
        rows = [row for row in found if isinstance(row, dict) and "id" in row]
        total = answer.headers.get("x-wp-totalpages", "")
        return rows, int(total) if total.isdigit() else number + (len(found) == _PER_PAGE)

    def _of_lot(
        self, kind: PostType, swept: list[dict[str, Any]], known: Callable[[Sequence[str]], Mapping[str, KnownPage]]
    ) -> list[SourcePage]:
        stored = known([_key(kind, row) for row in swept])
        pages: list[SourcePage] = []
        wanted: list[int] = []
        for row in swept:
            key, url = _key(kind, row), self._url(row)
            before = stored.get(key)
            if not url:
                continue
            if (
                before is not None
                and before.url == url
                and before.last_modified == row["modified_gmt"]
                and _is_old(row)
            ):
                pages.append(SourcePage(url, Outcome.UNCHANGED, source_key=key))
            else:
                wanted.append(int(row["id"]))
        for start in range(0, len(wanted), _IN_FULL):
            lot = ",".join(map(str, wanted[start : start + _IN_FULL]))
            found, _ = self.api.read(
                kind.route,
                include=lot,
                per_page=_IN_FULL,
                orderby="id",
                order="asc",
                **self._context(),
                **self._status(),
            )
            for post in found:
                pages += self._page(kind, post, stored.get(_key(kind, post)))
        return pages

    def _url(self, post: Mapping[str, Any]) -> str:
        return self._to_site(normalize_url(str(post.get("link", ""))), self.site_url)

    def _page(self, kind: PostType, post: dict[str, Any], before: KnownPage | None) -> list[SourcePage]:
        """The post as a page, after its former address where it has moved."""
        url, key = self._url(post), _key(kind, post)
        if not url:
            return []
        moved = before is not None and before.url != url
        reason = f"redirects: to {url}"
        found = [SourcePage(before.url, Outcome.REDIRECT, reason, redirect_url=url)] if before and moved else []
        content = post.get("content") or {}
        raw = content.get("raw")
        if content.get("protected") and not (self._are_drafts_included and raw):
            skipped = f"{NOT_PUBLISHED}: it is protected by a password"
            return [*found, SourcePage(url, Outcome.SKIPPED, skipped, source_key=key)]
        rendered = content.get("rendered") or (render_content(raw) if raw else "")
        title = post.get("title") or {}
        if title.get("raw") and post.get("status") != "publish":
            # WordPress puts "Private: " before the titles of such posts.
            title = {**title, "rendered": render_title(title["raw"])}
        sha256 = text_sha256(f"{title.get('raw', title.get('rendered', ''))}\n{rendered if raw is None else raw}")
        if before is not None and not moved and before.source_sha256 == sha256:
            return [SourcePage(url, Outcome.UNCHANGED, source_key=key)]
        page = SourcePage(
            url,
            Outcome.READ,
            content=post_content(title.get("rendered", ""), rendered, url, str(post.get("lang") or "")),
            last_modified=str(post.get("modified_gmt", ""))[:100],
            source_key=key,
            source_sha256=sha256,
        )
        return [*found, page]


def _key(kind: PostType, post: Mapping[str, Any]) -> str:
    return f"{kind.slug}:{post['id']}"[:100]


def _is_old(row: Mapping[str, Any]) -> bool:
    """Whether the post last changed long enough ago to be told apart by its time."""
    try:
        changed = datetime.fromisoformat(str(row["modified_gmt"])).replace(tzinfo=UTC)
    except ValueError:
        return False
    return datetime.now(UTC) - changed > _RECENT
