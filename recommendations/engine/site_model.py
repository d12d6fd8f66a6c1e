"""What is computed once for a site before its pages are ranked one by one: names, weights, mentions, links, vectors.

Leaves everything about a single source page to `features`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from embeddings.types import Encoder
from recommendations.engine.link_graph import LinkGraph
from recommendations.engine.mentions import MentionIndex, build_mention_index
from recommendations.engine.near_duplicates import N_HASHES, signature_of
from recommendations.engine.site_habits import is_code_linkable, links_per_paragraph
from recommendations.engine.term_weights import TermWeights
from recommendations.engine.titles import page_names, short_name
from recommendations.engine.types import EngineOptions, FloatArray, IntArray, SiteLinks, SitePages
from recommendations.engine.words import content_terms_of, split_words
from recommendations.engine.yardsticks import Yardsticks, make_yardsticks


@dataclass(frozen=True, slots=True)
class SiteModel:
    """name_vectors: (n_pages, dim) float32, L2-normalized. name_terms: (n_terms, n_pages) float32, columns sum to 1.

    The short_ ones are of the names without their subtitles. term_numbers: row of a term in both term matrices.

    language_codes: (n_pages,) int64. folders: (n_pages, depth) int64, a number for each folder of the address, -1 after
    the last; folder_names: the folder of each number.
    """

    pages: SitePages
    names: list[str]
    short_names: list[str]
    name_vectors: FloatArray
    short_vectors: FloatArray
    term_numbers: dict[str, int]
    name_terms: sparse.csr_matrix
    short_terms: sparse.csr_matrix
    weights: TermWeights
    signatures: NDArray[np.uint32]
    folders: IntArray
    folder_names: list[str]
    yardsticks: Yardsticks
    mentions: MentionIndex
    graph: LinkGraph
    language_codes: IntArray
    is_code_linkable: bool
    links_per_paragraph: int
    options: EngineOptions


@dataclass(frozen=True, slots=True)
class FrozenSite:
    """What stays as an earlier run found it while few pages change, so that one edit does not move everything."""

    weights: TermWeights
    yardsticks: Yardsticks
    is_code_linkable: bool
    links_per_paragraph: int


@dataclass(frozen=True, slots=True)
class KnownPages:
    """What an earlier run computed of pages and names that are as they were. signatures: by page position."""

    signatures: Mapping[int, NDArray[np.uint32]] = field(default_factory=dict)
    name_vectors: Mapping[str, FloatArray] = field(default_factory=dict)


def _read_texts(
    pages: SitePages, texts: Iterable[tuple[int, Iterable[str]]], weights: TermWeights | None, known: KnownPages
) -> tuple[TermWeights, NDArray[np.uint32]]:
    """One pass over the pages' text: term weights, if they are not known, and (n_pages, N_HASHES) signatures."""
    found = TermWeights() if weights is None else weights
    signatures = np.zeros((len(pages), N_HASHES), dtype=np.uint32)
    for page, signature in known.signatures.items():
        signatures[page] = signature
    for page, sentences in texts:
        language = pages.languages[page]
        terms = [term for text in sentences for word in split_words(text, language) for term in word.terms]
        if weights is None:
            found.add_page(language, set(terms))
        signatures[page] = signature_of(terms)
    return found, signatures


def _encode_names(texts: list[str], encoder: Encoder, known: Mapping[str, FloatArray]) -> FloatArray:
    """(len(texts), dim); what is known is not encoded again."""
    missing = list(dict.fromkeys(text for text in texts if text not in known))
    if len(missing) == len(set(texts)):
        return encoder.encode(texts)
    fresh = dict(zip(missing, encoder.encode(missing), strict=True)) if missing else {}
    return np.stack([known[text] if text in known else fresh[text] for text in texts])


def _folders(pages: SitePages) -> tuple[IntArray, list[str]]:
    paths = [url.split("/")[3:-1] for url in pages.urls]
    numbers: dict[str, int] = {}
    result = np.full((len(paths), max(1, max(map(len, paths), default=0))), -1, dtype=np.int64)
    for page, path in enumerate(paths):
        for depth, folder in enumerate(path):
            result[page, depth] = numbers.setdefault(folder, len(numbers))
    return result, list(numbers)


def _term_numbers(pages: SitePages, names: list[str]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for page, name in enumerate(names):
        language = pages.languages[page]
        for term in content_terms_of(name, language):
            numbers.setdefault(f"{language} {term}", len(numbers))
    return numbers


def _name_terms(pages: SitePages, names: list[str], numbers: dict[str, int], weights: TermWeights) -> sparse.csr_matrix:
    """(n_terms, n_pages) each name's terms with their shares of its idf."""
    rows, columns, values = [], [], []
    for page, name in enumerate(names):
        language = pages.languages[page]
        terms = sorted(set(content_terms_of(name, language)))
        idf = np.array([weights.idf(language, term) for term in terms], dtype=np.float32)
        if not terms or idf.sum() <= 0:
            continue
        for term, share in zip(terms, idf / idf.sum(), strict=True):
            rows.append(numbers[f"{language} {term}"])
            columns.append(page)
            values.append(share)
    shape = (max(1, len(numbers)), len(pages))
    return sparse.csr_matrix((np.array(values, dtype=np.float32), (rows, columns)), shape=shape)


def build_site_model(
    pages: SitePages,
    links: SiteLinks,
    texts: Iterable[tuple[int, Iterable[str]]],
    encoder: Encoder,
    options: EngineOptions,
    frozen: FrozenSite | None = None,
    known: KnownPages | None = None,
) -> SiteModel:
    """Read pages' sentences once (`texts`: page position and its sentence texts) and encode the pages' names.

    frozen: what stays as it was; then texts are needed of those pages alone whose signature is not known.
    """
    known = known or KnownPages()
    names = page_names(pages)
    weights, signatures = _read_texts(pages, texts, frozen.weights if frozen else None, known)
    short_names = [short_name(name, language) for name, language in zip(names, pages.languages, strict=True)]
    term_numbers = _term_numbers(pages, names)
    vectors = _encode_names([name or "?" for name in [*names, *short_names]], encoder, known.name_vectors)
    codes = {language: code for code, language in enumerate(sorted(set(pages.languages)))}
    folders, folder_names = _folders(pages)
    return SiteModel(
        pages=pages,
        names=names,
        short_names=short_names,
        name_vectors=vectors[: len(names)],
        short_vectors=vectors[len(names) :],
        term_numbers=term_numbers,
        name_terms=_name_terms(pages, names, term_numbers, weights),
        short_terms=_name_terms(pages, short_names, term_numbers, weights),
        weights=weights,
        signatures=signatures,
        folders=folders,
        folder_names=folder_names,
        yardsticks=frozen.yardsticks if frozen else make_yardsticks(pages),
        mentions=build_mention_index(pages, names, short_names, links, weights),
        graph=LinkGraph(len(pages), links),
        language_codes=np.array([codes[language] for language in pages.languages], dtype=np.int64),
        is_code_linkable=frozen.is_code_linkable if frozen else is_code_linkable(links, options),
        links_per_paragraph=frozen.links_per_paragraph if frozen else links_per_paragraph(links, options),
        options=options,
    )
