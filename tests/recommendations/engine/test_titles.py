"""Page names: what is left of a title without the site's name."""

import numpy as np

from recommendations.engine.titles import page_names, slug_words
from recommendations.engine.types import SitePages


def pages(titles: list[str], h1s: list[str] | None = None, urls: list[str] | None = None) -> SitePages:
    n = len(titles)
    return SitePages(
        urls=urls or [f"https://site.test/page-{index}" for index in range(n)],
        titles=titles,
        h1s=h1s or [""] * n,
        headings=[()] * n,
        languages=["en"] * n,
        is_target=np.ones(n, dtype=bool),
        translation_groups=np.arange(n),
        page_vectors=np.zeros((n, 2), dtype=np.float32),
    )


def test_the_sites_name_is_cut_off_at_either_end() -> None:
    assert page_names(pages(["Tyres | Shop", "Chains | Shop", "Brakes: a guide | Shop"])) == [
        "Tyres",
        "Chains",
        "Brakes: a guide",
    ]
    assert page_names(pages(["Shop - Tyres", "Shop - Chains", "Shop - Brakes"])) == ["Tyres", "Chains", "Brakes"]


def test_two_common_parts_are_both_cut_off() -> None:
    titles = [f"{name} | Guide | Shop" for name in ("Tyres", "Chains", "Brakes")]
    assert page_names(pages(titles)) == ["Tyres", "Chains", "Brakes"]


def test_a_hyphen_inside_a_word_is_no_separator() -> None:
    assert page_names(pages(["Open-source one", "Open-source two", "Open-source three"]))[0] == "Open-source one"


def test_the_same_title_everywhere_gives_way_to_the_heading_then_the_address() -> None:
    names = page_names(
        pages(["Shop"] * 3, ["Tyres ¶", "", "Brakes"], [f"https://s.test/{p}" for p in ("a", "chain_care.html", "b")])
    )
    assert names == ["Tyres", "chain care", "Brakes"]


def test_slugs_become_words() -> None:
    assert slug_words("https://s.test/docs/http-caching/index.html.en") == "http caching"
    assert slug_words("https://s.test/%D7%A9%D7%9C%D7%95%D7%9D/") == "שלום"
    assert slug_words("https://s.test/") == ""
