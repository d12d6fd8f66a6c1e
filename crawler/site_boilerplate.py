"""Marks the sentences and links that belong to a site's template, after all of its pages were read.

Streams over the stored pages twice: once to count, once to mark. Every flag is worked out from scratch, so a second
run changes nothing. Leaves what counts as repeated to extraction.site_repetition.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from django.db import transaction

from crawler.extraction.site_repetition import PlacedLink, SiteRepetition
from crawler.extraction.types import Block, blocks_from_json
from crawler.models import Link, Page, PageBody, PageStatus, Sentence

_PAGES_AT_ONCE = 200
_ROWS_AT_ONCE = 500


class _Change(NamedTuple):
    """Primary keys of rows whose flag is to become true or false."""

    true: list[int]
    false: list[int]


class _StoredPage(NamedTuple):
    id: int
    language: str
    blocks: Sequence[Block]
    links: Sequence[tuple[int, bool, PlacedLink]]  # primary key, is_editorial as stored, place


def mark_site_boilerplate(site_id: int, fence: Callable[[], None] = lambda: None) -> None:
    """Set Sentence.is_boilerplate and Link.is_editorial of every read page of the site. `fence` as for all writers."""
    repetition = SiteRepetition()
    for pages in _stored_pages(site_id):
        for page in pages:
            repetition.count(page.language, page.blocks, (place for _, _, place in page.links))
    for pages in _stored_pages(site_id):
        _mark(pages, repetition, fence)


def _stored_pages(site_id: int) -> Iterator[list[_StoredPage]]:
    """Batches of the site's read pages in the order they were found."""
    last = 0
    pages = Page.objects.filter(site_id=site_id, status=PageStatus.READ).order_by("id")
    while batch := list(pages.filter(id__gt=last).values_list("id", "language")[:_PAGES_AT_ONCE]):
        last = batch[-1][0]
        ids = [page_id for page_id, _ in batch]
        bodies = dict(PageBody.objects.filter(page_id__in=ids).values_list("page_id", "blocks"))
        links = _links_by_page(ids)
        yield [
            _StoredPage(
                page_id,
                language,
                blocks_from_json(bodies.get(page_id, ())),
                links[page_id],
            )
            for page_id, language in batch
        ]


def _links_by_page(page_ids: Sequence[int]) -> dict[int, list[tuple[int, bool, PlacedLink]]]:
    """The links in main content; all others never were editorial."""
    found: dict[int, list[tuple[int, bool, PlacedLink]]] = defaultdict(list)
    rows = Link.objects.filter(page_id__in=page_ids, is_editorial_on_page=True).order_by("page_id", "ordinal")
    fields = ("page_id", "id", "is_editorial", "target_url", "anchor_text", "block_ordinal")
    for page_id, link_id, is_editorial, target_url, anchor_text, block_ordinal in rows.values_list(*fields):
        found[page_id].append((link_id, is_editorial, PlacedLink(target_url, anchor_text, block_ordinal)))
    return found


def _mark(pages: Sequence[_StoredPage], repetition: SiteRepetition, fence: Callable[[], None]) -> None:
    links = _Change([], [])
    repeated_by_page: dict[int, set[int]] = {}
    for page in pages:
        repeated = repeated_by_page[page.id] = repetition.repeated_blocks(page.language, page.blocks)
        for key, was, place in page.links:
            is_template = place.block_ordinal in repeated or repetition.is_template_link(
                place, page.language, page.blocks
            )
            if was is is_template:
                (links.false if is_template else links.true).append(key)
    sentences = _changed_sentences(repeated_by_page)
    if not (links.true or links.false or sentences.true or sentences.false):
        return
    with transaction.atomic():
        fence()
        for keys, is_editorial in ((links.true, True), (links.false, False)):
            for start in range(0, len(keys), _ROWS_AT_ONCE):
                Link.objects.filter(id__in=keys[start : start + _ROWS_AT_ONCE]).update(is_editorial=is_editorial)
        for keys, is_boilerplate in ((sentences.true, True), (sentences.false, False)):
            for start in range(0, len(keys), _ROWS_AT_ONCE):
                chunk = Sentence.objects.filter(id__in=keys[start : start + _ROWS_AT_ONCE])
                chunk.update(is_boilerplate=is_boilerplate)


def _changed_sentences(repeated_by_page: dict[int, set[int]]) -> _Change:
    change = _Change([], [])
    rows = Sentence.objects.filter(page_id__in=list(repeated_by_page))
    for key, page_id, block_ordinal, was in rows.values_list("id", "page_id", "block_ordinal", "is_boilerplate"):
        is_boilerplate = block_ordinal in repeated_by_page[page_id]
        if is_boilerplate is not was:
            (change.true if is_boilerplate else change.false).append(key)
    return change
