"""What is computed once for a site before its pages are ranked one by one: names, weights, mentions, links, vectors.

Leaves everything about a single source page to `features`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from embeddings.types import Encoder
from recommendations.engine.link_graph import LinkGraph
from recommendations.engine.mentions import MentionIndex, build_mention_index
from recommendations.engine.term_weights import TermWeights
from recommendations.engine.titles import page_names
from recommendations.engine.types import EngineOptions, FloatArray, IntArray, SiteLinks, SitePages
from recommendations.engine.words import content_terms_of, split_words

#: Where this share of a site's editorial links stand in inline code, new ones may stand there too.
_CODE_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class SiteModel:
    """name_vectors: (n_pages, dim) float32, L2-normalized. name_terms: (n_terms, n_pages) float32, columns sum to 1.

    translation_groups and language_codes: (n_pages,) int64.
    """

    pages: SitePages
    names: list[str]
    name_vectors: FloatArray
    term_numbers: dict[str, int]
    name_terms: sparse.csr_matrix
    weights: TermWeights
    mentions: MentionIndex
    graph: LinkGraph
    language_codes: IntArray
    is_code_linkable: bool
    options: EngineOptions


def _weigh_terms(pages: SitePages, texts: Iterable[tuple[int, Iterable[str]]]) -> TermWeights:
    weights = TermWeights()
    for page, sentences in texts:
        language = pages.languages[page]
        terms = {term for text in sentences for word in split_words(text, language) for term in word.terms}
        weights.add_page(language, terms)
    return weights


def _name_terms(pages: SitePages, names: list[str], weights: TermWeights) -> tuple[dict[str, int], sparse.csr_matrix]:
    numbers: dict[str, int] = {}
    rows, columns, values = [], [], []
    for page, name in enumerate(names):
        language = pages.languages[page]
        terms = sorted(set(content_terms_of(name, language)))
        idf = np.array([weights.idf(language, term) for term in terms], dtype=np.float32)
        if not terms or idf.sum() <= 0:
            continue
        for term, share in zip(terms, idf / idf.sum(), strict=True):
            rows.append(numbers.setdefault(f"{language} {term}", len(numbers)))
            columns.append(page)
            values.append(share)
    shape = (max(1, len(numbers)), len(pages))
    return numbers, sparse.csr_matrix((np.array(values, dtype=np.float32), (rows, columns)), shape=shape)


def is_code_linkable(links: SiteLinks, options: EngineOptions) -> bool:
    """Whether new links may stand in inline code: as the setting says, else as the site's own links do."""
    if options.is_inline_code_linkable is not None:
        return options.is_inline_code_linkable
    editorial: NDArray[np.bool_] = links.is_in_code[links.is_editorial]
    return bool(len(editorial) >= 10 and editorial.mean() >= _CODE_SHARE)


def build_site_model(
    pages: SitePages,
    links: SiteLinks,
    texts: Iterable[tuple[int, Iterable[str]]],
    encoder: Encoder,
    options: EngineOptions,
) -> SiteModel:
    """Read every page's sentences once (`texts`: page position and its sentence texts) and encode the pages' names."""
    names = page_names(pages)
    weights = _weigh_terms(pages, texts)
    term_numbers, name_terms = _name_terms(pages, names, weights)
    codes = {language: code for code, language in enumerate(sorted(set(pages.languages)))}
    return SiteModel(
        pages=pages,
        names=names,
        name_vectors=encoder.encode([name or "?" for name in names]),
        term_numbers=term_numbers,
        name_terms=name_terms,
        weights=weights,
        mentions=build_mention_index(pages, names, links),
        graph=LinkGraph(len(pages), links),
        language_codes=np.array([codes[language] for language in pages.languages], dtype=np.int64),
        is_code_linkable=is_code_linkable(links, options),
        options=options,
    )
