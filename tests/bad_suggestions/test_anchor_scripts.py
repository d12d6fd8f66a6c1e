"""Anchor texts where script matters: word bounds, direction, case, combining marks, compounds, clitics, names, dates.

One site in nine languages, read by the multilingual model that the product chooses for it. Each language has a page to
be linked to, a page that says its name among words that must never be offered, and a page about something else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

import pytest

from embeddings.model_names import E5
from recommendations.engine.words import split_words
from tests.bad_suggestions.pages import page
from tests.bad_suggestions.whole_run import Outcome
from tests.crawler.loopback import Answer

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Told:
    name: str
    about: str  # the text of the page with that name
    title: str
    text: str  # of the page that names it
    never: tuple[str, ...]
    wanted: str
    other: str  # the text of a page about something else


LANGUAGES: dict[str, Told] = {
    "ar": Told(
        "إبريق النحاس",
        "يصنع إبريق النحاس في ورش صغيرة. يدوم إبريق النحاس الجيد سنوات طويلة.",
        "رحلة إلى السوق",
        "في يوم الاثنين ٣ مايو ٢٠٢٤ زار التاجر العجوز مصر وحدها. ثم اشترى إبريق النحاس من صديقه، ولم يندم.",
        ("مصر", "مايو", "٢٠٢٤", "٣ مايو ٢٠٢٤", "٣", "الاثنين", "من صديقه", "نحاس", "من"),
        "إبريق النحاس",
        "تنام القطط في الشمس طوال النهار، ثم تخرج ليلا.",
    ),
    "he": Told(
        "קומקום נחושת",
        "קומקום נחושת נעשה בסדנאות קטנות. קומקום נחושת טוב מחזיק שנים רבות.",
        "מסע אל השוק",
        "ביום שני, 3 במאי 2024, הגיע הסוחר הזקן אל צרפת, ושמח. במחסן של צה\"ל מצא קומקום נחושת ישן.",
        ("צרפת", "צה", "ל", "2024", "במאי", "3 במאי", "3 במאי 2024", "3", "של", "קומקום נחושת של"),
        "קומקום נחושת",
        "החתולים ישנים בשמש כל היום, ובלילה הם יוצאים.",
    ),
    "hi": Told(
        "तांबे की केतली",
        "तांबे की केतली छोटी कार्यशालाओं में बनती है। तांबे की केतली कई साल चलती है।",
        "बाज़ार की यात्रा",
        "सोमवार, 3 मई 2024 को बूढ़ा व्यापारी फ़्रांस से लौटा। उसने बाज़ार में तांबे की केतली खरीदी।",
        ("फ़्रांस", "मई", "3 मई 2024", "2024", "सोमवार", "में तांबे", "तांब", "केतल", "की केतली", "तांबे की"),
        "तांबे की केतली",
        "बिल्लियाँ दिन भर धूप में सोती हैं और रात को बाहर निकलती हैं।",
    ),
    "zh": Told(
        "铜水壶",
        "铜水壶在小作坊里制作。好的铜水壶可以用很多年。",
        "市场之行",
        "2024年5月3日星期一，老商人坐船去了法国。他在旧货摊买到一把铜水壶，用Python写了日记。",
        ("法国", "5月", "5月3日", "2024年5月3日", "2024年", "3日", "星期一", "2024", "Py", "thon", "的", "了"),
        "铜水壶",
        "猫整天在阳光下睡觉，晚上才出门。",
    ),
    "ja": Told(
        "銅のやかん",
        "銅のやかんは小さな工房で作られます。よい銅のやかんは何年も使えます。",
        "市場への旅",
        "2024年5月3日月曜日、年老いた商人はフランスへ行きました。そして市場で銅のやかんを買いました。",
        ("フランス", "5月3日", "2024年5月3日", "月曜日", "2024", "銅の", "のやかん", "銅のやかんを", "やかんを", "を"),
        "銅のやかん",
        "猫は一日中ひなたで眠り、夜になると出かけます。",
    ),
    "ko": Told(
        "구리 주전자",
        "구리 주전자는 작은 공방에서 만듭니다. 좋은 구리 주전자는 오래 갑니다.",
        "시장으로 가는 길",
        "2024년 5월 3일 월요일 늙은 상인은 프랑스 남쪽으로 떠났다. "
        "프랑스에서 돌아온 월요일에 그는 시장에서 구리 주전자를 샀다.",
        ("프랑스", "프랑스에서", "월요일에", "5월", "5월 3일", "월요일", "2024", "주전자", "구리 주전자", "를"),
        "구리 주전자를",
        "고양이는 하루 종일 햇볕에서 자고 밤에 나간다.",
    ),
    "th": Told(
        "กาต้มน้ำทองแดง",
        "กาต้มน้ำทองแดงทำในโรงงานเล็กๆ กาต้มน้ำทองแดงที่ดีใช้ได้หลายปี",
        "การเดินทางไปตลาด",
        "วันจันทร์ที่ 3 พฤษภาคม 2024 พ่อค้าแก่เดินทางไปฝรั่งเศส แล้วเขาก็ซื้อกาต้มน้ำทองแดงที่ตลาด",
        ("ฝรั่งเศส", "พฤษภาคม", "3 พฤษภาคม 2024", "2024", "วันจันทร์", "จันทร์", "ต้มน้ำ", "ที่", "ทองแดงที่ตลาด"),
        "กาต้มน้ำทองแดง",
        "แมวนอนกลางแดดทั้งวัน แล้วออกไปข้างนอกตอนกลางคืน",
    ),
    "tr": Told(
        "Bakır çaydanlık",
        "Bakır çaydanlık küçük atölyelerde yapılır. İyi bir bakır çaydanlık yıllarca dayanır.",
        "Pazara yolculuk",
        "Pazartesi günü, 3 Mayıs 2024 sabahı, yaşlı tüccar Norveç'e gitti. Orada Ayşe bir BAKIR ÇAYDANLIK sattı.",
        ("Norveç", "Norveç'e", "Mayıs", "3 Mayıs", "3 Mayıs 2024", "2024", "Pazartesi", "Ayşe", "bir BAKIR", "e gitti"),
        "BAKIR ÇAYDANLIK",
        "Kediler bütün gün güneşte uyur, geceleri dışarı çıkar.",
    ),
    "de": Told(
        "Kupferkessel",
        "Ein Kupferkessel wird in kleinen Werkstätten getrieben. Ein guter Kupferkessel hält viele Jahre.",
        "Reise zum Markt",
        "Am Montag, dem 3. Mai 2024, z. B. in Österreich, stand die Kupferkesselfabrik leer. "
        "Die Zinn- und Messingkannen waren teuer, ein Kupferkessel nicht.",
        ("Österreich", "Mai", "3. Mai 2024", "Montag", "2024", "z", "B", "z. B", "Kupferkesself", "Zinn", "Zinn-"),
        "Kupferkessel",
        "Die Katzen schlafen den ganzen Tag in der Sonne und gehen nachts hinaus.",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def outcome(whole_run: Callable[..., Outcome]) -> Outcome:
    site: dict[str, Answer] = {"/": page("Nine markets", "<p>Merchants of nine countries tell of their journeys.</p>")}
    for language, told in LANGUAGES.items():
        site[f"/{language}/name"] = page(told.name, f"<p>{told.about}</p>", lang=language)
        site[f"/{language}/told"] = page(told.title, f"<p>{told.text}</p>", lang=language)
        site[f"/{language}/other"] = page(told.other.split()[0], f"<p>{told.other}</p>", lang=language)
    outcome = whole_run(site)
    assert outcome.run_figures["model_name"] == E5
    return outcome


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_that_are_no_anchor(outcome: Outcome, language: str) -> None:
    told = LANGUAGES[language]
    offered = {text for item in outcome.on(f"/{language}/told") for text in item.texts}
    assert offered.isdisjoint(told.never), sorted(offered & set(told.never))
    assert told.wanted in outcome.anchors(f"/{language}/told", f"/{language}/name"), offered


@pytest.mark.parametrize("language", LANGUAGES)
def test_anchors_are_whole_words_verbatim_with_no_stop_word_at_an_edge(outcome: Outcome, language: str) -> None:
    suggestions = [item for item in outcome.suggestions if item.source.startswith(f"/{language}/")]
    assert suggestions
    for item in suggestions:
        assert outcome.pages[item.source].texts[item.block][item.start : item.end] == item.anchor
        words = split_words(item.sentence, language)
        starts = {word.start for word in words if not word.is_stop}
        ends = {word.end for word in words if not word.is_stop}
        for text in item.texts:
            places = [at for at in range(len(item.sentence)) if item.sentence.startswith(text, at)]
            assert any(at in starts and at + len(text) in ends for at in places), text


#: The texts above as their readers would cut them, so that the product's own cutting is put to the test too. A
#: compound is one word where half of it would mislead.
CUT_BY_HAND = {
    "zh": "2024|年|5|月|3|日|星期一|，|老|商人|坐|船|去|了|法国|。|"
    "他|在|旧货摊|买|到|一|把|铜|水壶|，|用|Python|写|了|日记|。",
    "ja": "2024|年|5|月|3|日|月曜日|、|年老いた|商人|は|フランス|へ|行きました|。|"
    "そして|市場|で|銅|の|やかん|を|買いました|。",
    "th": "วัน|จันทร์|ที่| |3| |พฤษภาคม| |2024| |พ่อค้า|แก่|เดิน|ทาง|ไป|ฝรั่งเศส| |แล้ว|เขา|ก็|ซื้อ|กา|ต้ม|น้ำ|ทองแดง|ที่|ตลาด",
}


@pytest.mark.parametrize("language", CUT_BY_HAND)
def test_no_anchor_is_a_part_of_a_word(outcome: Outcome, language: str) -> None:
    pieces = CUT_BY_HAND[language].split("|")
    text = LANGUAGES[language].text
    assert "".join(pieces) == text
    bounds = {0, *accumulate(map(len, pieces))}
    offered = {text for item in outcome.on(f"/{language}/told") for text in item.texts}
    assert offered
    for anchor in offered & {text[start:end] for start in range(len(text)) for end in range(start, len(text) + 1)}:
        at = text.index(anchor)
        assert {at, at + len(anchor)} <= bounds, anchor


def test_no_language_leads_to_another(outcome: Outcome) -> None:
    assert {item.target[:4] for item in outcome.suggestions if item.source == "/ja/told"} == {"/ja/"}
    crossing = [item for item in outcome.suggestions if item.source[:4] != item.target[:4] and item.source != "/"]
    assert not crossing
