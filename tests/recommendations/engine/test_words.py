"""Word bounds and terms in the scripts that sites are written in."""

import subprocess
import sys

import pytest

from recommendations.engine.words import content_terms_of, is_generic_anchor, split_words


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("The U.S. open-source site’s policies", "en", ["The", "U.S.", "open-source", "site’s", "policies"]),
        (
            "See e.g. QuerySet.filter() in C++ and F#.",
            "en",
            ["See", "e.g.", "QuerySet.filter", "in", "C++", "and", "F#"],
        ),
        ("INSTALLED_APPS, urls.py", "en", ["INSTALLED_APPS", "urls.py"]),
        ("İstanbul’da yaşam", "tr", ["İstanbul’da", "yaşam"]),
        ("हिन्दी में लिखना", "hi", ["हिन्दी", "में", "लिखना"]),
        ("اللُّغَة العربية", "ar", ["اللُّغَة", "العربية"]),
        ("בית־ספר ועוד", "he", ["בית־ספר", "ועוד"]),
        ('של צה"ל וארה״ב', "he", ["של", 'צה"ל', "וארה״ב"]),
        ("z. B. die Ein- und Ausfuhr", "de", ["z. B.", "die", "Ein-", "und", "Ausfuhr"]),
        ("我们使用Python编程", "zh", ["我们", "使用", "Python", "编程"]),
        ("やかんを買いました", "ja", ["やかん", "を", "買いました"]),
        ("และอาหารอร่อย", "th", ["และ", "อาหาร", "อร่อย"]),
        ("พ่อค้าไปฝรั่งเศสเมื่อปี2567", "th", ["พ่อค้า", "ไป", "ฝรั่งเศส", "เมื่อ", "ปี", "2567"]),
        ("นโยบายของมหาวิทยาลัย", "th", ["นโยบาย", "ของ", "มหาวิทยาลัย"]),
        ("ใช้Wi-Fiอ่านหนังสือ", "en", ["ใช้", "Wi-Fi", "อ่าน", "หนังสือ"]),
        ("ປະເທດລາວມີ", "lo", ["ປະເທດ", "ລາວ", "ມີ"]),
        ("ប្រទេសកម្ពុជាមានរាជធានី", "km", ["ប្រទេស", "កម្ពុជា", "មាន", "រាជធានី"]),
        ("နေပြည်တော်ဖြစ်သည်", "my", ["နေပြည်တော်", "ဖြစ်သည်"]),
        ("人工智能正在改变数据库", "zh", ["人工", "智能", "正在", "改变", "数据库"]),
        ("他在旧货摊买到一把铜水壶", "zh", ["他在", "旧货摊", "买到", "一把", "铜水壶"]),
        ("我們設定伺服器的防火牆", "zh", ["我們", "設定", "伺服器", "的", "防火牆"]),
        ("悠遊卡可以在捷運使用", "zh", ["悠遊卡", "可以", "在", "捷運", "使用"]),
        ("国会図書館で古い新聞を読んだ", "ja", ["国会図書館", "で", "古い", "新聞", "を", "読んだ"]),
        ("とうふは1947年からの名物", "ja", ["とうふ", "は", "1947年", "から", "の", "名物"]),
        ("大韓民國은", "ko", ["大韓民國은"]),
        ("Größenänderung über Nacht", "de", ["Größenänderung", "über", "Nacht"]),
        ("e\u0301cole prive\u0301e", "fr", ["e\u0301cole", "prive\u0301e"]),
        ("데이터베이스 설정", "ko", ["데이터베이스", "설정"]),
    ],
)
def test_words_end_where_words_end(text: str, language: str, words: list[str]) -> None:
    assert [word.text for word in split_words(text, language)] == words
    assert all(text[word.start : word.end] == word.text for word in split_words(text, language))


@pytest.mark.parametrize(
    ("text", "language", "inside"),
    [
        ("ウェブサーバーの設定方法", "ja", "ウェブサーバー"),
        ("การตั้งค่าเซิร์ฟเวอร์", "th", "เซิร์ฟเวอร์"),
        ("服务器配置", "zh", "服务器"),
    ],
)
def test_scripts_without_spaces_are_cut_into_words(text: str, language: str, inside: str) -> None:
    words = [word.text for word in split_words(text, language)]
    assert inside in words
    assert "".join(words) == text


def test_sites_without_such_scripts_load_no_dictionaries() -> None:
    told = "import sys; from recommendations.engine.words import split_words; split_words('A text', 'en'); "
    told += "print({'icu4py', 'budoux'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_inflected_forms_share_terms() -> None:
    assert content_terms_of("privacy policies", "en") == content_terms_of("the Privacy Policy", "en")
    assert content_terms_of("Häuser", "de") == content_terms_of("Haus", "de")


@pytest.mark.parametrize(
    ("written", "name", "language"),
    [
        ("والمدرسة", "المدرسة", "ar"),
        ("كِتَابَ", "كتاب", "ar"),
        ("והקומקום", "קומקום", "he"),
        ("שָׁלוֹם", "שלום", "he"),
        ("주전자를", "주전자", "ko"),
        ("서울에서의", "서울", "ko"),
        ("IŞIK", "ışık", "tr"),
        ("İstanbul’da", "istanbul", "tr"),
        ("INTERNET", "internet", "en"),
        ("J. R.", "J.R.", "en"),
    ],
)
def test_clitics_marks_and_dots_part_no_forms(written: str, name: str, language: str) -> None:
    assert content_terms_of(written, language) == content_terms_of(name, language)


def test_half_a_compound_and_a_contraction_are_no_words_of_their_own() -> None:
    assert [word.is_stop for word in split_words("Ein- und Ausfuhr", "de")] == [True, True, False]
    assert [word.is_stop for word in split_words("it won’t rain", "en")] == [True, True, False]


@pytest.mark.parametrize("text", ["here", "Click here", "read more »", "of the", "Weiterlesen", "詳細", "اقرأ المزيد"])
def test_generic_anchors_are_known(text: str) -> None:
    language = "de" if text == "Weiterlesen" else "en"
    assert is_generic_anchor(text, split_words(text, language))


def test_telling_anchors_are_not_generic() -> None:
    assert not is_generic_anchor("privacy policy", split_words("privacy policy", "en"))
