"""Reads what embedding needs to know of a site: its model, its pages, its sentences. Never writes."""

from collections.abc import Iterator, Sequence

from django.conf import settings
from django.db.models import Count, QuerySet

from crawler.models import Page, PageStatus, Sentence, Site
from embeddings.model_names import E5, MINILM

#: MiniLM reads English alone: from this share of English pages on it serves a site better than a multilingual model.
ENGLISH_SHARE = 0.98
_PAGES_AT_ONCE = 100


def choose_model_name(site_id: int) -> str:
    """The site's own model, else LINKREC_MODEL, else by the languages of its read pages."""
    own = Site.objects.filter(pk=site_id).values_list("model_name", flat=True).first()
    if own or settings.LINKREC_MODEL:
        return str(own or settings.LINKREC_MODEL)
    pages = Page.objects.filter(site_id=site_id, status=PageStatus.READ).exclude(language="")
    counts = dict(pages.order_by().values_list("language").annotate(Count("id")))
    total = sum(counts.values())
    return MINILM if total and counts.get("en", 0) >= ENGLISH_SHARE * total else E5


def read_page_ids(site_id: int) -> list[int]:
    """Ids of the pages that were read, ascending."""
    pages = Page.objects.filter(site_id=site_id, status=PageStatus.READ)
    return list(pages.order_by("id").values_list("id", flat=True))


def iterate_hashes(page_ids: Sequence[int]) -> Iterator[tuple[list[int], list[str]]]:
    """(page ids, text hashes) of the pages' own sentences in reading order, boilerplate left out, in small lots."""
    for start in range(0, len(page_ids), _PAGES_AT_ONCE):
        rows = list(_sentences(page_ids[start : start + _PAGES_AT_ONCE]).values_list("page_id", "text_hash"))
        if rows:
            yield [row[0] for row in rows], [row[1] for row in rows]


def iterate_texts(page_ids: Sequence[int]) -> Iterator[tuple[list[str], list[str]]]:
    """(text hashes, texts) of the same sentences in the same order."""
    for start in range(0, len(page_ids), _PAGES_AT_ONCE):
        rows = list(_sentences(page_ids[start : start + _PAGES_AT_ONCE]).values_list("text_hash", "text"))
        if rows:
            yield [row[0] for row in rows], [row[1] for row in rows]


def _sentences(page_ids: Sequence[int]) -> QuerySet[Sentence]:
    return Sentence.objects.filter(page_id__in=page_ids, is_boilerplate=False).order_by("page_id", "ordinal")
