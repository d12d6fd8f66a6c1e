"""Names of pages found in running text: titles, headings, slugs, and the anchor texts that the site already uses.

One Aho-Corasick pass over the terms of a sentence finds every phrase at word bounds. Leaves weighing to `features`.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import ahocorasick

from recommendations.engine.term_weights import TermWeights
from recommendations.engine.types import SiteLinks, SitePages
from recommendations.engine.words import Word, is_generic_anchor, split_words

_LONGEST = 12  # terms of a phrase
#: Where this share of a word's links stand in inline code, the word is a name in code alone.
_CODE_SHARE = 0.8
#: What a known anchor is worth where the word is written otherwise.
_OTHER_FORM_WORTH = 0.25
#: Where this share of the pages that hold a phrase link it, it is a name; less is worth less.
_NAME_RATE = 0.2


@dataclass(slots=True)
class Phrase:
    """A name and the pages it may mean. `anchors` counts links, per target and per (source, target).

    n_pages: pages that hold the phrase, or at most so many; 0 where unknown. forms: how its links are written; in_code:
    those of them that stand in inline code.
    """

    n_terms: int
    is_stop_only: bool = False
    titles: set[int] = field(default_factory=set)
    anchors: Counter[int] = field(default_factory=Counter)
    by_source: dict[int, Counter[int]] = field(default_factory=dict)
    n_pages: int = 0
    forms: Counter[str] = field(default_factory=Counter)
    in_code: int = 0

    def form_worth(self, text: str, is_in_code: bool) -> float:
        """0 to 1: less for a plain word written as no link of it is: "deny" is a verb where links say "Deny"."""
        if self.n_terms > 1 or not self.forms or not (text.islower() and text.isalpha()):
            return 1.0
        is_code_alone = self.in_code >= _CODE_SHARE * self.forms.total() and not is_in_code
        return _OTHER_FORM_WORTH if is_code_alone or not any(form.islower() for form in self.forms) else 1.0

    def certainties(self, source: int) -> Iterable[tuple[int, float]]:
        """(target, 0 to 1 how surely the phrase means a link to it), the source's own links left out.

        Few links say little, and so do many where the phrase mostly stands unlinked: "change" in one link and on a
        hundred pages is a word, no name.
        """
        linking = len(self.by_source) - (source in self.by_source)
        rate = linking / max(self.n_pages - 1, linking, 1)
        often = min(1.0, rate / _NAME_RATE)
        for target, share, count in self.anchor_shares(source):
            yield target, share * count / (count + 1.0) * often

    def anchor_shares(self, source: int) -> Iterable[tuple[int, float, int]]:
        """(target, share of this phrase's links that lead to it, links), the source's own links left out."""
        own = self.by_source.get(source)
        total = self.anchors.total() - (own.total() if own else 0)
        if total <= 0:
            return
        for target, count in self.anchors.items():
            rest = count - (own[target] if own else 0)
            if rest > 0:
                yield target, rest / total, rest


@dataclass(frozen=True, slots=True)
class Mention:
    """Words first..last (inclusive) of a sentence are this phrase."""

    phrase: Phrase
    first: int
    last: int


class MentionIndex:
    """Every phrase of a site, found in one pass over a sentence."""

    def __init__(self) -> None:
        self._phrases: dict[str, Phrase] = {}
        self._automaton = ahocorasick.Automaton()

    def _phrase(self, words: Sequence[Word]) -> Phrase | None:
        terms = [term for word in words for term in word.terms]
        if not terms or len(terms) > _LONGEST:
            return None
        key = " " + " ".join(terms) + " "
        phrase = self._phrases.get(key)
        if phrase is None:
            phrase = self._phrases[key] = Phrase(len(terms), all(word.is_stop for word in words))
        return phrase

    def add_name(self, page: int, name: str, language: str) -> None:
        """A title, heading or slug of the page."""
        words = split_words(name, language)
        if words and not is_generic_anchor(name, words) and (phrase := self._phrase(words)):
            phrase.titles.add(page)

    def add_anchor(self, source: int, target: int, anchor_text: str, language: str, is_in_code: bool = False) -> None:
        """A link that the site already has."""
        words = split_words(anchor_text, language)
        if not words or is_generic_anchor(anchor_text, words) or not (phrase := self._phrase(words)):
            return
        phrase.anchors[target] += 1
        phrase.forms[anchor_text.strip()] += 1
        phrase.in_code += is_in_code
        phrase.by_source.setdefault(source, Counter())[target] += 1

    def count_pages(self, weights: TermWeights, languages: Collection[str]) -> None:
        """Tell each linked phrase on how many pages it can stand at most: those with its rarest term."""
        for key, phrase in self._phrases.items():
            if phrase.anchors:
                terms = key.split()
                phrase.n_pages = sum(
                    min(weights.pages_with(language, term) for term in terms) for language in languages
                )

    @property
    def phrases(self) -> Mapping[str, Phrase]:
        """Every phrase by its terms, with a space before, between and after them."""
        return self._phrases

    def build(self) -> None:
        """Close the index; names added later are not found."""
        for key, phrase in self._phrases.items():
            self._automaton.add_word(key, phrase)
        if self._phrases:
            self._automaton.make_automaton()

    def find(self, words: Sequence[Word]) -> list[Mention]:
        """Every phrase that stands in the words, overlapping ones included."""
        if not self._phrases or not words:
            return []
        starts, ends, text, position = {}, {}, [" "], 1
        for index, word in enumerate(words):
            starts[position] = index
            for term in word.terms:
                text.append(term + " ")
                position += len(term) + 1
            ends[position - 1] = index
        found = []
        for end, phrase in self._automaton.iter("".join(text)):
            last = ends.get(end)
            if last is None:
                continue
            first = last
            n_terms = len(words[last].terms)
            while n_terms < phrase.n_terms and first > 0:
                first -= 1
                n_terms += len(words[first].terms)
            if n_terms == phrase.n_terms:
                found.append(Mention(phrase, first, last))
        return found


def build_mention_index(
    pages: SitePages, names: Sequence[str], short_names: Sequence[str], links: SiteLinks, weights: TermWeights
) -> MentionIndex:
    """Index the site's page names and its editorial anchor texts."""
    index = MentionIndex()
    for page, name in enumerate(names):
        if pages.is_target[page]:
            for variant in {name, short_names[page], pages.h1s[page]} - {""}:
                index.add_name(page, variant, pages.languages[page])
    per_pair: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
    for position in range(len(links.sources)):
        if not links.is_editorial[position]:
            continue
        source, target = int(links.sources[position]), int(links.targets[position])
        text = links.anchor_texts[position]
        if source != target and text not in per_pair[source, target]:
            per_pair[source, target].add(text)
            index.add_anchor(source, target, text, pages.languages[source], bool(links.is_in_code[position]))
    index.count_pages(weights, set(pages.languages))
    index.build()
    return index
