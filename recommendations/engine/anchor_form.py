"""What a run of words is worth as a link by its form, whatever it means: short, rare, a phrase, a whole name.

Leaves which runs are allowed to `anchor_spans`, and their fit with a target to `anchors`.
"""

from collections.abc import Sequence

import regex

from recommendations.engine.anchor_vetoes import CAPITAL_NOUNS, SpanWords
from recommendations.engine.name_spans import TELLING
from recommendations.engine.term_weights import TermWeights
from recommendations.engine.words import Word

#: Measured on real English links: both lift F1 (.52 to .58 together) on every site tried but one.
_RARITY_WEIGHT, _CAPITALS_WEIGHT = 0.4, 0.12
#: Editors prefer short anchors: what a span of 1, 2, ... words has to make good.
_LENGTH_COSTS = (0.0, 0.0, 0.0, 0.02, 0.05, 0.08, 0.11, 0.14)
#: Each stop word inside a span: "hub bearings and the bottom" is no phrase.
_STOP_WORD_COST = 0.01
#: What a run must make good that cuts a longer name, or holds stop words, and is neither name nor known anchor.
_CUT_COST, _FRAGMENT_COST = 0.1, 0.1
#: What is left of the fitness of a run that cuts a name.
_CUT_WORTH = 0.5
#: What is left of the fitness of a run with stop words inside, and of one word, that are neither name nor known anchor.
_FRAGMENT_WORTH, _LONE_WORTH = 0.4, 0.3
#: What is left of one lower-case word that no editor linked much, whatever its rarity; in languages that write every
#: noun with a capital, of any one word.
_EVERYDAY_WORTH, _NOUN_WORTH, _LINKED = 0.7, 0.85, 0.4
#: What words are worth that a capital within the sentence makes a name, however common on the site.
_NAME_WORTH = 0.8
#: What is left of a short phrase that stands on many pages of which few link it, and of one on most pages of a site.
_PASSED_OVER_WORTH, _MANY, _RARELY = 0.7, 8, 0.12
_EVERYWHERE_WORTH, _MOST = 0.6, 0.5
#: Certainty and overlap from which on words are a known anchor, or the target's name.
CERTAIN, SPELLED = 0.4, 0.9
_SPACE = regex.compile(r"\s*")


def rarity_sum_of(words: Sequence[Word], weights: TermWeights, language: str) -> float:
    """How rare the span's telling terms are on the site, summed."""
    return sum(weights.rarity(language, term) for word in words if not word.is_stop for term in word.terms)


def style_of(words: Sequence[Word], rarity_sum: float) -> float:
    """What words are worth as a link whatever the target: short, rare, one phrase, a name (capitals within)."""
    n_terms = sum(len(word.terms) for word in words if not word.is_stop)
    capitals = sum(word.start > 0 and word.text[0].isupper() for word in words) / len(words)
    stops = sum(word.is_stop for word in words)
    value = _RARITY_WEIGHT * rarity_sum / max(1, n_terms) + _CAPITALS_WEIGHT * capitals
    return value - _LENGTH_COSTS[len(words) - 1] - _STOP_WORD_COST * stops


def cuts_name(words: Sequence[Word], first: int, last: int, text: str, language: str) -> bool:
    """Whether the span takes a part of a longer capitalized name: "Award BPA" of "Multiple Award BPA"."""
    if language in CAPITAL_NOUNS:
        return False

    def is_joined(left: int, right: int) -> bool:
        """Both words capitalized, the left one not merely because it starts a sentence, with only space between."""
        if left < 0 or right >= len(words) or words[left].is_stop or words[right].is_stop:
            return False
        begins = words[left].start == 0
        are_names = words[left].text[0].isupper() and words[right].text[0].isupper() and not begins
        return are_names and _SPACE.fullmatch(text, words[left].end, words[right].start) is not None

    return is_joined(first - 1, first) or is_joined(last, last + 1)


def looseness(words: Sequence[Word], is_cut: bool) -> float:
    """What a span that is no name must make good: it cuts a longer name, or joins words by stop words."""
    return is_cut * _CUT_COST + any(word.is_stop for word in words) * _FRAGMENT_COST


def phrase_worth(span: SpanWords, rarity_sum: float, is_cut: bool) -> float:
    """0 to 1: less for words that are no name and no phrase: "domain to see", or one everyday word alone."""
    if span.certainty >= CERTAIN or span.overlap > SPELLED:
        return 1.0
    if is_cut:
        return _CUT_WORTH
    if any(word.is_stop for word in span.words):
        return _FRAGMENT_WORTH
    is_alone = sum(not word.is_stop for word in span.words) == 1
    return min(1.0, _LONE_WORTH + rarity_sum / TELLING) if is_alone else 1.0


def telling_worth(words: Sequence[Word], rarity_sum: float, language: str) -> float:
    """0 to 1: how far words are rare enough to name one page, or written as a name within the sentence."""
    worth = min(1.0, rarity_sum / TELLING)
    is_name = language not in CAPITAL_NOUNS and words[0].start > 0 and words[0].text[0].isupper()
    return max(worth, _NAME_WORTH) if is_name else worth


def everyday_worth(span: SpanWords, weights: TermWeights, language: str) -> float:
    """0 to 1: less for words that belong to everyday language of the site rather than to one page."""
    telling = [word for word in span.words if not word.is_stop]
    terms = {term for word in telling for term in word.terms}
    n_pages = min((weights.pages_with(language, term) for term in terms), default=0)
    worth = 1.0
    if len(telling) == 1 and span.certainty < _LINKED:
        if language in CAPITAL_NOUNS:
            worth = _NOUN_WORTH
        elif telling[0].text.islower() or (telling[0].start == 0 and telling[0].text.istitle()):
            worth = _EVERYDAY_WORTH
    n_linking = len(span.phrase.by_source) if span.phrase else 0
    if len(telling) <= 2 and n_pages >= _MANY and 0 < n_linking < _RARELY * n_pages:
        worth *= _PASSED_OVER_WORTH
    if n_pages > _MOST * weights.pages_of(language):
        worth *= _EVERYWHERE_WORTH
    return worth
