"""embed_site: every distinct sentence once, unchanged ones never again, pages as means, nothing mixed."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from django.test import override_settings

from crawler.extraction.types import text_hash
from crawler.leases import LeaseLost
from crawler.models import Page, PageStatus, Site
from embeddings.encoders_batches import BatchingEncoder
from embeddings.errors import EmbeddingError, VectorsMissing
from embeddings.services import embed_site
from embeddings.vector_store import forget_site_vectors, open_site_vectors
from tests.embeddings.counting_encoder import CountingEncoder
from tests.factories import make_page, make_site, set_text

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_vectors(tmp_path: Path) -> Iterator[None]:
    with override_settings(LINKREC_DATA_DIR=tmp_path):
        yield


@pytest.fixture
def site() -> Site:
    site = make_site()
    make_page(site, "bread", "Dough rests.\nDough rises.\nEveryone says this.")
    make_page(site, "rolls", "Rolls are small.\nEveryone says this.\nDough rests.")
    make_page(site, "empty")
    make_page(site, "away", "Never seen.", status=PageStatus.REDIRECT)
    return site


def test_each_distinct_sentence_once_and_pages_as_means(site: Site) -> None:
    encoder = CountingEncoder()
    reports: list[tuple[int, int, str]] = []
    figures = embed_site(site.pk, encoder=encoder, progress=lambda *report: reports.append(report))
    assert figures.pop("seconds") >= 0
    assert figures == {"model_name": "counting", "pages": 3, "sentences": 4, "embedded": 4, "reused": 0}
    assert sorted(encoder.encoded) == ["Dough rests.", "Dough rises.", "Everyone says this.", "Rolls are small."]
    assert [(done, total) for done, total, note in reports if note == "sentences embedded"][::2] == [(0, 4), (4, 4)]
    vectors = open_site_vectors(site.pk, "counting")
    pages = list(Page.objects.filter(site=site, status=PageStatus.READ).order_by("id"))
    assert vectors.page_ids.tolist() == [page.pk for page in pages]
    for page, found in zip(pages, vectors.page_vectors, strict=True):
        texts = list(page.sentences.values_list("text", flat=True))
        mean = encoder.encode(texts).mean(axis=0) if texts else np.zeros(encoder.dimension)
        np.testing.assert_allclose(found, mean / max(np.linalg.norm(mean), 1e-9), atol=1e-3)
    rows = vectors.rows_of([text_hash("Dough rises."), text_hash("Never seen.")])
    assert rows[1] == -1
    np.testing.assert_allclose(vectors.take(rows[:1])[0], encoder.encode(["Dough rises."])[0], atol=1e-3)


def test_a_second_run_embeds_what_is_new_alone(site: Site) -> None:
    embed_site(site.pk, encoder=CountingEncoder())
    page = Page.objects.get(site=site, url__endswith="bread")
    set_text(page, "Dough rests.\nDough is baked.")
    again = CountingEncoder()
    figures = embed_site(site.pk, encoder=again)
    assert again.encoded == ["Dough is baked."]
    assert (figures["embedded"], figures["reused"]) == (1, 3)
    np.testing.assert_allclose(
        open_site_vectors(site.pk, "counting").page_vectors[0],
        (mean := again.encode(["Dough rests.", "Dough is baked."]).mean(axis=0)) / np.linalg.norm(mean),
        atol=1e-3,
    )


def test_boilerplate_is_neither_embedded_nor_averaged(site: Site) -> None:
    for page in site.pages.all():
        page.sentences.filter(text="Everyone says this.").update(is_boilerplate=True)
    encoder = CountingEncoder()
    assert embed_site(site.pk, encoder=encoder)["sentences"] == 3
    assert "Everyone says this." not in encoder.encoded


def test_another_version_of_the_model_starts_anew_and_replaces(site: Site) -> None:
    embed_site(site.pk, encoder=CountingEncoder(fingerprint="1"))
    newer = CountingEncoder(fingerprint="2")
    assert embed_site(site.pk, encoder=newer)["embedded"] == 4
    assert open_site_vectors(site.pk, "counting").fingerprint == "2"
    other = CountingEncoder("other")
    embed_site(site.pk, encoder=other)
    with pytest.raises(VectorsMissing, match=r"has no vectors of the model counting\. Run"):
        open_site_vectors(site.pk, "counting")


def test_a_lost_lease_writes_nothing_more_and_keeps_what_is_done(site: Site) -> None:
    fences = 0

    def fence() -> None:
        nonlocal fences
        fences += 1
        if fences > 1:
            raise LeaseLost("taken over")

    with pytest.raises(LeaseLost):
        embed_site(site.pk, encoder=CountingEncoder(texts_at_once=2), fence=fence)
    with pytest.raises(VectorsMissing):
        open_site_vectors(site.pk, "counting")
    successor = CountingEncoder(texts_at_once=2)
    assert embed_site(site.pk, encoder=successor)["reused"] == 2
    assert len(successor.encoded) == 2


def test_a_stop_between_batches_is_heard(site: Site) -> None:
    def progress(done: int, total: int, note: str) -> None:
        if done:
            raise LeaseLost("stopped")

    with pytest.raises(LeaseLost):
        embed_site(site.pk, encoder=CountingEncoder(), progress=progress)


def test_a_site_without_text_or_existence_is_one_sentence() -> None:
    empty = make_site()
    make_page(empty, "nothing")
    with pytest.raises(EmbeddingError, match=f"Site {empty.pk} has no text to embed"):
        embed_site(empty.pk, encoder=CountingEncoder())
    with pytest.raises(EmbeddingError, match="There is no site 4711"):
        embed_site(4711, encoder=CountingEncoder())


def test_forgetting_a_site(site: Site) -> None:
    embed_site(site.pk, encoder=CountingEncoder())
    forget_site_vectors(site.pk)
    with pytest.raises(VectorsMissing):
        open_site_vectors(site.pk, "counting")


def test_with_the_real_model(site: Site, minilm: BatchingEncoder) -> None:
    make_page(site, "trains", "Trains to the coast leave every hour.\nThe station has two platforms.")
    figures = embed_site(site.pk, encoder=minilm)
    vectors = open_site_vectors(site.pk, figures["model_name"], fingerprint=minilm.fingerprint)
    bread, rolls, _, trains = vectors.page_vectors
    assert bread @ rolls > bread @ trains + 0.2
