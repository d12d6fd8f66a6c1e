"""Where an anchor may stand: whole words, linkable text, the nearest place after a page changed."""

import pytest

from crawler.extraction.types import Block, BlockKind
from recommendations.anchor_words import fold_anchor, is_whole_words
from recommendations.errors import DecisionRefused
from recommendations.linkable_text import match_index_of, occurrences_of
from recommendations.places import choose_words, find_place

SENTENCE = "The party’s art-house films aren't art for parties, but ‘art’ it is."


def block(text: str, ordinal: int = 0, **spans: tuple[tuple[int, int], ...]) -> Block:
    return Block(ordinal, BlockKind.PARAGRAPH, text, **spans)


@pytest.mark.parametrize(
    ("text", "words", "is_whole"),
    [
        ("a party of art", "art", False),  # first found inside "party"
        ("state-of-the-art work", "art", False),
        ("state-of-the-art work", "state-of-the-art", True),
        ("it isn't so", "isn", False),
        ("the ‘art’ of it", "art", True),
        ("C++, then", "C++", True),
        ("snake_case here", "case", False),
        ("cafe\u0301s open", "cafe", False),
        ("自転車の修理", "自転車", True),
        ("ซ่อมจักรยาน", "จักรยาน", True),
        ("soft\u00adhyphen", "soft", False),
    ],
)
def test_anchors_are_whole_words(text: str, words: str, is_whole: bool) -> None:
    start = text.index(words)
    assert is_whole_words(text, start, start + len(words)) is is_whole


def test_occurrences_skip_links_code_barred_text_and_parts_of_words() -> None:
    text = "chain chains chain code chain note chain end chain"
    spans = {"link_spans": ((0, 5),), "code_spans": ((19, 29),), "barred_spans": ((30, 40),)}
    assert list(occurrences_of(block(text, **spans), "chain", False)) == [13, 45]
    assert list(occurrences_of(block(text, **spans), "chain", True)) == [13, 24, 45]
    assert match_index_of(block(text, **spans), "chain", 45, False) == 1
    assert match_index_of(block(text, **spans), "chain", 0, False) is None


def test_place_moves_with_its_sentence() -> None:
    sentence = "A clean chain is a quiet chain."
    blocks = [block("New first paragraph."), block(f"Now longer. {sentence}", 1), block("End.", 2)]
    place = find_place(blocks, sentence, "chain", 25, near_block=0, near_start=0, is_code_linkable=False)
    assert place is not None
    assert (place.block, place.sentence_start, place.match_index) == (1, 12, 1)
    assert blocks[1].text[slice(*place.span)] == "chain"
    assert place.context_before.endswith("a quiet ")


def test_no_place_where_the_words_were_linked_or_the_block_may_not_carry_links() -> None:
    sentence = "A clean chain is quiet."
    linked = [block(sentence, link_spans=((8, 13),))]
    assert find_place(linked, sentence, "chain", 8, 0, 0, False) is None
    assert find_place([Block(0, BlockKind.HEADING, sentence)], sentence, "chain", 8, 0, 0, False) is None
    assert find_place([block("Other text.")], sentence, "chain", 8, 0, 0, False) is None


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("art-house films", "art-house films"),
        ("  ART-HOUSE   films ", "art-house films"),
        ("aren’t art", "aren't art"),
        ("party's", "party’s"),
    ],
)
def test_words_are_taken_as_they_stand(typed: str, found: str) -> None:
    start, text = choose_words(SENTENCE, typed, 0)[0]
    assert text == found
    assert SENTENCE[start : start + len(text)] == text


def test_of_several_occurrences_the_nearest_comes_first() -> None:
    assert [start for start, _ in choose_words("art and art and art", "art", 9)] == [8, 16, 0]


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("", "Type the words"),
        (" \n ", "Type the words"),
        ("bicycles", "“bicycles” does not stand in the sentence"),
        ("hous", "only part of a word"),
        (".", "has no letter and no digit. Choose words."),
        ("’", "has no letter"),
        ("x" * 300, "300 characters are too long"),
    ],
)
def test_other_words_are_refused_with_the_reason(typed: str, complaint: str) -> None:
    with pytest.raises(DecisionRefused, match=complaint):
        choose_words(SENTENCE, typed, 0)


@pytest.mark.parametrize(
    ("text", "folded"),
    [("  The\u00a0Café’s \u00adCHAIN‑ring ", "the café's chain-ring"), ("Straße", "strasse"), ("a  b", "a b")],
)
def test_the_same_anchor_to_an_editor(text: str, folded: str) -> None:
    assert fold_anchor(text) == folded
