"""Words that must not become the anchor text of a target, however well they score.

Dates, countries and other people's names say nothing about a page that is not named so; the name of another page leads
readers to expect that page. Leaves edges, links and code to `anchors.allowed_spans`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recommendations.engine.calendar_and_countries import (
    bare_calendar_words,
    bare_country_names,
    bare_forms,
    calendar_words,
    country_names,
)
from recommendations.engine.mentions import Mention, Phrase
from recommendations.engine.words import Word, fold

#: From this share of the target's name on, words are the target's name.
_IS_NAME = 0.8
#: A phrase whose links lead elsewhere more often than this is another page's.
_RIVAL_SHARE = 0.5
#: Characters of the shortest lower-case anchor, in scripts that have cases.
_SHORTEST = 3
#: Languages that write every noun with a capital: there a capital tells no name.
CAPITAL_NOUNS = frozenset({"de", "lb"})


@dataclass(frozen=True, slots=True)
class SpanWords:
    """A span with what is known of it. overlap and certainty: 0 to 1, as in `anchors.rank_spans`."""

    text: str
    words: Sequence[Word]
    overlap: float
    certainty: float
    phrase: Phrase | None


def phrases_by_span(mentions: Sequence[Mention]) -> dict[tuple[int, int], Phrase]:
    """The known phrase of each (first, last) span of a sentence."""
    return {(mention.first, mention.last): mention.phrase for mention in mentions}


def is_vetoed(span: SpanWords, source: int, target: int, language: str) -> bool:
    """Whether the words may not stand for this target at all."""
    return (
        _is_scrap(span)
        or _is_date(span, language)
        or _is_foreign_country(span, language)
        or _is_foreign_name(span, language)
        or _is_anothers_name(span, source, target)
    )


def _is_scrap(span: SpanWords) -> bool:
    """A letter or two that are no abbreviation ("ok", "x"), or a possessive left without what is possessed."""
    is_short = len(span.text) < _SHORTEST and span.text.islower()
    return is_short or fold(span.words[-1].text).endswith("'s")


def _is_date(span: SpanWords, language: str) -> bool:
    months, bare_months = calendar_words(language), bare_calendar_words(language)
    return fold(span.text) in months or all(
        word.is_stop
        or fold(word.text).rstrip(".") in months
        or not any(map(str.isalpha, word.text))
        or bare_forms([word.text], language) in bare_months
        for word in span.words
    )


def _is_foreign_country(span: SpanWords, language: str) -> bool:
    is_own = span.overlap >= _IS_NAME or span.certainty >= _RIVAL_SHARE
    if is_own or span.text.islower():  # a turkey is a bird, china is ware
        return False
    bare = bare_forms([word.text for word in span.words], language)
    return fold(span.text) in country_names(language) or bare in bare_country_names(language)


def _is_foreign_name(span: SpanWords, language: str) -> bool:
    """One word with a capital within a sentence that shares nothing with the target: somebody's name.

    Longer names and "AllowOverride" are left: editors link organizations, works and identifiers.
    """
    if span.overlap > 0 or span.certainty > 0 or language in CAPITAL_NOUNS:
        return False
    telling = [word for word in span.words if not word.is_stop]
    name = telling[0].text
    return len(telling) == 1 and telling[0].start > 0 and name[0].isupper() and name[1:].islower()


def _is_anothers_name(span: SpanWords, source: int, target: int) -> bool:
    """The phrase names another page, or the site's links with it lead elsewhere."""
    phrase = span.phrase
    if phrase is None or target in phrase.titles:
        return False
    if phrase.titles and span.certainty < _RIVAL_SHARE / 2:
        return True
    shares = {page: share for page, share, _ in phrase.anchor_shares(source)}
    return bool(shares) and max(shares.values()) >= _RIVAL_SHARE > 2 * shares.get(target, 0.0)
