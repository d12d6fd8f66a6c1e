"""What counts as a site's template."""

from collections.abc import Sequence

from crawler.extraction.site_repetition import PlacedLink, SiteRepetition
from crawler.extraction.types import Block, BlockKind

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def prose(number: int, language: str = "en") -> str:
    return f"{language} page {LETTERS[number // 26]}{LETTERS[number % 26]} has text of its own, and quite some of it."


def blocks_of(*texts: str, kind: BlockKind = BlockKind.PARAGRAPH) -> list[Block]:
    return [Block(ordinal, kind, text) for ordinal, text in enumerate(texts)]


def counted(pages: Sequence[tuple[str, list[Block]]], links: Sequence[PlacedLink] = ()) -> SiteRepetition:
    repetition = SiteRepetition()
    for language, blocks in pages:
        repetition.count(language, blocks, links)
    return repetition


def test_a_block_on_more_than_two_percent_is_template() -> None:
    pages = [("en", blocks_of(prose(n), "Footer text", *(["Rare"] if n < 4 else []))) for n in range(300)]
    repetition = counted(pages)
    assert repetition.repeated_blocks("en", pages[0][1]) == {1}
    often = counted([("en", blocks_of(prose(n), *(["Series"] if n < 7 else []))) for n in range(300)])
    assert often.repeated_blocks("en", blocks_of("Series", "Other")) == {0}


def test_on_a_small_site_three_pages_are_no_proof() -> None:
    pages = [("en", blocks_of(prose(n), "Note", "Foot")) for n in range(3)] + [("en", blocks_of(prose(9), "Foot"))]
    pages += [("en", blocks_of(prose(n), "Foot")) for n in range(10, 16)]
    assert counted(pages).repeated_blocks("en", blocks_of("Note", "Foot")) == {1}


def test_numbers_and_case_do_not_hide_a_template() -> None:
    pages = [("en", blocks_of(prose(n), f"Posted on 2024-0{n % 9}-11, {n} MIN read")) for n in range(12)]
    assert counted(pages).repeated_blocks("en", blocks_of("posted on 1999-01-01, 7 min read")) == {0}


def test_copies_of_a_page_do_not_make_its_prose_a_template() -> None:
    copied = blocks_of("Shared long paragraph that is real prose.", "Second real paragraph.", "Foot")
    pages = [("en", copied)] * 10 + [("en", blocks_of(prose(n), "Foot")) for n in range(20)]
    assert counted(pages).repeated_blocks("en", copied) == {2}


def test_copies_in_other_languages_folders_count_for_none() -> None:
    page = blocks_of("An untranslated page of English prose.", "It goes on for a while.")
    pages = [(language, page) for language in ("en", "de", "fr", "es", "it", "nl")]
    pages += [
        (language, blocks_of(prose(n, language), f"foot {language}")) for n in range(30) for language in ("en", "de")
    ]
    repetition = counted(pages)
    assert repetition.repeated_blocks("de", page) == set()
    assert repetition.repeated_blocks("de", blocks_of("foot de")) == {0}
    assert repetition.repeated_blocks("de", blocks_of("foot en")) == set()


def test_a_language_with_few_pages_is_judged_by_the_whole_site() -> None:
    pages = [("en", blocks_of(prose(n), "© Tea Company")) for n in range(30)] + [
        ("da", blocks_of("Kun en side", "© Tea Company"))
    ]
    assert counted(pages).repeated_blocks("da", pages[-1][1]) == {1}


def test_standing_links_are_template_and_links_in_prose_never() -> None:
    menu, editorial, heading = (
        PlacedLink("/a", "Alpha", 1),
        PlacedLink("/a", "Alpha", 0),
        PlacedLink("/b", "Beta", None),
    )
    pages = [
        (
            "en",
            [Block(0, BlockKind.PARAGRAPH, f"{prose(n)} Alpha"), Block(1, BlockKind.LINK_LIST, f"Alpha {LETTERS[n]}")],
        )
        for n in range(12)
    ]
    repetition = counted(pages, [menu, editorial, heading])
    blocks = pages[0][1]
    assert repetition.is_template_link(menu, "en", blocks)
    assert repetition.is_template_link(heading, "en", blocks)
    assert not repetition.is_template_link(editorial, "en", blocks)
    assert not repetition.is_template_link(PlacedLink("/z", "Alpha", 1), "en", blocks)
