"""Character sets: what is declared where, and what to do when it is wrong."""

import pytest

from crawler.extraction.charset import decode_html

KOREAN = "안녕하세요, 서버 설정 문서입니다"


@pytest.mark.parametrize(
    ("body", "header", "expected"),
    [
        ("\ufeffä".encode("utf-8-sig"), "text/html; charset=iso-8859-1", "\ufeffä"),
        ("ä — ü".encode("utf-16"), "", "ä — ü"),
        ("ä — ü".encode("utf-16-be").join([b"\xfe\xff", b""]), "", "ä — ü"),
        ("Grüße".encode("iso-8859-1"), "text/html; charset=ISO-8859-1", "Grüße"),
        (b"\x93quoted\x94 \x80", "text/html; charset=iso-8859-1", "“quoted” €"),
        (f"<meta charset=euc-kr>{KOREAN}".encode("euc-kr"), "", f"<meta charset=euc-kr>{KOREAN}"),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1">Böden'.encode("latin-1"),
            "text/html",
            '<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1">Böden',
        ),
        ("<meta charset=utf-16>é".encode(), "", "<meta charset=utf-16>é"),
        ("日本".encode("shift_jis"), "text/html; charset=Shift_JIS", "日本"),
        ("Zażółć".encode("iso-8859-2"), "text/html; charset=ISO-8859-2", "Zażółć"),
        ("naïve".encode(), "text/html; charset=bogus", "naïve"),
        ("naïve".encode(), "", "naïve"),
        (b"plain", "text/html; charset=utf-7", "plain"),
    ],
)
def test_declared_and_undeclared(body: bytes, header: str, expected: str) -> None:
    assert decode_html(body, {"content-type": header} if header else {}) == expected


def test_a_declaration_that_the_bytes_contradict_is_passed_over() -> None:
    body = "<p>Über größere Öfen, schöne Küchen und müde Bäcker</p>".encode("cp1252")
    assert "größere" in decode_html(body, {"content-type": "text/html; charset=utf-8"})


def test_cyrillic_without_a_declaration_is_detected() -> None:
    text = "Сервер принимает запросы и передаёт их обработчику, который отвечает клиенту. " * 5
    assert decode_html(text.encode("cp1251"), {}) == text


def test_a_page_cut_inside_a_character_stays_utf8() -> None:
    assert decode_html("Grüße aus Köln ü".encode()[:-1], {}).startswith("Grüße aus Köln")


@pytest.mark.parametrize("label", ["unicode_escape", "idna", "punycode", "undefined", "zip", "rot13", "x" * 500, "\0"])
def test_codecs_that_are_no_encodings_are_refused(label: str) -> None:
    body = f"<meta charset={label}>".encode() + b"\\N{ \xc3\xa4"
    assert decode_html(body, {"content-type": f"text/html; charset={label}"}).endswith("\\N{ ä")
