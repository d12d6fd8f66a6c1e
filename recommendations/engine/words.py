"""Text into words with their offsets, and words into the terms that are compared (folded, stemmed).

Word bounds come from Unicode classes; scripts written without spaces are cut by budoux (Japanese, Chinese, Thai).
A Korean eojeol stays whole, particle and all, and so does an Arabic or Hebrew word with its clitics: cutting them takes
a dictionary, and a guess would end an anchor inside a word. They are compared without (see `word_forms`).
Leaves the choice of spans to `anchors` and weights of terms to `term_weights`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from recommendations.engine.stop_words import GENERIC_ANCHORS, stop_words_of
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
_LATIN = regex.compile(r"[\p{Latin}\p{N}]")
_ONE_THAI_LETTER = regex.compile(r"[\u0e01-\u0e2e]")
_NO_SPACES = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
#: "l’entreprise", "d’un", "dell’arte": the elided word is a stop word of its own in these languages.
_ELISION = regex.compile(
    r"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|un|all|dell|nell|sull|dall|quest|quell|bell|sant)['’]",
    regex.IGNORECASE,
)
_ELIDING = frozenset({"fr", "it", "ca", "oc"})
#: "isn't", "they're": words of grammar, whatever verb is in them.
_CONTRACTION = regex.compile(r"\p{L}+(?:n't|'(?:re|ve|ll|d|m))")
_KANA_TAIL = regex.compile(r"\p{Hiragana}+$")
#: It is nothing else, so it may be cut from a word in kana too.
_OBJECT_PARTICLE = regex.compile("を$")


@dataclass(frozen=True, slots=True)
class Word:
    """`text == source[start:end]`; `terms` are its folded, stemmed parts ("open-source" has two)."""

    start: int
    end: int
    text: str
    terms: tuple[str, ...]
    is_stop: bool


@cache
def _segmenter(kind: str) -> Callable[[str], list[str]]:
    import budoux

    load = {
        "ja": budoux.load_default_japanese_parser,
        "zh": budoux.load_default_simplified_chinese_parser,
        "th": budoux.load_default_thai_parser,
    }[kind]
    parse: Callable[[str], list[str]] = load().parse
    return parse


def _cut(text: str, start: int, language: str) -> Iterable[tuple[int, int]]:
    """Bounds of the words inside a run of letters that is written without spaces."""
    kind = language if language in ("ja", "zh", "th") else ("th" if regex.search(r"\p{Thai}", text) else "ja")
    if regex.search(r"[\p{Hiragana}\p{Katakana}]", text):
        kind = "ja"
    position = start
    for piece in _mended(_segmenter(kind)(text)):
        # budoux keeps a Japanese particle with its noun: an anchor text ends before the particle.
        tail = _KANA_TAIL.search(piece) if kind == "ja" else None
        if tail and not tail.start() and len(piece) > 2 and piece.endswith("を"):
            tail = _OBJECT_PARTICLE.search(piece)
        if tail and tail.start() and tail[0] in stop_words_of("ja"):
            yield position, position + tail.start()
            yield position + tail.start(), position + len(piece)
        else:
            yield position, position + len(piece)
        position += len(piece)


def _mended(pieces: Iterable[str]) -> list[str]:
    """The segmenter's pieces, put together where it cut a Latin word or left a Thai letter without a vowel."""
    mended: list[str] = []
    for piece in pieces:
        is_rest = mended and (
            (_LATIN.match(mended[-1][-1]) and _LATIN.match(piece[0])) or _ONE_THAI_LETTER.fullmatch(piece)
        )
        if is_rest:
            mended[-1] += piece
        else:
            mended.append(piece)
    return mended


def split_words(text: str, language: str) -> list[Word]:
    """The words of a text in order, with offsets into it."""
    stops = stop_words_of(language)
    words = []
    is_english = language == "en"
    for match in _WORD.finditer(text):
        bounds: Iterable[tuple[int, int]] = ((match.start(), match.end()),)
        if _NO_SPACES.search(match[0]):
            bounds = _cut(match[0], match.start(), language)
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
