"""The demo site as pages: enough of them, good to read, and the planted oddities where they belong."""

import re
from collections import Counter
from urllib.parse import urlsplit

import pytest
from lxml import html

from demo.site import PLACEHOLDER, DemoSite

PLANTED_DEAD_LINK = "/repairs/hub-gears/"
ORPHANS = {"/repairs/creaks-and-clicks/", "/riding/night-riding/"}


@pytest.fixture(scope="module")
def site() -> DemoSite:
    return DemoSite()


def links_of(body: str) -> list[str]:
    hrefs = [str(link).replace(PLACEHOLDER, "") for link in html.fromstring(body).xpath("//a/@href")]
    return [urlsplit(href).path for href in hrefs if urlsplit(href).path]


def test_about_forty_pages_with_a_few_hundred_words_each(site: DemoSite) -> None:
    assert 38 <= len(site.sitemap_paths()) <= 45
    for page in site.pages.values():
        words = len(re.sub(r"<[^>]+>", " ", page.body).split())
        assert 250 <= words <= 500, f"{page.path} has {words} words"


def test_every_page_has_its_own_title_and_description(site: DemoSite) -> None:
    for name in ("title", "description"):
        counts = Counter(getattr(page, name) for page in site.pages.values())
        repeated = [text for text, count in counts.items() if count > 1]
        assert repeated == [] or (name == "description" and "2024" in str(repeated))


def test_internal_links_resolve_except_the_planted_one(site: DemoSite) -> None:
    dead = {
        target
        for path in site.sitemap_paths()
        for target in links_of(site.answer(path).body)
        if site.answer(target).status == 404
    }
    assert dead == {PLANTED_DEAD_LINK}


def test_every_article_but_the_orphans_is_linked_from_another_page(site: DemoSite) -> None:
    linked = {target for path in site.sitemap_paths() for target in links_of(site.answer(path).body) if target != path}
    assert set(site.pages) - linked == ORPHANS


def test_articles_carry_one_to_three_editorial_links(site: DemoSite) -> None:
    counts = {page.path: page.body.count("<a href=") for page in site.pages.values()}
    assert {path for path, count in counts.items() if count == 0} <= ORPHANS | {"/workshop/thank-you/"}
    assert max(counts.values()) <= 3


def test_redirects_end_at_a_page_and_one_takes_two_steps(site: DemoSite) -> None:
    steps = []
    for path in site.redirects:
        count = 0
        while (response := site.answer(path)).status == 301:
            path, count = response.headers["Location"].removeprefix(PLACEHOLDER), count + 1
        assert response.status == 200
        steps.append(count)
    assert sorted(steps)[-1] == 2
    assert site.answer("/parts/saddles").headers["Location"] == f"{PLACEHOLDER}/parts/saddles/"


def test_page_that_asks_to_be_left_out_and_copy_to_print(site: DemoSite) -> None:
    notes = site.answer("/workshop/thank-you/").body
    assert '<meta name="robots" content="noindex">' in notes
    assert "/workshop/thank-you/" not in site.sitemap_paths()
    copy = html.fromstring(site.answer("/repairs/fix-a-puncture/print/").body)
    assert copy.xpath("//link[@rel='canonical']/@href") == [f"{PLACEHOLDER}/repairs/fix-a-puncture/"]


def test_two_pages_are_near_duplicates(site: DemoSite) -> None:
    old, new = (set(site.pages[f"/workshop/autumn-service-day-{year}/"].body.split()) for year in (2024, 2025))
    assert len(old & new) / len(old | new) > 0.9
