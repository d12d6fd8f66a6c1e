"""Where sentences end in a text: sentencex, with its known slips repaired. Leaves blocks to sentences.py.

The slips: it splits inside names ("request.GET"), keeps a whole quotation or parenthesis of many sentences in one
piece, takes "APR." for a month wherever it ends a sentence, misses an end before Latin letters in Japanese and
Chinese, and has no rules for Thai and its neighbours.
"""

import re
from collections.abc import Iterable
from itertools import islice

from sentencex import segment

#: Languages that part sentences by a space and write none between words.
_SPACE_PARTED = frozenset({"th", "lo", "km", "my"})
_SPACE_AFTER_CLAUSE = re.compile(r"(?<=\S{20}) +")
#: sentencex takes a thousand times as long for these; a neighbour's rules serve, with no sentence starting small.
_SUBSTITUTES = {"da": "no", "ca": "es", "oc": "es"}
#: After these a sentence ends only where white space follows; after 。 and the like it needs none.
_WESTERN_END = re.compile(r"[.!?…][\"”’»)\]']*\Z")
_EAST_ASIAN_END = re.compile(r"(?<![。！？｡])[。！？｡]++(?=[^\s」』）)”\"])")
_INNER_END = re.compile(r"(?<![.!?…])[.!?…]++[\"”’»)\]']*+\s++(?=[\"“‘«(\[¿¡]?(\w{1,30}))")
_HAS_INNER_END = re.compile(r"[.!?…][\"”’»)\]']*+\s|[。！？｡]")
_ACRONYM_END = re.compile(r"(?<![A-Za-z.])[A-Z]{3,}\.\s+\Z")
_BRACKETS = str.maketrans("", "", '"“”„‘«»()[]<>{}')
_HAS_BRACKET = re.compile(r"[\"“”„‘«»()\[\]<>{}]")
#: Without one of these before its end a text is one sentence.
_INNER_MARK = re.compile(r"[.!?…。！？｡।॥؟۔։።]")
#: What the splitter stumbles over.
_WORTH_A_LOOK = re.compile(r"[\"“”„‘«»()\[\]<>{}。！？｡]|[A-Z]{3}\.\s")
_WINDOW = 80
#: A piece shorter than this stays with its neighbour: "Go! Run!" is one shout.
_SHORTEST_PIECE = 20
_SHORTEST_EAST_ASIAN_PIECE = 4
#: Looked at in one sentence; bounds the work on a hostile one.
_MOST_INNER_ENDS = 200


def sentence_starts(text: str, language: str) -> list[int]:
    """Offsets where sentences start, the first being 0; white space belongs to the sentence before it."""
    if language in _SPACE_PARTED:
        return [0, *(match.end() for match in _SPACE_AFTER_CLAUSE.finditer(text))] if len(text) > 40 else [0]
    if _INNER_MARK.search(text, 0, len(text.rstrip()) - 1) is None:
        return [0]
    starts = _without_false_splits(text, _locate(text, segment(_SUBSTITUTES.get(language, language) or "en", text)))
    if language in _SUBSTITUTES:
        starts = [at for at in starts if at == 0 or text[at].isupper() or not text[at].isalnum()]
    if _WORTH_A_LOOK.search(text) is None:
        return starts
    ends = [*starts[1:], len(text)]
    if not _HAS_INNER_END.search(text):
        return starts
    return [at for start, end in zip(starts, ends, strict=True) for at in _inner_starts(text, start, end, language)]


def _locate(text: str, pieces: Iterable[str]) -> list[int]:
    starts: list[int] = []
    at = 0
    for piece in pieces:
        if not (bare := piece.strip()):
            continue
        found = text.find(bare, at)
        if found < 0:  # the splitter changed the text: leave the rest in one piece
            break
        starts.append(found)
        at = found + len(bare)
    return [0, *starts[1:]]


def _without_false_splits(text: str, starts: list[int]) -> list[int]:
    return [at for at in starts if at == 0 or text[at - 1].isspace() or not _is_inside(text, at)]


def _is_inside(text: str, at: int) -> bool:
    """Whether the place is inside a name, or between a quotation and the words that say whose it is."""
    if text[at - 1] in "」』":
        return text[at] in "とのをがはもにで、，"
    return _WESTERN_END.search(text, max(0, at - 6), at) is not None


def _inner_starts(text: str, start: int, end: int, language: str) -> list[int]:
    """The start itself, and those that the splitter overlooked between `start` and `end`."""
    found = [start]
    sentence = text[start:end]
    has_bracket = _HAS_BRACKET.search(sentence) is not None
    for match in islice(_INNER_END.finditer(sentence), _MOST_INNER_ENDS):
        at = start + match.end()
        if match[1][0].islower():
            continue
        is_long = min(at - found[-1], end - at) >= _SHORTEST_PIECE
        if _is_acronym_end(text, at, match[1]) or (
            is_long and has_bracket and _ends_without_brackets(text, start, at, end, language)
        ):
            found.append(at)
    for match in islice(_EAST_ASIAN_END.finditer(sentence), _MOST_INNER_ENDS):
        at = start + match.end()
        if at - found[-1] >= _SHORTEST_EAST_ASIAN_PIECE and _open_brackets(text[start:at]) <= 0:
            found.append(at)
    return sorted(found)


def _is_acronym_end(text: str, at: int, next_word: str) -> bool:
    return _ACRONYM_END.search(text, max(0, at - 20), at) is not None and len(next_word) > 1 and not next_word.isupper()


def _ends_without_brackets(text: str, start: int, at: int, end: int, language: str) -> bool:
    """Asks the splitter again about one place, with quotation marks and brackets out of its way."""
    before = text[max(start, at - _WINDOW) : at].translate(_BRACKETS)
    after = text[at : min(end, at + _WINDOW)].translate(_BRACKETS)
    length = len(before.rstrip())
    total = 0
    for piece in segment(_SUBSTITUTES.get(language, language) or "en", before + after):
        total += len(piece)
        if length <= total <= len(before):
            return True
    return False


def _open_brackets(text: str) -> int:
    return sum(text.count(sign) for sign in "「『（") - sum(text.count(sign) for sign in "」』）")
