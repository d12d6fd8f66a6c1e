"""Posts in full: asked for a lot at a time, each as a page. Leaves to `source` which posts are wanted.

A post that WordPress breaks on is found by halves and said to have failed; the others of its lot are read.
"""

import email.utils
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeGuard

from crawler.errors import BodyTooLarge
from crawler.raw_content import text_sha256
from crawler.sources.post_content import post_content
from crawler.sources.types import KnownPage, Outcome, SourcePage
from crawler.sources.wordpress.api import WordPressApi, WordPressError, as_json
from crawler.sources.wordpress_rendering import render_content, render_title
from crawler.sources.wxr import NOT_PUBLISHED

_AT_ONCE = 50
_FIELDS = "id,link,lang,modified_gmt,status,title,content,yoast_head_json.robots"
#: Times of change have a grain of a second: a post that was read so soon after one may change again unseen.
_GRAIN = timedelta(seconds=3)
_NOT_ALLOWED = (400, 401, 403)

Post = Mapping[str, Any]


def is_post(value: object) -> TypeGuard[Post]:
    """Whether the JSON has the parts of a post, each of its kind: a plugin may print anything."""
    if not isinstance(value, dict) or not isinstance(value.get("id"), int):
        return False
    return all(isinstance(value.get(name) or {}, dict) for name in ("content", "title"))


@dataclass(frozen=True, slots=True)
class PostType:
    """A kind of post: its slug and the route of its list."""

    slug: str
    route: str

    def key(self, post: Post) -> str:
        return f"{self.slug}:{post['id']}"[:100]


@dataclass(slots=True)
class PostReader:
    """Reads posts. `may_edit`: with their raw content; `statuses`: the parameter that asks for more than the public."""

    api: WordPressApi
    url_of: Callable[[Post], str]
    may_edit: bool
    statuses: Mapping[str, str]
    _faults: dict[int, str] = field(default_factory=dict)

    def read(self, kind: PostType, rows: Sequence[Post], stored: Mapping[str, KnownPage]) -> Iterator[SourcePage]:
        """The posts of these rows of a list. Raises CrawlError where WordPress gives none of them."""
        for start in range(0, len(rows), _AT_ONCE):
            lot = {int(row["id"]): row for row in rows[start : start + _AT_ONCE]}
            self._faults.clear()
            posts = self._posts(kind, list(lot))
            if len(self._faults) == len(lot) > 1:
                raise WordPressError(f"{self.api.address} gives none of its posts: {next(iter(self._faults.values()))}")
            for number, row in lot.items():
                if number in posts:
                    yield from self._pages(kind, posts[number], stored.get(kind.key(row)))
                elif number in self._faults:
                    key = kind.key(row)
                    yield SourcePage(self.url_of(row), Outcome.FAILED, self._faults[number], source_key=key)

    def _posts(self, kind: PostType, numbers: list[int]) -> dict[int, Post]:
        """What is there of these, raw where it is allowed: users may edit some posts and only see others."""
        found = self._ask(kind, numbers, {"context": "edit"}) if self.may_edit else {}
        others = [number for number in numbers if number not in found and number not in self._faults]
        return found | (self._ask(kind, others, {}) if others else {})

    def _ask(self, kind: PostType, numbers: list[int], context: Mapping[str, str]) -> dict[int, Post]:
        lot = {"include": ",".join(map(str, numbers)), "per_page": len(numbers), "orderby": "id", "order": "asc"}
        try:
            answer = self.api.ask(kind.route, **lot, _fields=_FIELDS, **context, **self.statuses)
        except BodyTooLarge as error:
            return self._ask_by_halves(kind, numbers, context, f"{error.kind}: {error}")
        posts = as_json(answer)
        if isinstance(posts, list):
            now = _time_of(answer.headers.get("date", ""))
            return {int(post["id"]): _stamped(post, now) for post in posts if is_post(post)}
        if context and answer.status in _NOT_ALLOWED:
            return {}
        if answer.status not in (200, 500):
            raise WordPressError(
                f"{self.api.route(kind.route, {})} answers with HTTP {answer.status}. "
                "Try again when the server is well; what was read is kept."
            )
        said = f"HTTP {answer.status}" + (" without the post" if answer.status == 200 else "")
        return self._ask_by_halves(kind, numbers, context, f"{said}: WordPress breaks while it renders the post")

    def _ask_by_halves(
        self, kind: PostType, numbers: list[int], context: Mapping[str, str], fault: str
    ) -> dict[int, Post]:
        if len(numbers) == 1:
            self._faults[numbers[0]] = fault
            return {}
        half = len(numbers) // 2
        return self._ask(kind, numbers[:half], context) | self._ask(kind, numbers[half:], context)

    def _pages(self, kind: PostType, post: Post, before: KnownPage | None) -> Iterator[SourcePage]:
        """The post as a page, after its former address where it has moved."""
        url, key = self.url_of(post), kind.key(post)
        if not url:
            return
        if before is not None and before.url != url:
            yield SourcePage(before.url, Outcome.REDIRECT, f"redirects: to {url}", redirect_url=url)
            before = None
        content, title = post.get("content") or {}, post.get("title") or {}
        raw = content.get("raw")
        if content.get("protected") and not (self.statuses and raw):
            reason = f"{NOT_PUBLISHED}: it is protected by a password"
            yield SourcePage(url, Outcome.SKIPPED, reason, source_key=key)
            return
        rendered = content.get("rendered") or (render_content(raw) if raw else "")
        shown = title.get("rendered", "")
        if title.get("raw") and (post.get("status") != "publish" or content.get("protected")):
            # WordPress puts "Private: " or "Protected: " before the titles of such posts.
            shown = render_title(title["raw"])
        sha256 = text_sha256(f"{title.get('raw', shown)}\n{rendered if raw is None else raw}")
        changed = str(post.get("modified_gmt", ""))[:100]
        if before is not None and before.source_sha256 == sha256:
            yield SourcePage(url, Outcome.UNCHANGED, source_key=key, last_modified=changed)
            return
        language = str(post.get("lang") or self.api.language)
        yield SourcePage(
            url,
            Outcome.READ,
            content=post_content(shown, rendered, url, language, is_noindex=_is_noindex(post)),
            last_modified=changed,
            source_key=key,
            source_sha256=sha256,
        )


def _is_noindex(post: Post) -> bool:
    """Whether the most used SEO plugin says so; what others say stands on the pages alone."""
    head = post.get("yoast_head_json")
    robots = head.get("robots") if isinstance(head, dict) else None
    return isinstance(robots, dict) and robots.get("index") == "noindex"


def _time_of(date: str) -> datetime:
    try:
        return email.utils.parsedate_to_datetime(date).astimezone(UTC)
    except (ValueError, TypeError):
        return datetime.now(UTC)


def _stamped(post: Post, now: datetime) -> Post:
    """The post, without its time of change where that was a moment ago by the server's own clock."""
    try:
        changed = datetime.fromisoformat(str(post.get("modified_gmt"))).replace(tzinfo=UTC)
    except ValueError:
        return post
    return {**post, "modified_gmt": ""} if now - changed < _GRAIN else post
