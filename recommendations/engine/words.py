"""Text into words with their offsets, and words into the terms that are compared (folded, stemmed).

Word bounds come from Unicode classes; scripts written without spaces are cut by `unspaced_words`.
A Korean eojeol stays whole, particle and all, and so does an Arabic or Hebrew word with its clitics: cutting them takes
a dictionary, and a guess would end an anchor inside a word. They are compared without (see `word_forms`).
Leaves the choice of spans to `anchors` and weights of terms to `term_weights`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import regex

from recommendations.engine.stop_words import GENERIC_ANCHORS, stop_words_of
from recommendations.engine.unspaced_words import cut_unspaced, has_unspaced_script
from recommendations.engine.word_forms import fold, terms_of_word

__all__ = ["Word", "content_terms_of", "fold", "is_generic_anchor", "split_words", "terms_of"]

# Abbreviations keep their full stops ("U.S.", "e.g.", "z. B."); inner apostrophes, hyphens and dots do not end a word,
# nor do the Hebrew marks for abbreviations, typed as quotes. "Wort-" before a gap is half of a compound and keeps its
# hyphen.
_WORD = regex.compile(
    r"\p{L}\.(?:[ \u00a0\u202f]?\p{L}\.)+"
    r"|\p{N}+(?:[.,:/-]\p{N}+)+(?![\p{L}\p{M}_])"
    r"|[\p{L}\p{N}_][\p{L}\p{N}\p{M}_\u200c\u200d\u00ad]*"
    r"(?:(?:['’\u02bc·.\-‑/+&@#\u05be\u05f3\u05f4]|(?<=[\u05d0-\u05ea])\"(?=[\u05d0-\u05ea]))"
    r"[\p{L}\p{N}_][\p{L}\p{N}\p{M}_\u200c\u200d\u00ad]*)*"
    r"(?:\+\+|#|(?<=\p{L}\p{L})[-‑](?=[\s,;)]))?"
)
#: "l’entreprise", "d’un", "dell’arte": the elided word is a stop word of its own in these languages.
_ELISION = regex.compile(
    r"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|un|all|dell|nell|sull|dall|quest|quell|bell|sant)['’]",
    regex.IGNORECASE,
)
_ELIDING = frozenset({"fr", "it", "ca", "oc"})
#: "isn't", "they're": words of grammar, whatever verb is in them.
_CONTRACTION = regex.compile(r"\p{L}+(?:n't|'(?:re|ve|ll|d|m))")


@dataclass(frozen=True, slots=True)
class Word:
    """`text == source[start:end]`; `terms` are its folded, stemmed parts ("open-source" has two)."""

    start: int
    end: int
    text: str
    terms: tuple[str, ...]
    is_stop: bool


def _bounds_of(pieces: Iterable[str], start: int) -> Iterable[tuple[int, int]]:
    for piece in pieces:
        yield start, start + len(piece)
        start += len(piece)


def split_words(text: str, language: str) -> list[Word]:
    """The words of a text in order, with offsets into it."""
    stops = stop_words_of(language)
    words = []
    is_english = language == "en"
    for match in _WORD.finditer(text):
        bounds: Iterable[tuple[int, int]] = ((match.start(), match.end()),)
        if has_unspaced_script(match[0]):
            bounds = _bounds_of(cut_unspaced(match[0], language), match.start())
        elif language in _ELIDING and (elided := _ELISION.match(match[0])) and elided.end() < len(match[0]):
            cut = match.start() + elided.end()
            bounds = ((match.start(), cut), (cut, match.end()))
        for start, end in bounds:
            piece = text[start:end]
            terms = terms_of_word(piece, language)
            if terms:
                folded = fold(piece)
                is_stop = (
                    folded.replace(" ", "") in stops or folded[-1] in "'-" or (is_english and _is_contraction(folded))
                )
                words.append(Word(start, end, piece, terms, is_stop))
    return words


def _is_contraction(folded: str) -> bool:
    return "'" in folded and _CONTRACTION.fullmatch(folded) is not None


def terms_of(text: str, language: str) -> list[str]:
    """The terms of a text in order, stop words included."""
    return [term for word in split_words(text, language) for term in word.terms]


def content_terms_of(text: str, language: str) -> list[str]:
    """The terms of a text without stop words; of a text that is nothing but stop words, all of them."""
    words = split_words(text, language)
    kept = [term for word in words if not word.is_stop for term in word.terms]
    return kept or [term for word in words for term in word.terms]


def is_generic_anchor(text: str, words: Sequence[Word]) -> bool:
    """Whether a phrase says nothing about its target: "here", "read more", or stop words alone."""
    return fold(text).strip(" .,;:!?»›→>\"'()[]") in GENERIC_ANCHORS or all(word.is_stop for word in words)
