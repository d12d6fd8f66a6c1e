"""How surely a run of words names a page: most of one of its names, nothing else, whole, and no other page's better.

Two words shared with a long title name nothing: what counts is the share of the name that the words carry. Leaves what
editors linked with the words to `mentions`, and what the words mean in their place to `rivals`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from recommendations.engine.name_spans import name_shares
from recommendations.engine.term_weights import TermWeights
from recommendations.engine.word_forms import CLITIC_LANGUAGES
from recommendations.engine.words import Word, fold, split_words

#: What is left where a run's edge is no word of the name, where a word within it is none, and where the sentence goes
#: on with more of the name.
_EDGE_WORTH, _WITHIN_WORTH, _FRAGMENT_WORTH = 0.4, 0.5, 0.6
#: What is left where one word alone ("attached" for "Attachments"), or one of several, has no more than the stem of the
#: name's: another word, mostly.
_LONE_FORM_WORTH, _FORM_WORTH = 0.6, 0.75
#: What is left where the sentence spells more of the name right beside the run, though by a word of grammar.
_LEFT_EDGE_WORTH = 0.3
_ARTICLE = 3  # characters
#: A part of a name names the page the less, the more is missing: the power of its share.
_PART_POWER = 1.5
#: What is left of a part of a name that leaves out words between its own, and of a name without its subtitle.
_GAP_WORTH, SHORT_WORTH = 0.75, 0.6
#: Characters by which forms of one word differ.
_ENDING = 2
#: From this share on words are the whole name: names that hold them with more are no rivals.
_WHOLE = 0.95
#: What is left where another page's name has a clearly larger share in the words, and where it has about the same one.
_WORSE_WORTH, _EQUAL_WORTH, _MARGIN = 0.4, 0.7, 0.07
#: Each further name that holds the words makes a part of a name so much less telling.
_SHARED_COST = 0.5


@dataclass(frozen=True, slots=True)
class Name:
    """A page's name: its telling terms with their shares of its idf, and its words.

    forms: its words as written, folded, by their terms. worth: of the whole name.
    """

    words: Sequence[Word]
    shares: Mapping[str, float]
    forms: Mapping[tuple[str, ...], str]
    worth: float

    def holds(self, word: Word) -> bool:
        """Whether the word is one of the name's, stop words included."""
        if word.is_stop:
            return word.terms in self.forms
        return all(term in self.shares for term in word.terms)


def names_of(names: Sequence[str], language: str, weights: TermWeights) -> tuple[Name, ...]:
    """Weigh the terms of a page's names, the whole one first."""
    found = []
    for name in names:
        words = split_words(name, language)
        forms = {word.terms: fold(word.text) for word in words}
        worth = 1.0 if name == names[0] else SHORT_WORTH
        found.append(Name(words, name_shares((name,), language, weights)[0], forms, worth))
    return tuple(found)


class NameIndex:
    """The names of all pages by their terms: how well words name any page but the one they are meant for."""

    def __init__(
        self, names: Sequence[str], short_names: Sequence[str], languages: Sequence[str], weights: TermWeights
    ) -> None:
        self._names = [fold(name) for name in names]
        self._languages = languages
        self._pages: defaultdict[str, list[tuple[int, int, float]]] = defaultdict(list)
        number = 0
        for page, variants in enumerate(zip(names, short_names, strict=True)):
            for shares in name_shares(sorted({name for name in variants if name}), languages[page], weights):
                for term, share in shares.items():
                    self._pages[term].append((page, number, share))
                number += 1

    def others(self, terms: Collection[str], target: int, language: str) -> Iterator[float]:
        """For each other page of the language whose name holds all these terms, their share of that name."""
        found: defaultdict[int, float] = defaultdict(float)
        hits: defaultdict[int, int] = defaultdict(int)
        page_of: dict[int, int] = {}
        for term in terms:
            for page, number, share in self._pages.get(term, ()):
                if self._languages[page] == language and self._names[page] != self._names[target]:
                    found[number] += share
                    hits[number] += 1
                    page_of[number] = page
        best: dict[int, float] = {}
        for number, count in hits.items():
            if count == len(terms):
                best[page_of[number]] = max(best.get(page_of[number], 0.0), found[number])
        yield from best.values()


def share_of(terms: Collection[str], names: Sequence[Name]) -> float:
    """The largest share of one of the names that these terms carry."""
    return max((sum(name.shares.get(term, 0.0) for term in terms) for name in names), default=0.0)


def naming(words: Sequence[Word], first: int, last: int, names: Sequence[Name], language: str) -> float:
    """0 to 1: how much of the nearest of the names the words first..last of a sentence say, and nothing else."""
    value = max((_naming(words, first, last, name, language) for name in names), default=0.0)
    if not value:
        return 0.0
    terms = {term for word in words[first : last + 1] if not word.is_stop for term in word.terms}
    before, after = range(first - 1, -1, -1), range(last + 1, len(words))
    if _leaves_edge(words, first, last, names):
        return value * _LEFT_EDGE_WORTH
    is_cut = any(_goes_on(words, places, terms, name) for name in names for places in (before, after))
    return value * _FRAGMENT_WORTH if is_cut else value


def _naming(words: Sequence[Word], first: int, last: int, name: Name, language: str) -> float:
    run = words[first : last + 1]
    terms = {term for word in run if not word.is_stop for term in word.terms}
    value = sum(name.shares.get(term, 0.0) for term in terms)
    if not value:
        return 0.0
    if value < _WHOLE:
        value = value**_PART_POWER * (_GAP_WORTH if _has_gap(name, terms) else 1.0)
    if not (name.holds(run[0]) and name.holds(run[-1])):
        value *= _EDGE_WORTH
    if not all(name.holds(word) for word in run[1:-1]):
        value *= _WITHIN_WORTH
    telling = [word for word in run if not word.is_stop]
    if not all(_is_form_of(word, name, language) for word in telling):
        value *= _LONE_FORM_WORTH if len(telling) == 1 else _FORM_WORTH
    elif _is_turned(telling, name):
        value *= _FORM_WORTH
    return min(1.0, value) * name.worth


def _leaves_edge(words: Sequence[Word], first: int, last: int, names: Sequence[Name]) -> bool:
    """Whether the sentence has the name's own next word right beside the run: "Every" of "Every Kid in a Park".

    An article says nothing of the name, with or without it.
    """
    run = [fold(word.text) for word in words[first : last + 1]]
    before = fold(words[first - 1].text) if first else ""
    after = fold(words[last + 1].text) if last + 1 < len(words) else ""
    for name in names:
        own = [fold(word.text) for word in name.words]
        for start in range(len(own) - len(run) + 1):
            if own[start : start + len(run)] != run:
                continue
            if start and before == own[start - 1] and len(before) > _ARTICLE:
                return True
            end = start + len(run)
            if end < len(own) and after == own[end] and len(after) > _ARTICLE:
                return True
    return False


def _goes_on(words: Sequence[Word], outside: Sequence[int], terms: Collection[str], name: Name) -> bool:
    """Whether the words outside of a run, from its edge on, lead through the name's words to one that it lacks."""
    for index in outside:
        word = words[index]
        if not name.holds(word):
            return False
        if not word.is_stop:
            return any(term not in terms for term in word.terms)
        if _is_title_word(words, index):
            return True
    return False


def _is_title_word(words: Sequence[Word], index: int) -> bool:
    """Whether a stop word is written as one of a name: "Every" of "Every Kid in a Park"."""
    word = words[index]
    if len(word.text) < 2 or not word.text[0].isupper():
        return False
    return word.start > 0 or (index + 1 < len(words) and words[index + 1].text[0].isupper())


def _is_turned(telling: Sequence[Word], name: Name) -> bool:
    """Whether the words stand in another order than in the name and in other forms: "Bluetooth turned"."""
    places = [place for word in telling for place, own in enumerate(name.words) if own.terms == word.terms]
    return places != sorted(places) and any(name.forms.get(word.terms) != fold(word.text) for word in telling)


def _has_gap(name: Name, terms: Collection[str]) -> bool:
    """Whether the name has other words between those that these terms are of."""
    places = [place for place, word in enumerate(name.words) if all(term in terms for term in word.terms)]
    return bool(places) and places[-1] - places[0] >= len(places)


def form_worth(words: Sequence[Word], names: Sequence[Name], language: str) -> float:
    """0 to 1: less for one word that has a name's stem only, even where editors linked another form of it."""
    telling = [word for word in words if not word.is_stop]
    if len(telling) != 1 or all(_is_form_of(telling[0], name, language) for name in names):
        return 1.0
    return _FORM_WORTH


def _is_form_of(word: Word, name: Name, language: str) -> bool:
    if language in CLITIC_LANGUAGES:
        return True
    form, other = fold(word.text), name.forms.get(word.terms)
    if other is None:
        return True
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(form, other, strict=False)))
    return max(len(form), len(other)) - shared <= _ENDING


def uniqueness(share: float, others: Sequence[float]) -> float:
    """0 to 1: less where other pages' names say the same words. others: the words' share of each such name."""
    if not others:
        return 1.0
    worth = 1.0
    if max(others) > share + _MARGIN:
        worth = _WORSE_WORTH
    elif max(others) > share - _MARGIN:
        worth = _EQUAL_WORTH
    return worth if share >= _WHOLE else worth / (1 + _SHARED_COST * (len(others) - 1))
