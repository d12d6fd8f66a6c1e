"""Content as rows: sentences, links and blocks of a page, in place of what was there. Leaves the page to page_store."""

from collections.abc import Callable, Sequence
from itertools import chain

from crawler.bulk_rows import insert_rows
from crawler.extraction.types import PageContent, text_hash
from crawler.models import Link, Page, PageBody, Sentence


def replace_content(rewritten: Sequence[tuple[Page, PageContent]], to_site: Callable[[str], str]) -> None:
    """The sentences, links and blocks of these pages, in place of what was there.

    `to_site`: a URL as the site spells it, "" where it is on another.
    """
    if not rewritten:
        return
    ids = [page.id for page, _ in rewritten]
    Sentence.objects.filter(page_id__in=ids).delete()
    Link.objects.filter(page_id__in=ids).delete()
    insert_rows(Sentence, _SENTENCE_FIELDS, chain(*(_sentence_rows(page.id, content) for page, content in rewritten)))
    insert_rows(Link, _LINK_FIELDS, chain(*(_link_rows(page.id, content, to_site) for page, content in rewritten)))
    bodies = [(page.id, [block.to_json() for block in content.blocks]) for page, content in rewritten]
    PageBody.objects.bulk_create(
        [PageBody(page_id=page_id, blocks=blocks) for page_id, blocks in bodies],
        update_conflicts=True,
        unique_fields=["page"],
        update_fields=["blocks"],
    )


_SENTENCE_FIELDS = (
    "page",
    "ordinal",
    "block_ordinal",
    "block_kind",
    "start",
    "end",
    "text",
    "text_hash",
)


def _sentence_rows(page_id: int, content: PageContent) -> list[tuple[object, ...]]:
    return [
        (
            page_id,
            sentence.ordinal,
            sentence.block_ordinal,
            str(content.blocks[sentence.block_ordinal].kind),
            sentence.start,
            sentence.end,
            sentence.text,
            text_hash(sentence.text),
        )
        for sentence in content.sentences
    ]


_LINK_FIELDS = (
    "page",
    "ordinal",
    "target_url",
    "anchor_text",
    "is_editorial",
    "is_editorial_on_page",
    "is_nofollow",
    "is_in_code",
    "block_ordinal",
    "start",
    "end",
)


def _link_rows(page_id: int, content: PageContent, to_site: Callable[[str], str]) -> list[tuple[object, ...]]:
    """Rows of the links that stay on the site, under the site's own scheme and host."""
    on_site = [(found, link) for link in content.links if (found := to_site(link.url))]
    return [
        (
            page_id,
            ordinal,
            target_url,
            link.anchor_text[:1000],
            link.is_editorial,
            link.is_editorial,
            link.is_nofollow or content.is_nofollow,
            link.is_in_code,
            link.block_ordinal,
            link.start,
            link.end,
        )
        for ordinal, (target_url, link) in enumerate(on_site)
    ]
