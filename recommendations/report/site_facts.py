"""A site's pages and links as arrays, read once for all lists of its report. Leaves judging to the lists.

A site of 100,000 pages has five million links: they are streamed into typed arrays, and texts are kept once each.
"""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crawler.models import Link, Page, PageStatus, Site
from crawler.page_reasons import SAME_TEXT
from recommendations.engine.link_report import LinkFigures, SiteGraph, measure_links

_CHUNK = 20_000
_REDIRECTS_TO = "redirects: to "
_FIELDS = (
    "id", "url", "status", "http_status", "reason", "redirect_url", "canonical_url", "is_target", "title", "h1",
    "language", "hreflang", "depth", "is_in_sitemap", "word_count", "response_seconds",
)  # fmt: skip

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(slots=True, eq=False)
class PageFacts:
    """One row of Page. `position` is its place among all pages of the site."""

    position: int
    id: int
    url: str
    status: str
    http_status: int | None
    reason: str
    redirect_url: str
    canonical_url: str
    is_target: bool
    title: str
    h1: str
    language: str
    hreflang: dict[str, str]
    depth: int | None
    is_in_sitemap: bool
    word_count: int
    response_seconds: float | None

    @property
    def is_read(self) -> bool:
        return self.status == PageStatus.READ

    @property
    def is_broken(self) -> bool:
        return self.status in (PageStatus.GONE, PageStatus.FAILED)


@dataclass(frozen=True)
class SiteFacts:
    """Pages by position, links as (n_links,) arrays of positions.

    to: the page whose address the link names, -1 where it is none of the site's. targets: the read page that a reader
    ends on, -1 where there is none. anchors: position in anchor_texts.
    """

    site: Site
    pages: list[PageFacts]
    sources: Ints
    to: Ints
    targets: Ints
    is_editorial: Flags
    is_followed: Flags
    anchors: Ints
    anchor_texts: list[str]

    @cached_property
    def by_url(self) -> dict[str, PageFacts]:
        return {page.url: page for page in self.pages}

    @cached_property
    def by_id(self) -> dict[int, PageFacts]:
        return {page.id: page for page in self.pages}

    @cached_property
    def figures(self) -> LinkFigures:
        """As the engine counts them, of the read pages alone: by place in `read_positions`."""
        return measure_links(self.read_graph()[1])

    @cached_property
    def read_positions(self) -> Ints:
        return np.array([page.position for page in self.pages if page.is_read], dtype=np.int64)

    def read_graph(self) -> tuple[Ints, SiteGraph]:
        """(ids of the read pages, ascending; the links between them)."""
        read = [page for page in self.pages if page.is_read]
        place = np.full(len(self.pages), -1, dtype=np.int64)
        place[[page.position for page in read]] = np.arange(len(read))
        keep = self.targets >= 0
        start = next((at for at, page in enumerate(read) if page.depth == 0), None)
        return np.array([page.id for page in read], dtype=np.int64), SiteGraph(
            n_pages=len(read),
            start=start,
            is_target=np.array([page.is_target for page in read], dtype=bool),
            sources=place[self.sources[keep]],
            targets=place[self.targets[keep]],
            is_editorial=self.is_editorial[keep],
            is_followed=self.is_followed[keep],
        )

    def redirects_of(self, page: PageFacts) -> tuple[PageFacts | None, str, int]:
        """(page at the end, where that was seen; its URL; how many redirects lead there) of a redirecting page."""
        seen = {page.url}
        hops = 0
        current = page
        while current.status == PageStatus.REDIRECT:
            following = _next_of(current)
            if not following or following in seen:
                break
            seen.add(following)
            hops += 1
            found = self.by_url.get(following)
            if found is None:
                return None, following, hops
            current = found
        return (current if current is not page else None), current.url, hops


def is_duplicate(page: PageFacts) -> bool:
    """Whether the address was read, and gave the text of another; no server redirects it."""
    return page.status == PageStatus.REDIRECT and page.reason.startswith(SAME_TEXT)


def _next_of(page: PageFacts) -> str:
    """The crawl stores the end of a chain; the address that the server itself named stands in the reason."""
    named = page.reason.removeprefix(_REDIRECTS_TO)
    return named if page.reason.startswith(_REDIRECTS_TO) and len(page.reason) < 500 else page.redirect_url


def read_site_facts(site: Site, beat: Callable[[], None] = lambda: None) -> SiteFacts:
    """Everything that the lists are made from. `beat` is called now and then, so that whoever waits knows."""
    rows = Page.objects.filter(site=site).order_by("id").values_list(*_FIELDS).iterator(chunk_size=_CHUNK)
    pages = [PageFacts(position, *row) for position, row in enumerate(rows)]
    places = {page.id: page.position for page in pages}
    urls = {page.url: page.position for page in pages}
    columns = {name: array("q") for name in ("sources", "to", "targets", "editorial", "nofollow", "anchors")}
    texts: dict[str, int] = {}
    links: Any = Link.objects.filter(page__site=site, page__status=PageStatus.READ).order_by("page_id", "ordinal")
    wanted = ("page_id", "target_url", "target_id", "is_editorial", "is_nofollow", "anchor_text")
    for number, row in enumerate(links.values_list(*wanted).iterator(chunk_size=_CHUNK)):
        source, target_url, target, is_editorial, is_nofollow, text = row
        columns["sources"].append(places[source])
        columns["to"].append(urls.get(target_url, -1))
        columns["targets"].append(places.get(target, -1))
        columns["editorial"].append(is_editorial)
        columns["nofollow"].append(is_nofollow)
        columns["anchors"].append(texts.setdefault(text, len(texts)))
        if number % _CHUNK == 0:
            beat()
    arrays = {name: np.frombuffer(values, dtype=np.int64) for name, values in columns.items()}
    is_read = np.array([page.is_read for page in pages], dtype=bool)
    targets = arrays["targets"]
    if len(pages):
        targets = np.where((targets >= 0) & is_read[np.maximum(targets, 0)], targets, -1)
    return SiteFacts(
        site=site,
        pages=pages,
        sources=arrays["sources"],
        to=arrays["to"],
        targets=targets,
        is_editorial=arrays["editorial"].astype(bool),
        is_followed=arrays["nofollow"] == 0,
        anchors=arrays["anchors"],
        anchor_texts=list(texts),
    )
