"""The model follows the languages that were read, unless somebody chose."""

import pytest
from django.test import override_settings

from crawler.models import PageStatus
from embeddings.encoders import E5, MINILM
from embeddings.selectors import choose_model_name, iterate_hashes, iterate_texts, read_page_ids
from tests.factories import make_page, make_site

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("languages", "expected"),
    [
        (["en"] * 3, MINILM),
        (["en"] * 3 + ["de"], E5),
        (["de"] * 3, E5),
        (["en"] * 3 + [""], MINILM),
        (["en"] * 98 + ["fr"] * 2, MINILM),
        (["en"] * 97 + ["fr"] * 3, E5),
        ([], E5),
    ],
)
def test_english_sites_get_minilm_all_others_the_multilingual_model(languages: list[str], expected: str) -> None:
    site = make_site()
    for language in languages:
        make_page(site, language=language)
    make_page(site, language="de", status=PageStatus.SKIPPED)
    assert choose_model_name(site.pk) == expected


def test_the_sites_own_model_comes_first_then_the_setting() -> None:
    with override_settings(LINKREC_MODEL="b/c"):
        assert choose_model_name(make_site(model_name="a/b").pk) == "a/b"
        assert choose_model_name(make_site().pk) == "b/c"


def test_only_the_own_sentences_of_read_pages() -> None:
    site, other = make_site(), make_site()
    first, second = make_page(site, text="One.\nTwo."), make_page(site, text="Three.")
    make_page(site, text="Skipped.", status=PageStatus.SKIPPED)
    make_page(other, text="Elsewhere.")
    second.sentences.update(is_boilerplate=True)
    page_ids = read_page_ids(site.pk)
    assert page_ids == [first.pk, second.pk]
    assert [text for _, texts in iterate_texts(page_ids) for text in texts] == ["One.", "Two."]
    assert [page for pages, _ in iterate_hashes(page_ids) for page in pages] == [first.pk] * 2
