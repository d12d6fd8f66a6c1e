"""Words that date or locate rather than name a page: months, weekdays, countries. From CLDR by Babel, any language.

Leaves what follows from it to `anchors`.
"""

from collections.abc import Sequence
from functools import cache

from babel import Locale, UnknownLocaleError

from recommendations.engine.word_forms import CLITIC_LANGUAGES, terms_of_word
from recommendations.engine.words import fold

#: Prepositions and conjunctions that are written onto the name ("in May" is one word).
_PREFIXES = {"he": "בלמהוכש", "ar": "بلوفك"}


def _with_prefixes(names: set[str], language: str) -> frozenset[str]:
    return frozenset(
        names | {prefix + name for prefix in _PREFIXES.get(language, "") for name in names if len(name) > 2}
    )


@cache
def _locale(language: str) -> Locale:
    try:
        return Locale.parse(language or "en")
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en")


@cache
def calendar_words(language: str) -> frozenset[str]:
    """Folded names of months and weekdays, long and short, in the language and in English."""
    names: set[str] = set()
    for locale in (_locale(language), _locale("en")):
        for table in (locale.months, locale.days):
            for usage in table.values():
                for width in ("wide", "abbreviated"):
                    names.update(fold(str(name)).rstrip(".") for name in usage[width].values())
    return _with_prefixes({name for name in names if name and not name.isdigit()}, language)


def bare_forms(words: Sequence[str], language: str) -> str:
    """Words without particles and endings where the language writes these onto them ("Norveç'te"); "" elsewhere."""
    if language not in CLITIC_LANGUAGES:
        return ""
    return " ".join(term for word in words for term in terms_of_word(word, language))


@cache
def bare_calendar_words(language: str) -> frozenset[str]:
    """The bare forms of calendar words."""
    return frozenset(bare_forms(name.split(), language) for name in calendar_words(language)) - {""}


@cache
def bare_country_names(language: str) -> frozenset[str]:
    """The bare forms of country names."""
    return frozenset(bare_forms(name.split(), language) for name in country_names(language)) - {""}


@cache
def country_names(language: str) -> frozenset[str]:
    """Folded names of countries and regions of the world in the language and in English."""
    locales = (_locale(language), _locale("en"))
    return _with_prefixes({fold(str(name)) for locale in locales for name in locale.territories.values()}, language)
