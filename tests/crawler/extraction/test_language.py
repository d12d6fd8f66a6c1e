"""Languages: declared, guessed, and declared wrongly."""

import pytest

from crawler.extraction.language import decide_language
from tests.crawler.extraction.reading import read

GERMAN = "Die Blätter werden im Frühling von Hand gepflückt und zwei Tage lang im Schatten getrocknet. " * 12
ENGLISH = "The leaves are picked by hand in spring and then dried in the shade for about two days. " * 12
JAPANESE = "春に手で摘まれた葉は二日間日陰で乾かされます。" * 30


@pytest.mark.parametrize(
    ("declared", "text", "expected"),
    [
        ("de", GERMAN, "de"),
        ("", GERMAN, "de"),
        ("", JAPANESE, "ja"),
        ("de", ENGLISH, "en"),  # an untranslated page under a language's folder
        ("en", GERMAN, "de"),
        ("de", ENGLISH[:200], "de"),  # too little to prove anything
        ("", "Hm.", ""),
        ("ja", JAPANESE[:100] + ENGLISH, "ja"),  # much English, but the script is used
        ("ja", ENGLISH, "en"),
        ("nb", "Bladene plukkes for hånd om våren og tørkes i skyggen i to dager før de sendes. " * 12, "nb"),
        ("xx", ENGLISH, "xx"),
    ],
)
def test_decisions(declared: str, text: str, expected: str) -> None:
    assert decide_language(declared, text) == expected


@pytest.mark.parametrize(
    ("html", "header", "expected"),
    [
        ("<html lang='pt-BR'>", "", "pt"),
        ("<html xml:lang=fr>", "", "fr"),
        ("<html><body lang=es>", "", "es"),
        ("<meta http-equiv=content-language content=tr>", "", "tr"),
        ("<p>", "da", "da"),
        ("<p>", "de, en", ""),
        ("<html lang='english'>", "", ""),
        ("<html lang=zh-Hant-TW>", "en", "zh"),
        ("<meta property=og:locale content=de_AT>", "", "de"),
    ],
)
def test_declarations(html: str, header: str, expected: str) -> None:
    assert read(f"{html}<p>Tea</p>", content_language=header).language == expected
