"""Where words end inside a run of letters that is written without spaces: Chinese, Japanese, Thai, Lao, Khmer, Burmese.

ICU's dictionaries cut Thai, Lao, Khmer and Burmese. For Chinese and Japanese budoux has a say too: each of the two
cuts inside words now and then, hardly ever at the same place. In doubt a piece stays too long, since an anchor may be
two words but never half of one. Leaves the runs themselves and terms to `words`.
"""

from collections.abc import Callable
from functools import cache
from itertools import accumulate, pairwise

import regex

from recommendations.engine.stop_words import stop_words_of

_SOUTHEAST = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_SOUTHEAST_OR_REST = regex.compile(
    r"(?:[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*)+|[^\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]+"
)
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_KANA_START = regex.compile(r"\p{Hiragana}{2}")
_KANA_TAIL = regex.compile(r"\p{Hiragana}+$")
#: Particles that are nothing else at the end of a phrase; "で" also ends a verb ("読んで").
_PARTICLES = frozenset(("は", "が", "を", "に", "の", "へ", "も", "と", "から", "まで", "より"))
_HANGUL = regex.compile(r"\p{Hangul}")
_ONE_THAI_LETTER = regex.compile(r"[\u0e01-\u0e2e]")


def has_unspaced_script(text: str) -> bool:
    """Whether any of its letters belong to a script that is written without spaces."""
    return _UNSPACED.search(text) is not None


def _is_japanese(text: str, language: str) -> bool:
    """Kana are Japanese on a page of whatever language; Han characters alone only where the page says so."""
    return language == "ja" or _KANA.search(text) is not None


def cut_unspaced(text: str, language: str) -> list[str]:
    """The words of a run in order; joined they are the run. Latin words and numbers in it stay whole."""
    if _SOUTHEAST.search(text):
        return _cut_southeast(text)
    if _HANGUL.search(text):
        return [text]  # Korean has spaces, also where a name is in Han characters.
    known = _dictionary_words(text)
    cuts = _japanese_cuts(text, known) if _is_japanese(text, language) else _chinese_cuts(text, known)
    return _pieces(text, {cut for cut in cuts if _touches_unspaced(text, cut)})


def _japanese_cuts(text: str, known: list[str]) -> set[int]:
    """Where phrases end, and before the particles that a phrase ends with: an anchor text has none at its end."""
    starts = [0, *accumulate(map(len, known))]
    phrase_ends = set(starts) & _model_cuts(text, "ja")
    if _KANA_START.match(text):  # "とうふ": no phrase begins with a particle.
        phrase_ends.discard(1)
    cuts = set(phrase_ends)
    phrase_start = 0
    for end in sorted(phrase_ends):
        last = starts.index(end) - 1
        while known[last] in _PARTICLES and starts[last] > phrase_start:
            cuts.add(starts[last])
            last -= 1
        tail = _KANA_TAIL.search(text, phrase_start, starts[last + 1])
        if tail and tail[0] in stop_words_of("ja") and tail.start() in starts:
            cuts.add(tail.start())
        phrase_start = end
    return cuts


def _chinese_cuts(text: str, known: list[str]) -> set[int]:
    """Where the dictionary cuts, but beside a lone character only where the models do.

    The dictionary lacks many compounds and leaves their last character alone ("服务|器").
    """
    simplified, traditional = _model_cuts(text, "zh-hans"), _model_cuts(text, "zh-hant")
    stops = stop_words_of("zh")
    cuts = set()
    end = start = 0
    for before, after in pairwise(known):
        end += len(before)
        lone = [word for word in (text[start:end], after) if len(word) == 1]
        needed = int(text[start:end] != before)
        if lone:
            needed = 2 - any(word in stops for word in lone)
        if (end in simplified) + (end in traditional) >= needed:
            cuts.add(end)
            start = end
    return cuts


def _cut_southeast(text: str) -> list[str]:
    words: list[str] = []
    for run in _SOUTHEAST_OR_REST.findall(text):
        if not _SOUTHEAST.match(run):
            words.append(run)
            continue
        for at, word in enumerate(_dictionary_words(run)):
            # A consonant without a vowel is what is left of a word that the dictionary does not know.
            if at and _ONE_THAI_LETTER.fullmatch(word):
                words[-1] += word
            else:
                words.append(word)
    return words


def _dictionary_words(text: str) -> list[str]:
    # Imported on first use, since most sites have no such script. The locale does not choose the dictionary.
    from icu4py.breakers import WordBreaker

    return list(WordBreaker(text, "root"))


def _model_cuts(text: str, model: str) -> set[int]:
    return set(accumulate(map(len, _model(model)(text))))


@cache
def _model(name: str) -> Callable[[str], list[str]]:
    import budoux

    load = {
        "ja": budoux.load_default_japanese_parser,
        "zh-hans": budoux.load_default_simplified_chinese_parser,
        "zh-hant": budoux.load_default_traditional_chinese_parser,
    }[name]
    parse: Callable[[str], list[str]] = load().parse
    return parse


def _touches_unspaced(text: str, cut: int) -> bool:
    return 0 < cut < len(text) and _UNSPACED.search(text[cut - 1 : cut + 1]) is not None


def _pieces(text: str, cuts: set[int]) -> list[str]:
    bounds = [0, *sorted(cuts), len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]
