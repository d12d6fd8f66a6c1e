"""Finds pages that are only another spelling of an earlier page: same text under /x, /x/, /x.html or /x/index.html.

Servers love to answer several spellings; taken as several pages they would be recommended to each other. Redirects and
rel=canonical are handled where they are declared; this is for servers that declare nothing.
"""

from collections.abc import Sequence

from crawler.extraction.types import PageContent
from crawler.models import Page, PageBody, PageStatus
from crawler.url_normalization import spelling_variants

_CHUNK = 500


def find_duplicates(
    site_id: int, found: Sequence[tuple[Page, PageContent]], lost: Sequence[int] = ()
) -> dict[str, str]:
    """URL of a duplicate -> URL of the page that it repeats, which was found earlier and is or will be read.

    `lost` are pages that this batch is about to give up: nothing is a duplicate of what goes.
    """
    variants = {page.url: spelling_variants(page.url) for page, content in found if content.sentences}
    texts = {page.url: _text_of(content) for page, content in found if content.sentences}
    ids = {page.url: page.id for page, _ in found}
    earlier = _read_pages(site_id, [url for urls in variants.values() for url in urls if url not in ids], set(lost))
    bodies = _stored_texts(list(earlier.values()))
    duplicates: dict[str, str] = {}
    for page, _ in sorted(found, key=lambda pair: pair[0].id):
        for url in variants.get(page.url, ()):
            if url in texts and ids[url] < page.id:
                is_same = texts[url] == texts[page.url]
            elif earlier.get(url, page.id) < page.id:
                is_same = bodies.get(earlier[url]) == texts[page.url]
            else:
                continue
            if is_same:
                duplicates[page.url] = duplicates.get(url, url)
                break
    return duplicates


def _read_pages(site_id: int, urls: list[str], lost: set[int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(urls), _CHUNK):
        rows = Page.objects.filter(site_id=site_id, url__in=urls[start : start + _CHUNK], status=PageStatus.READ)
        staying = rows.filter(pending_status="").values_list("url", "id")
        found |= {url: page_id for url, page_id in staying if page_id not in lost}
    return found


def _stored_texts(page_ids: list[int]) -> dict[int, tuple[str, ...]]:
    bodies = PageBody.objects.filter(page_id__in=page_ids).values_list("page_id", "blocks")
    return {page_id: tuple(block["text"] for block in blocks) for page_id, blocks in bodies}


def _text_of(content: PageContent) -> tuple[str, ...]:
    return tuple(block.text for block in content.blocks)
