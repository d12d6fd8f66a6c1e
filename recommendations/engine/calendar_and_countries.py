"""Words that date or locate rather than name a page: months, weekdays, countries. From CLDR by Babel, any language.

Leaves what follows from it to `anchors`.
"""

from functools import cache

from babel import Locale, UnknownLocaleError

from recommendations.engine.words import fold


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
    return frozenset(name for name in names if name and not name.isdigit())


@cache
def country_names(language: str) -> frozenset[str]:
    """Folded names of countries and regions of the world in the language and in English."""
    return frozenset(
        fold(str(name)) for locale in (_locale(language), _locale("en")) for name in locale.territories.values()
    )
