"""Habits are read off a site's own links, and settings override them."""

import numpy as np
import pytest

from recommendations.engine.site_habits import links_per_paragraph
from recommendations.engine.types import EngineOptions, SiteLinks


def _links(per_paragraph: list[int], is_editorial: bool = True) -> SiteLinks:
    """One page; paragraph number i holds per_paragraph[i] links."""
    blocks = [block for block, count in enumerate(per_paragraph) for _ in range(count)]
    n = len(blocks)
    return SiteLinks(
        sources=np.zeros(n, dtype=np.int64),
        targets=np.arange(1, n + 1),
        anchor_texts=["words"] * n,
        is_editorial=np.full(n, is_editorial),
        is_in_code=np.zeros(n, dtype=bool),
        places=np.array([(block, 0, 5) for block in blocks], dtype=np.int64).reshape(n, 3),
    )


@pytest.mark.parametrize(
    ("per_paragraph", "allowed"),
    [
        ([1] * 20, 2),  # a blog
        ([4] * 20, 4),  # a wiki
        ([1] * 39 + [30], 2),  # one list of links says nothing
        ([12] * 20, 6),  # lists everywhere: no paragraph is to become one
        ([4, 4], 2),  # too few links to be a habit
        ([], 2),
    ],
)
def test_paragraphs_get_as_many_links_as_the_sites_own_have(per_paragraph: list[int], allowed: int) -> None:
    assert links_per_paragraph(_links(per_paragraph), EngineOptions()) == allowed


def test_menu_links_are_no_habit_and_a_setting_decides() -> None:
    assert links_per_paragraph(_links([5] * 20, is_editorial=False), EngineOptions()) == 2
    assert links_per_paragraph(_links([5] * 20), EngineOptions(links_per_paragraph=1)) == 1
