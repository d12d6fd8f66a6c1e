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
