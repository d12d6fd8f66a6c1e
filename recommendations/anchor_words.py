"""Where words begin and end, and when two anchors are the same to an editor. Pure.

The engine has its own, finer words; this light reading of them serves the web process, which never loads the engine.
"""

import unicodedata

_JOINERS = "'’ʼ-‑·"
_NO_SPACES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),
    (0x3040, 0x30FF),  # kana
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x323AF),
)


def fold_anchor(text: str) -> str:
    """Case, quotes, soft hyphens and white space folded; accents kept, since they tell words apart."""
    return " ".join(text.replace("\xad", "").replace("’", "'").replace("‑", "-").casefold().split())


def is_whole_words(text: str, start: int, end: int) -> bool:
    """Whether a span neither starts nor ends inside a word."""
    return not (_is_inside_word(text, start) or _is_inside_word(text, end))


def _is_inside_word(text: str, cut: int) -> bool:
    if cut <= 0 or cut >= len(text):
        return False
    before, after = text[cut - 1], text[cut]
    if unicodedata.category(after)[0] == "M" or after in "\u200d\xad":
        return True
    if _is_spaceless(before) or _is_spaceless(after):
        return False
    if _is_word(before) and _is_word(after):
        return True
    # "art" in "state-of-the-art" or "isn" in "isn't": a joiner between two letters belongs to the word.
    if before in _JOINERS and _is_word(after):
        return cut >= 2 and _is_word(text[cut - 2])
    if after in _JOINERS and _is_word(before):
        return cut + 1 < len(text) and _is_word(text[cut + 1])
    return False


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"


def _is_spaceless(character: str) -> bool:
    point = ord(character)
    return any(low <= point <= high for low, high in _NO_SPACES)
