"""Sentences: their ends, in several languages, and their spans."""

import pytest

from crawler.extraction.sentences import LONGEST_SENTENCE, sentence_spans
from tests.crawler.extraction.reading import read


def split(text: str, language: str = "en", breaks: tuple[int, ...] = ()) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text, breaks, language)]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["Dr. Smith (e.g. this one) went to the U.S. Army.", "He came back!"]),
        ("en", ["Django has request.GET for it, but we use request.POST here.", "See os.path.Join too."]),
        ("en", ["This was typed as APIs.Collecting by hand.", "So it stays one."]),
        ("en", ["“I loved working on this for years.", "Improving it helps Dr. Smith a lot.”", "She left the room."]),
        ("en", ["(See how such sections are merged.)", "However, all the options are kept (e.g. by Mr. Brown)."]),
        ("en", ["A route that contains (?P<, or ends with a $.", "This was likely an oversight."]),
        ("fr", ["C'est défini par l'API APR.", "On peut l'afficher."]),
        ("de", ["Das ist z. B. am 3. Mai so.", "Danach nicht mehr."]),
        ("da", ["Det kan f.eks. være en god idé, jf. kap. 3.", "Han gik hjem."]),
        ("ca", ["El Sr. Puig diu que la pàg. 3 és bona.", "El Dr. Mas no ho diu."]),
        ("ja", ["このモジュールが必要です。", "mod_dav のサポートとして動作します。"]),
        ("ja", ["彼は「行く。来る。」と言った。", "しかし帰らなかった。"]),
        ("zh", ["这是第一句话。", "Apache 是第二句话。"]),
        ("hi", ["यह पहला वाक्य है।", "यह दूसरा वाक्य है।"]),
        ("", ["No language is known here.", "It still works."]),
    ],
)
def test_ends_of_sentences(language: str, sentences: list[str]) -> None:
    gap = "" if language in ("ja", "zh") else " "
    assert split(gap.join(sentences), language) == sentences


def test_thai_is_parted_by_spaces() -> None:
    text = "สวัสดีครับผมชื่อสมชายครับและ ผมอยู่ที่กรุงเทพมหานครมานานแล้ว"
    assert split(text, "th") == text.split(" ")


def test_a_line_break_ends_a_sentence() -> None:
    page = read("<main><p>Street 5<br>12345 Town<br>Open daily. Ring twice.</p></main>")
    assert [s.text for s in page.sentences] == ["Street 5", "12345 Town", "Open daily.", "Ring twice."]


def test_text_without_an_end_is_cut_between_words() -> None:
    sentences = split("word " * 1_000)
    assert max(map(len, sentences)) <= LONGEST_SENTENCE
    assert all(set(sentence.split()) == {"word"} for sentence in sentences)
    assert max(map(len, split("w" * 30_000))) <= LONGEST_SENTENCE


def test_code_and_lists_of_links_have_no_sentences() -> None:
    page = read("<main><h2>Head</h2><pre>code here</pre><ul><li><a href=/a>Alpha</a></ul><p>Text.</p></main>")
    assert [sentence.text for sentence in page.sentences] == ["Head", "Text."]


def test_spans_are_offsets_in_the_block() -> None:
    page = read("<main lang=ja><p>  First “one”.\n Second\xa0one!  </p><p>Third.</p></main>")
    assert [page.blocks[s.block_ordinal].text[s.start : s.end] for s in page.sentences] == [
        s.text for s in page.sentences
    ]
    assert [sentence.ordinal for sentence in page.sentences] == [0, 1, 2]


def test_pieces_without_letters_are_no_sentences() -> None:
    assert split("— * —") == []
