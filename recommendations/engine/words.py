"""Text into words with their offsets, and words into the terms that are compared (folded, stemmed).

Word bounds come from Unicode classes; scripts written without spaces are cut by budoux (Japanese, Chinese, Thai).
Leaves the choice of spans to `anchors` and weights of terms to `term_weights`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import regex
import Stemmer

from recommendations.anchor_words import fold_anchor
from recommendations.engine.stop_words import GENERIC_ANCHORS, stop_words_of

# Abbreviations keep their full stops ("U.S.", "e.g."); inner apostrophes, hyphens and dots do not end a word.
_WORD = regex.compile(
    r"(?:\p{L}\.){2,}"
    r"|\p{N}+(?:[.,:/-]\p{N}+)+(?![\p{L}\p{M}_])"
    r"|[\p{L}\p{N}_][\p{L}\p{N}\p{M}_\u200c\u200d\u00ad]*"
    r"(?:['’\u02bc·.\-‑/+&@#][\p{L}\p{N}_][\p{L}\p{N}\p{M}_\u00ad]*)*(?:\+\+|#)?"
)
_PART = regex.compile(r"[\p{L}\p{N}\p{M}_]+")
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
_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali",
    "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


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


@cache
def _stemmer(language: str) -> Callable[[str], str] | None:
    name = _STEMMERS.get(language)
    return Stemmer.Stemmer(name, 0).stemWord if name else None


@lru_cache(maxsize=200_000)
def fold(text: str) -> str:
    """`fold_anchor`, remembered: the engine folds the same words again and again."""
    return fold_anchor(text)


@lru_cache(maxsize=400_000)
def _terms_of_word(text: str, language: str) -> tuple[str, ...]:
    folded = fold(text)
    if folded.endswith("'s"):
        folded = folded[:-2]
    if len(folded) > 2 and folded.count(".") and regex.fullmatch(r"(?:\p{L}\.)+\p{L}?", folded):
        return (folded.replace(".", ""),)
    stem = _stemmer(language)
    parts = _PART.findall(folded)
    return tuple(stem(part) if stem and not any(c.isdigit() for c in part) else part for part in parts)


def _cut(text: str, start: int, language: str) -> Iterable[tuple[int, int]]:
    """Bounds of the words inside a run of letters that is written without spaces."""
    kind = language if language in ("ja", "zh", "th") else ("th" if regex.search(r"\p{Thai}", text) else "ja")
    if regex.search(r"[\p{Hiragana}\p{Katakana}]", text):
        kind = "ja"
    position = start
    for piece in _segmenter(kind)(text):
        # budoux keeps a Japanese particle with its noun: an anchor text ends before the particle.
        tail = _KANA_TAIL.search(piece) if kind == "ja" else None
        if tail and tail.start() and tail[0] in stop_words_of("ja"):
            yield position, position + tail.start()
            yield position + tail.start(), position + len(piece)
        else:
            yield position, position + len(piece)
        position += len(piece)


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
            terms = _terms_of_word(piece, language)
            if terms:
                folded = fold(piece)
                is_stop = folded in stops or folded.endswith("'") or (is_english and _is_contraction(folded))
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
