"""Embeds a site: every distinct sentence once, unchanged ones never again, then a vector for every page.

Leaves the model to encoders, keeping to vector_store, and the run's row to jobs and commands.
"""

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crawler.leases import Progress, ignore_progress
from crawler.models import Site
from embeddings.encoders import open_encoder
from embeddings.errors import EmbeddingError
from embeddings.pooling import PagePooler
from embeddings.selectors import choose_model_name, iterate_hashes, iterate_texts, read_page_ids
from embeddings.types import Encoder
from embeddings.vector_store import Keys, SiteVectorWriter, get_vector_store, keys_of

_NOTE = "sentences embedded"


def _no_fence() -> None:
    """Nothing else writes this site's vectors."""


def embed_site(
    site_id: int,
    *,
    model_name: str | None = None,
    encoder: Encoder | None = None,
    progress: Progress = ignore_progress,
    fence: Callable[[], None] = _no_fence,
) -> dict[str, Any]:
    """Bring the site's vectors up to date; a run that was cut off goes on after its last finished segment.

    Returns figures: model_name, pages, sentences (distinct), embedded, reused, seconds. Raises EmbeddingError with one
    sentence, or LeaseLost.
    """
    started = time.perf_counter()
    if not Site.objects.filter(pk=site_id).exists():
        raise EmbeddingError(f"There is no site {site_id}. `python manage.py crawl_site URL` reads a new one.")
    page_ids = read_page_ids(site_id)
    keys = _distinct_keys(page_ids)
    if not len(keys):
        raise EmbeddingError(
            f"Site {site_id} has no text to embed: none was read, or all of it repeats from page to page like a "
            "template. Look at its pages, then read it again."
        )
    progress(0, 0, "looking for the model")
    encoder = encoder or open_encoder(model_name or choose_model_name(site_id))
    writer = get_vector_store().open_writer(site_id, encoder.model_name, encoder.fingerprint, encoder.dimension)
    missing = keys[writer.find(keys) < 0]
    _embed_missing(page_ids, missing, encoder, writer, progress, fence)
    pooled = _pool_pages(page_ids, writer)
    fence()
    writer.set_pages(np.array(page_ids, np.int64), pooled)
    writer.sweep(keys)
    return {
        "model_name": encoder.model_name,
        "pages": len(page_ids),
        "sentences": len(keys),
        "embedded": len(missing),
        "reused": len(keys) - len(missing),
        "seconds": round(time.perf_counter() - started, 2),
    }


def _distinct_keys(page_ids: list[int]) -> Keys:
    """(n,) sorted keys of all sentences: 16 bytes each, so that a large site's fit into memory."""
    lots = [np.unique(keys_of(hashes)) for _, hashes in iterate_hashes(page_ids)]
    return np.unique(np.concatenate(lots)) if lots else np.zeros(0, "S16")


def _embed_missing(
    page_ids: list[int],
    missing: Keys,
    encoder: Encoder,
    writer: SiteVectorWriter,
    progress: Progress,
    fence: Callable[[], None],
) -> None:
    total, done = len(missing), 0
    if not total:
        return
    progress(done, total, _NOTE)
    texts = _missing_texts(page_ids, missing)
    # A killed run loses one lot at most. Lots are of a fixed size and in reading order: half precision rounds a little
    # differently from batch to batch, and so a run that goes on gets the very vectors of one that was not disturbed.
    while lot := list(itertools.islice(texts, encoder.texts_at_once)):
        before = done

        def report(encoded: int, before: int = before) -> None:
            progress(before + encoded, total, _NOTE)

        vectors = encoder.encode([text for _, text in lot], report)
        fence()
        writer.add(keys_of([text_hash for text_hash, _ in lot]), vectors)
        done += len(lot)
        progress(done, total, _NOTE)


def _missing_texts(page_ids: list[int], missing: Keys) -> Iterator[tuple[str, str]]:
    """(hash, text) of each missing key once, in reading order, streamed."""
    is_seen = np.zeros(len(missing), bool)
    if not len(missing):
        return
    for hashes, texts in iterate_texts(page_ids):
        keys = keys_of(hashes)
        at = np.minimum(np.searchsorted(missing, keys), len(missing) - 1)
        for index in np.flatnonzero(missing[at] == keys):
            if not is_seen[at[index]]:
                is_seen[at[index]] = True
                yield hashes[index], texts[index]


def _pool_pages(page_ids: list[int], writer: SiteVectorWriter) -> NDArray[np.float32]:
    """(n_pages, dim); a sentence that a crawl added meanwhile has no vector yet and waits for the next run."""
    pooler = PagePooler(len(page_ids), writer.dimension)
    ordered = np.array(page_ids, np.int64)
    for ids, hashes in iterate_hashes(page_ids):
        rows = writer.rows_of(hashes)
        is_known = rows >= 0
        pooler.add(np.searchsorted(ordered, np.array(ids, np.int64))[is_known], writer.take(rows[is_known]))
    return pooler.page_vectors()
