"""Marking what repeats across a site, on real rows."""

import pytest

from crawler.extraction.types import Block, BlockKind, text_hash
from crawler.models import Link, Page, PageBody, PageStatus, Sentence, Site
from crawler.site_boilerplate import mark_site_boilerplate

FOOTER = "Text of this site is free to use."


@pytest.fixture
def site(db: None) -> Site:
    site = Site.objects.create(name="shop", start_url="https://example.org/")
    for number in range(12):
        add_page(site, number)
    return site


def add_page(site: Site, number: int) -> Page:
    page = Page.objects.create(site=site, url=f"https://example.org/{number}", status=PageStatus.READ, language="en")
    own = f"Only page {'abcdefghijklmnop'[number]} speaks of its own tea."
    blocks = [
        Block(0, BlockKind.PARAGRAPH, own),
        Block(1, BlockKind.PARAGRAPH, FOOTER),
        Block(2, BlockKind.LINK_LIST, "All teas", link_spans=((0, 8),)),
    ]
    PageBody.objects.create(page=page, blocks=[block.to_json() for block in blocks])
    for ordinal, text in enumerate((own, FOOTER)):
        Sentence.objects.create(
            page=page, ordinal=ordinal, block_ordinal=ordinal, block_kind="paragraph", start=0, end=len(text),
            text=text, text_hash=text_hash(text),
        )  # fmt: skip
    for ordinal, (anchor, block) in enumerate([("own tea", 0), ("All teas", 2), ("free to use", 1)]):
        Link.objects.create(
            page=page, ordinal=ordinal, target_url="https://example.org/0", anchor_text=anchor,
            is_editorial=True, is_editorial_on_page=True, block_ordinal=block, start=0, end=1,
        )  # fmt: skip
    return page


def test_repeated_blocks_and_links_are_marked(site: Site) -> None:
    mark_site_boilerplate(site.pk)
    assert set(Sentence.objects.filter(is_boilerplate=True).values_list("text", flat=True)) == {FOOTER}
    assert Sentence.objects.filter(is_boilerplate=True).count() == 12
    assert set(Link.objects.filter(is_editorial=True).values_list("anchor_text", flat=True)) == {"own tea"}


def test_a_second_run_changes_nothing_and_asks_no_fence(site: Site) -> None:
    mark_site_boilerplate(site.pk)
    calls: list[None] = []
    mark_site_boilerplate(site.pk, fence=lambda: calls.append(None))
    assert calls == []


def test_what_repeats_no_longer_becomes_content_again(site: Site) -> None:
    mark_site_boilerplate(site.pk)
    Page.objects.exclude(url__in=["https://example.org/0", "https://example.org/1"]).delete()
    mark_site_boilerplate(site.pk)
    assert not Sentence.objects.filter(is_boilerplate=True).exists()
    assert Link.objects.filter(is_editorial=True).count() == 6


def test_the_fence_is_called_inside_the_write(site: Site) -> None:
    class Lost(Exception):
        pass

    def fence() -> None:
        raise Lost

    with pytest.raises(Lost):
        mark_site_boilerplate(site.pk, fence=fence)
    assert not Sentence.objects.filter(is_boilerplate=True).exists()
