"""Rows and vectors of a site as the engine's values. Reads only; the engine knows neither rows nor files."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from crawler.extraction.types import Block, ExtractedSentence
from crawler.models import Link, Page, PageBody, PageStatus, Sentence, Site
from embeddings.vector_store import SiteVectors
from recommendations.engine.types import SiteLinks, SitePages, SourcePage
from recommendations.errors import NothingToRecommend

_BATCH_PAGES = 16


def _translation_groups(urls: Sequence[str], hreflangs: Sequence[dict[str, str]]) -> np.ndarray:
    """(n_pages,) int64: pages joined by hreflang share a number (union-find)."""
    position = {url: index for index, url in enumerate(urls)}
    parent = list(range(len(urls)))

    def find(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for index, others in enumerate(hreflangs):
        for url in others.values():
            if (other := position.get(url)) is not None:
                parent[find(other)] = find(index)
    return np.array([find(index) for index in range(len(urls))], dtype=np.int64)


class SiteReader:
    """One site's read pages, in the order of their ids, as the engine wants them."""

    def __init__(self, site: Site, vectors: SiteVectors) -> None:
        self._site = site
        self._vectors = vectors
        rows = list(
            Page.objects.filter(site=site, status=PageStatus.READ)
            .order_by("id")
            .values_list(
                "id", "url", "title", "h1", "headings", "language", "is_target", "hreflang", "depth", "content_sha256"
            )
        )
        if not rows:
            raise NothingToRecommend(f"No page of {site.start_url} has been read. Crawl the site first.")
        self.page_ids = np.array([row[0] for row in rows], dtype=np.int64)
        #: Pages that get links: what search engines are told to leave out needs none.
        self.source_ids = np.array([row[0] for row in rows if row[6]], dtype=np.int64)
        self._positions = {int(page_id): index for index, page_id in enumerate(self.page_ids)}
        #: content_sha256 by page id.
        self.contents: dict[int, str] = {row[0]: row[9] for row in rows}
        urls = [row[1] for row in rows]
        self.pages = SitePages(
            urls=urls,
            titles=[row[2] for row in rows],
            h1s=[row[3] for row in rows],
            headings=[tuple(row[4]) for row in rows],
            languages=[row[5] for row in rows],
            is_target=np.array([row[6] for row in rows], dtype=bool),
            translation_groups=_translation_groups(urls, [row[7] for row in rows]),
            page_vectors=self._page_vectors(),
            depths=np.array([-1 if row[8] is None else row[8] for row in rows], dtype=np.int64),
        )

    def _page_vectors(self) -> np.ndarray:
        found = {int(page_id): row for row, page_id in enumerate(self._vectors.page_ids)}
        result = np.zeros((len(self.page_ids), self._vectors.dimension), dtype=np.float32)
        for index, page_id in enumerate(self.page_ids):
            if (row := found.get(int(page_id))) is not None:
                result[index] = self._vectors.page_vectors[row]
        return result

    def read_links(self) -> SiteLinks:
        """The site's editorial links between read pages."""
        rows = [
            (source, target, text, in_code, *((block, start, end) if block is not None else (-1, -1, -1)))
            for source, target, text, in_code, block, start, end in Link.objects.filter(
                page__site=self._site, is_editorial=True, target__isnull=False
            )
            .order_by("page_id", "ordinal")
            .values_list("page_id", "target_id", "anchor_text", "is_in_code", "block_ordinal", "start", "end")
            .iterator(chunk_size=20_000)
            if source in self._positions and target in self._positions
        ]
        return SiteLinks(
            sources=np.array([self._positions[row[0]] for row in rows], dtype=np.int64),
            targets=np.array([self._positions[row[1]] for row in rows], dtype=np.int64),
            anchor_texts=[row[2] for row in rows],
            is_editorial=np.ones(len(rows), dtype=bool),
            is_in_code=np.array([row[3] for row in rows], dtype=bool),
            places=np.array([row[4:] for row in rows], dtype=np.int64).reshape(len(rows), 3),
        )

    @property
    def positions(self) -> dict[int, int]:
        """Page id -> position."""
        return self._positions

    def read_texts(self, page_ids: Sequence[int] | None = None) -> Iterator[tuple[int, list[str]]]:
        """(page position, its sentence texts) of these pages or of every page, boilerplate left out, streamed."""
        chosen = {} if page_ids is None else {"page_id__in": list(page_ids)}
        rows = (
            Sentence.objects.filter(page__site=self._site, page__status=PageStatus.READ, is_boilerplate=False, **chosen)
            .order_by("page_id", "ordinal")
            .values_list("page_id", "text")
            .iterator(chunk_size=10_000)
        )
        for page_id, group in groupby(rows, key=lambda row: row[0]):
            if page_id in self._positions:
                yield self._positions[page_id], [text for _, text in group]

    def positions_of_urls(self) -> dict[str, int]:
        """Normalized URL -> position, of every read page."""
        return {url: position for position, url in enumerate(self.pages.urls)}

    def source_positions(self) -> list[int]:
        """Positions of the pages that get recommendations."""
        return [self._positions[int(page_id)] for page_id in self.source_ids]

    def read_positions(self, positions: Sequence[int]) -> Iterator[SourcePage]:
        """The text of the pages at these positions, a batch at a time; pages without sentences are left out."""
        for start in range(0, len(positions), _BATCH_PAGES):
            yield from self.read_sources([int(self.page_ids[at]) for at in positions[start : start + _BATCH_PAGES]])

    def read_sources(self, page_ids: Sequence[int]) -> list[SourcePage]:
        """The text of these pages, with vectors; pages without sentences are left out."""
        bodies = dict(PageBody.objects.filter(page_id__in=page_ids).values_list("page_id", "blocks"))
        rows = (
            Sentence.objects.filter(page_id__in=page_ids, is_boilerplate=False)
            .order_by("page_id", "ordinal")
            .values_list("page_id", "ordinal", "block_ordinal", "start", "end", "text", "text_hash")
        )
        sources = []
        for page_id, group in groupby(rows, key=lambda row: row[0]):
            sentences, hashes = [], []
            for _, ordinal, block, start, end, text, text_hash in group:
                sentences.append(ExtractedSentence(ordinal, block, start, end, text))
                hashes.append(text_hash)
            stored = bodies.get(page_id, [])
            wanted = {sentence.block_ordinal for sentence in sentences}
            blocks = {ordinal: Block.from_json(ordinal, stored[ordinal]) for ordinal in wanted}
            sources.append(SourcePage(self._positions[page_id], sentences, self.sentence_vectors(hashes), blocks))
        return sources

    def read_hashes(self, page_ids: Sequence[int]) -> dict[int, list[str]]:
        """Text hashes of these pages' sentences, boilerplate left out; pages without sentences are left out."""
        rows = Sentence.objects.filter(page_id__in=page_ids, is_boilerplate=False).order_by("page_id", "ordinal")
        found: dict[int, list[str]] = {}
        for page_id, text_hash in rows.values_list("page_id", "text_hash"):
            found.setdefault(page_id, []).append(text_hash)
        return found

    def sentence_vectors(self, hashes: Sequence[str]) -> np.ndarray:
        """(len(hashes), dim); zero rows where a sentence has no vector."""
        rows = self._vectors.rows_of(hashes)
        result = np.zeros((len(hashes), self._vectors.dimension), dtype=np.float32)
        known = rows >= 0
        if known.any():
            result[known] = self._vectors.take(rows[known])
        return result
