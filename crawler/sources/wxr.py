"""Pages from an export file of WordPress: what is published in it, and drafts and protected posts where that is set.

Hands on whole pages in the file's order; the site itself is not asked. Leaves the format to `wxr_parser` and rendering
to `wordpress_rendering`.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO

from crawler.errors import CrawlError
from crawler.raw_content import text_sha256
from crawler.scope import Scope
from crawler.sources.post_content import post_content
from crawler.sources.types import BulkPage, KnownPage, Opening, Outcome, SourcePage
from crawler.sources.wordpress_rendering import render_content, render_title
from crawler.sources.wxr_parser import WxrBroken, WxrFile, WxrPost, read_wxr
from crawler.url_normalization import normalize_url

#: Post types of WordPress itself that are no pages.
NO_PAGES = frozenset(
    {
        "attachment", "revision", "nav_menu_item", "custom_css", "customize_changeset", "oembed_cache", "user_request",
        "wp_block", "wp_template", "wp_template_part", "wp_global_styles", "wp_navigation", "wp_font_family",
        "wp_font_face",
    }
)  # fmt: skip
_AT_ONCE = 100
NOT_PUBLISHED = "not published"


class WxrSource:
    """An export file as a source of pages. `open_file` gives the file from its beginning each time."""

    def __init__(
        self,
        open_file: Callable[[], IO[bytes]],
        start_url: str,
        scope: Scope,
        *,
        are_drafts_included: bool = False,
    ) -> None:
        self.site_url = start_url
        self._open_file = open_file
        self._scope = scope
        self._are_drafts_included = are_drafts_included
        self._file = WxrFile()
        self._is_stopped = False

    def open(self) -> Opening:
        """Look at the first post. Raises CrawlError where the file is no export, or of another site."""
        found = WxrFile()
        with self._open_file() as stream:
            first = next(self._posts(stream, found), None)
        if first is None and found.problem:
            raise CrawlError(f"The export file cannot be read: {found.problem}. Make a new export and upload it.")
        if first is None:
            raise CrawlError(
                "The export file holds no posts or pages. Export “All content” in WordPress and upload that."
            )
        if not self._url_of(first):
            raise CrawlError(
                f"The export file is of {found.site_url or first.link}, not of {self.site_url}. "
                "Upload the site's own export, or add it as a site of its own."
            )
        return Opening(start_url=self.site_url, given_url=self.site_url)

    def pages(self, known: Callable[[Sequence[str]], Mapping[str, KnownPage]], cursor: str) -> Iterator[BulkPage]:
        """The file's posts behind `cursor`, the number of posts before it. Raises CrawlError where it is broken."""
        done = int(cursor or 0)
        with self._open_file() as stream:
            posts = itertools.islice(enumerate(self._posts(stream, self._file), start=1), done, None)
            while lot := list(itertools.islice(posts, _AT_ONCE)):
                stored = known([_key(post) for _, post in lot])
                for number, post in lot:
                    if self._is_stopped:
                        return
                    if page := self._page(post, stored.get(_key(post))):
                        yield BulkPage(str(number), page)
        if self._file.problem:
            raise CrawlError(
                f"The export file ends before its end: {self._file.problem}. What was read before is kept; "
                "make a new export and upload it."
            )

    def look_for(self, missing: Mapping[str, KnownPage]) -> Iterator[BulkPage]:
        """A file says nothing of what is not in it: an export of a part must take nothing away at once."""
        return iter(())

    def stop(self) -> None:
        """Hand on no more pages."""
        self._is_stopped = True

    def _posts(self, stream: IO[bytes], file: WxrFile) -> Iterator[WxrPost]:
        try:
            yield from (post for post in read_wxr(stream, file) if post.kind not in NO_PAGES)
        except WxrBroken as error:
            raise CrawlError(
                f"The file is no export of WordPress: {error}. Upload one made with Tools, Export."
            ) from error

    def _url_of(self, post: WxrPost) -> str:
        return self._scope.place(normalize_url(post.link), self.site_url)

    def _page(self, post: WxrPost, stored: KnownPage | None) -> SourcePage | None:
        """The post as a page; None where it has no address on the site, as drafts of some plugins."""
        url, key = self._url_of(post), _key(post)
        if not url:
            return None
        if reason := self._reason_to_skip(post) or self._scope.reason_to_skip(url, self.site_url):
            return SourcePage(url, Outcome.SKIPPED, reason, source_key=key)
        sha256 = text_sha256(f"{post.title}\n{post.content}")
        if stored is not None and stored.url == url and stored.source_sha256 == sha256:
            return SourcePage(url, Outcome.UNCHANGED, source_key=key)
        content = post_content(render_title(post.title), render_content(post.content), url, self._file.language)
        return SourcePage(
            url,
            Outcome.READ,
            content=content,
            last_modified=post.modified[:100],
            source_key=key,
            source_sha256=sha256,
        )

    def _reason_to_skip(self, post: WxrPost) -> str:
        if self._are_drafts_included:
            return "" if post.status not in ("trash", "auto-draft") else f"{NOT_PUBLISHED}: it is in the trash"
        if post.status != "publish":
            return f"{NOT_PUBLISHED}: its status is {post.status[:40] or 'unknown'}"
        return f"{NOT_PUBLISHED}: it is protected by a password" if post.is_protected else ""


def _key(post: WxrPost) -> str:
    return f"{post.kind}:{post.number}"[:100]
