"""Near-duplicate targets collapsed, orphans and deep pages favoured within bounds, translations never linked."""

import numpy as np
import pytest

from recommendations.engine import target_choice
from recommendations.engine.eligibility import eligible_targets
from recommendations.engine.link_graph import LinkGraph
from recommendations.engine.near_duplicates import N_HASHES, signature_of
from recommendations.engine.target_choice import LARGEST_BONUS, collapse_near_duplicates, favour_bonus, is_home
from recommendations.engine.types import EngineOptions, SiteLinks, SitePages
from tests.recommendations.engine.small_site import page, recommend

NO_LINKS = np.zeros(0, dtype=np.int64)


def signatures(*texts: str) -> np.ndarray:
    return np.stack([signature_of(text.split()) for text in texts])


BRAKES = " ".join(f"brake{n}" for n in range(60))
TWIN = BRAKES.replace("brake59", "pads")
CHAIN = " ".join(f"chain{n}" for n in range(60))


def collapse(
    targets: list[int], linked: list[int], inlinks: list[float], groups: tuple[int, ...] = (0, 1, 2)
) -> list[int]:
    return collapse_near_duplicates(
        np.array(targets, dtype=np.int64),
        np.array(linked, dtype=np.int64),
        signatures(BRAKES, TWIN, CHAIN),
        np.array(groups, dtype=np.int64),
        np.array(inlinks, dtype=np.float32),
    )


def test_of_near_duplicates_the_better_ranked_stays() -> None:
    assert collapse([0, 1, 2], [], [2, 2, 2]) == [0, 2]
    assert collapse([1, 2, 0], [], [2, 2, 2]) == [0, 1]
    assert collapse([0, 1, 2], [], [2, 4, 0]) == [0, 2]


def test_a_near_duplicate_that_the_site_links_to_much_more_is_the_original() -> None:
    assert collapse([0, 1, 2], [], [1, 5, 0]) == [1, 2]
    assert collapse([0, 2, 1], [], [0, 2, 9]) == [1, 2]


def test_of_translations_one_stays() -> None:
    assert collapse([2, 0], [], [0, 0, 0], groups=(7, 1, 7)) == [0]
    assert collapse([2, 1], [0], [0, 0, 0], groups=(7, 1, 7)) == []


def test_what_the_source_links_to_already_is_not_proposed_as_its_twin() -> None:
    assert collapse([1, 2], [0], [0, 0, 0]) == [1]


def test_pages_too_short_for_a_signature_are_no_duplicates() -> None:
    empty = np.zeros((2, N_HASHES), dtype=np.uint32)
    both = np.arange(2, dtype=np.int64)
    assert collapse_near_duplicates(both, NO_LINKS, empty, both, np.zeros(2, dtype=np.float32)) == [0, 1]


def test_no_targets_stay_none() -> None:
    assert collapse([], [0], [0, 0, 0]) == []


def test_a_page_gets_one_of_two_near_duplicate_targets() -> None:
    text = "<p>Truing a wheel takes patience.</p>" + "".join(f"<p>Spoke number {n} goes here.</p>" for n in range(40))
    body = "<p>We wrote about truing a wheel at home.</p><p>Truing a wheel needs a spoke key.</p>"
    site = {
        "/": page("Start", body),
        "/a": page("Truing a wheel", text),
        "/b": page("Truing a wheel", text + "<p>x</p>"),
    }
    assert [link.target for link in recommend(site, "/")] in ([1], [2])
    other = site | {"/b": page("Spoke key", "<p>Of keys and their sizes, and what else they turn.</p>")}
    assert sorted(link.target for link in recommend(other, "/")) == [1, 2]


def test_the_bonus_is_bounded_and_goes_to_those_in_need() -> None:
    inlinks = np.array([0, 1, 4, 5, 500, 500, 500], dtype=np.float32)
    depths = np.array([1, 1, 1, 1, 2, 6, -1], dtype=np.int64)
    bonus = favour_bonus(inlinks, depths, 1.0)
    assert bonus.tolist() == pytest.approx([LARGEST_BONUS, 0.16, 0.04, 0, 0, LARGEST_BONUS, LARGEST_BONUS])
    assert favour_bonus(inlinks, depths, 0.5).tolist() == pytest.approx((bonus / 2).tolist())
    assert not favour_bonus(inlinks, depths, 0.0).any()
    assert favour_bonus(inlinks, depths, 7.0).max() == pytest.approx(LARGEST_BONUS)
    assert favour_bonus(inlinks, None, 1.0)[5] == 0


def favouring_site() -> dict[str, str]:
    """Two targets that the source names; other pages link to the first alone."""
    linking = "".join(f'<p>Line {n}: see <a href="/lamps">lamps</a> for more.</p>' for n in range(2))
    site = {
        "/": page("Start", "<p>We sell winter lamps here.</p><p>People ask for cargo racks too.</p>"),
        "/lamps": page("Winter lamps", "<p>Winter lamps for dark mornings and long nights.</p>"),
        "/racks": page("Cargo racks", "<p>Racks.</p>"),
    }
    return site | {f"/news{n}": page(f"News {n}", f"<p>Number {n}.</p>" + linking) for n in range(6)}


def test_an_orphan_goes_first_where_the_site_asks_for_it_and_scores_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = recommend(favouring_site(), "/")
    monkeypatch.setattr(target_choice, "LARGEST_BONUS", 1.0)
    favoured = recommend(favouring_site(), "/", orphan_favour=1.0)
    assert plain[0].target == 1
    assert favoured[0].target == 2
    assert [link.rank for link in favoured] == list(range(1, len(plain) + 1))
    assert {link.target: link.score for link in favoured} == {link.target: link.score for link in plain}


def test_favour_lets_nothing_in_below_the_threshold() -> None:
    plain = {link.target: link.score for link in recommend(favouring_site(), "/")}
    threshold = plain[2] + 1e-4
    assert 2 not in [link.target for link in recommend(favouring_site(), "/", threshold=threshold, orphan_favour=1.0)]


def test_translations_of_each_other_are_never_linked_even_where_languages_mix() -> None:
    pages = SitePages(
        urls=["/en/a", "/de/a", "/de/b"],
        titles=["A", "A", "B"],
        h1s=["", "", ""],
        headings=[(), (), ()],
        languages=["en", "de", "de"],
        is_target=np.ones(3, dtype=bool),
        translation_groups=np.array([7, 7, 8], dtype=np.int64),
        page_vectors=np.zeros((3, 4), dtype=np.float32),
    )
    none = np.zeros(0, dtype=bool)
    graph = LinkGraph(3, SiteLinks(NO_LINKS, NO_LINKS, [], none, none))
    codes = np.array([0, 1, 1], dtype=np.int64)
    texts = np.zeros((3, N_HASHES), dtype=np.uint32)

    def eligible(source: int, *, mixed: bool) -> list[bool]:
        options = EngineOptions(is_cross_language_allowed=mixed)
        return eligible_targets(source, pages, graph, options, codes, texts).tolist()

    assert eligible(0, mixed=True) == [False, False, True]
    assert eligible(1, mixed=True) == [False, False, True]
    assert eligible(0, mixed=False) == [False, False, False]


@pytest.mark.parametrize(
    ("url", "expected"),
    [("https://a.example/", True), ("https://a.example", True), ("https://a.example/home", False)],
)
def test_the_root_of_a_site_is_its_home(url: str, expected: bool) -> None:
    assert is_home(url) is expected
