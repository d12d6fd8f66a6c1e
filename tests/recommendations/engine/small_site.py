"""Small sites of our own for engine tests: HTML in, link candidates out, with an encoder that counts words.

The encoder is a stand-in for speed alone (bag-of-words vectors); real models are measured in tests/quality.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import regex

from crawler.extraction import extract_page
from crawler.extraction.types import PageContent
from embeddings.types import TokenVectors
from recommendations.engine.learning import Learned, learn_site
from recommendations.engine.preferences import DecidedLink
from recommendations.engine.run import Recommender
from recommendations.engine.site_model import SiteModel, build_site_model
from recommendations.engine.types import EngineOptions, LinkCandidate, SiteLinks, SitePages, SourcePage

BASE = "https://site.test"


class WordCountEncoder:
    """Each word is a fixed random direction; a text is the normalized sum of its words."""

    model_name = "word-count"
    dimension = 64
    fingerprint = "word-count"
    texts_at_once = 64

    def _word(self, word: str) -> np.ndarray:
        seed = int.from_bytes(hashlib.blake2b(word.casefold()[:6].encode(), digest_size=4).digest(), "big")
        return np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)

    def encode(self, texts: Sequence[str], on_progress: Callable[[int], None] | None = None) -> np.ndarray:
        sums = np.stack(
            [sum((self._word(word) for word in regex.findall(r"\w+", text)), np.zeros(64)) for text in texts]
        )
        return (sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)).astype(np.float32)

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        found = []
        for text in texts:
            matches = list(regex.finditer(r"\w+", text))
            vectors = np.stack([self._word(match[0]) for match in matches]) if matches else np.zeros((0, 64))
            offsets = np.array([match.span() for match in matches], dtype=np.int32).reshape(-1, 2)
            found.append(TokenVectors(vectors.astype(np.float32), offsets))
        return found


class ExactPages:
    """Nearest pages by a full product."""

    def __init__(self, vectors: np.ndarray) -> None:
        self._vectors = vectors

    def query(self, vectors: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        cosines = vectors @ self._vectors.T
        order = np.argsort(-cosines, axis=1)[:, :count]
        return order, np.take_along_axis(cosines, order, axis=1)


def page(title: str, body: str, lang: str = "en", head: str = "") -> str:
    return (
        f'<html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>{head}</head>'
        f"<body><main><h1>{title}</h1>{body}</main></body></html>"
    )


@dataclass(frozen=True)
class ReadSite:
    """A site as the engine takes it."""

    model: SiteModel
    links: SiteLinks
    sources: list[SourcePage]
    nearest: ExactPages

    def read(self, pages: Sequence[int]) -> list[SourcePage]:
        return [self.sources[page] for page in pages if self.sources[page].sentences]

    def learn(self, decided: Sequence[DecidedLink] = ()) -> Learned:
        return learn_site(self.model, self.links, self.nearest, range(len(self.sources)), self.read, decided)

    def recommender(self, learned: Learned | None = None) -> Recommender:
        return Recommender(self.model, WordCountEncoder(), self.nearest, learned)


def read_site(site: dict[str, str], **options: object) -> ReadSite:
    """A site given as {path: HTML}; every page is a target."""
    urls = [BASE + path for path in site]
    contents: list[PageContent] = [
        extract_page(html.encode(), url, {"content-type": "text/html; charset=utf-8"})
        for url, html in zip(urls, site.values(), strict=True)
    ]
    encoder = WordCountEncoder()
    sources = []
    for position, content in enumerate(contents):
        texts = [sentence.text for sentence in content.sentences]
        vectors = encoder.encode(texts) if texts else np.zeros((0, 64), dtype=np.float32)
        blocks = {block.ordinal: block for block in content.blocks}
        sources.append(SourcePage(position, content.sentences, vectors, blocks))
    means = np.stack([s.vectors.mean(axis=0) if len(s.vectors) else np.zeros(64) for s in sources])
    page_vectors = (means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)).astype(np.float32)
    pages = SitePages(
        urls=urls,
        titles=[content.title for content in contents],
        h1s=[content.h1 for content in contents],
        headings=[content.headings for content in contents],
        languages=[content.language for content in contents],
        is_target=np.ones(len(urls), dtype=bool),
        translation_groups=np.arange(len(urls), dtype=np.int64),
        page_vectors=page_vectors,
    )
    links = _editorial_links(contents, urls)
    texts_of = [(s.page, [sentence.text for sentence in s.sentences]) for s in sources]
    model = build_site_model(pages, links, texts_of, encoder, EngineOptions(**options))  # type: ignore[arg-type]
    return ReadSite(model, links, sources, ExactPages(page_vectors))


def _editorial_links(contents: Sequence[PageContent], urls: Sequence[str]) -> SiteLinks:
    links = [
        (position, urls.index(link.url), link)
        for position, content in enumerate(contents)
        for link in content.links
        if link.is_editorial and link.url in urls
    ]
    places = [
        (-1, -1, -1) if link.block_ordinal is None else (link.block_ordinal, link.start, link.end)
        for _, _, link in links
    ]
    return SiteLinks(
        sources=np.array([link[0] for link in links], dtype=np.int64),
        targets=np.array([link[1] for link in links], dtype=np.int64),
        anchor_texts=[link.anchor_text for _, _, link in links],
        is_editorial=np.ones(len(links), dtype=bool),
        is_in_code=np.array([link.is_in_code for _, _, link in links], dtype=bool),
        places=np.array(places, dtype=np.int64).reshape(len(links), 3),
    )


def recommend(site: dict[str, str], source: str, **options: object) -> list[LinkCandidate]:
    """The candidates of one page of a site given as {path: HTML}, by what the product ships."""
    read = read_site(site, **options)
    return read.recommender().recommend([read.sources[list(site).index(source)]])[0]


def anchors_to(links: Sequence[LinkCandidate], site: dict[str, str], target: str) -> list[str]:
    """The anchor text proposed for the target, with its alternatives."""
    position = list(site).index(target)
    return [span.text for link in links if link.target == position for span in (link.anchor, *link.alternatives)]
