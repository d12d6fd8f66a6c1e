"""What two words are compared by: letters folded, endings and clitics taken off. Never where a word ends.

A form may be wrong for a word ("나이" is no "나" with a particle) as long as it is the same wrong one everywhere: names
and texts go through the same rules. Leaves bounds to `words`, equality for editors to `anchor_words`.
"""

from collections.abc import Callable
from functools import cache, lru_cache

import regex
import Stemmer

from recommendations.anchor_words import fold_anchor

_PART = regex.compile(r"[\p{L}\p{N}\p{M}_]+")
_ABBREVIATION = regex.compile(r"(?:\p{L}\.)+\p{L}?")
_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali",
    "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
#: Languages in which I and i are two letters.
_DOTTED = frozenset({"tr", "az"})
_DOTTED_LETTERS = str.maketrans({"I": "ı", "İ": "i"})
#: Languages whose particles, articles and case endings are taken off before a stemmer sees the word.
CLITIC_LANGUAGES = frozenset({"ar", "he", "ko"}) | _DOTTED
_TURKISH_SUFFIX = regex.compile(r"(?<=\p{L}{2})'\p{Ll}{1,6}$")
#: "and the", "with the", "so the": written as one word with what follows.
_ARABIC_CLITICS = regex.compile(r"^[وفبك](?=ال\p{L}{2})|^[وف]?لل(?=\p{L}{3})")
_HEBREW_ARTICLE = regex.compile(r"^ו?[שבכ]?ה+(?=\p{L}{3})")
_MARKS = regex.compile(r"\p{Mn}+")
#: Particles at the end of an eojeol, the longest first.
_KOREAN_PARTICLE = regex.compile(
    r"(?<=^\p{Hangul}{2,})(?:에서의|으로부터|에서는|에서도|으로서|으로써|이라는|로부터|에게서|까지|부터|에서|에게|에는|에도|으로"
    r"|처럼|보다|마다|이나|이란|라는|이라|들을|들이|들은|들의|은|는|이|가|을|를|에|의|와|과|로|도|만)$"
)


@cache
def _stemmer(language: str) -> Callable[[str], str] | None:
    name = _STEMMERS.get(language)
    return Stemmer.Stemmer(name, 0).stemWord if name else None


@lru_cache(maxsize=200_000)
def fold(text: str) -> str:
    """`fold_anchor`, remembered: the engine folds the same words again and again."""
    return fold_anchor(text)


def _without_clitics(folded: str, language: str) -> str:
    """The word without what its language writes onto it."""
    if language == "ar":
        return _ARABIC_CLITICS.sub("", _MARKS.sub("", folded))
    if language == "he":
        return _HEBREW_ARTICLE.sub("", _MARKS.sub("", folded))
    if language == "ko":
        return _KOREAN_PARTICLE.sub("", folded)
    if language in _DOTTED:
        return _TURKISH_SUFFIX.sub("", folded)
    return folded.removesuffix("'s")


@lru_cache(maxsize=400_000)
def terms_of_word(text: str, language: str) -> tuple[str, ...]:
    """The folded, stemmed parts of a word: "open-source" has two, "U.S." one."""
    folded = fold(text.translate(_DOTTED_LETTERS) if language in _DOTTED else text)
    unspaced = folded.replace(" ", "")
    if unspaced.count(".") and len(unspaced) > 2 and _ABBREVIATION.fullmatch(unspaced):
        return (unspaced.replace(".", ""),)
    stem = _stemmer(language)
    parts = _PART.findall(_without_clitics(folded, language))
    return tuple(stem(part) if stem and not any(c.isdigit() for c in part) else part for part in parts)
