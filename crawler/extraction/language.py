"""The language a page is written in: as declared, unless nothing is declared or the text clearly says otherwise."""

import re
from functools import lru_cache
from typing import Any

#: Text below this length proves nothing against a declaration.
_SHORTEST_PROOF = 600
_SAMPLE = 1_500
_GLANCE = 250
#: py3langid's log-probability lead per character of the detected over the declared language.
_STRONG_LEAD = 0.25
#: Below this length an undeclared language stays unknown.
_SHORTEST_GUESS = 20
#: Tags that py3langid knows by another name, and groups it cannot be trusted to tell apart.
_ALIASES = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "fil": "tl", "sh": "sr"}
_LOOKALIKES = (
    frozenset({"no", "da", "sv"}),
    frozenset({"hr", "sr", "bs", "sl"}),
    frozenset({"id", "ms", "jv"}),
    frozenset({"cs", "sk"}),
    frozenset({"pt", "gl", "es", "ca"}),
    frozenset({"de", "lb"}),
    frozenset({"hi", "mr", "ne"}),
    frozenset({"ru", "uk", "be", "bg", "mk"}),
)
#: Languages in other scripts: a page that uses the script is in the language, however much English it quotes.
_words = str.split
_OTHER_SCRIPTS = frozenset(
    _words("zh ja ko ru uk be bg mk el he ar fa ur hi bn ta te ml kn th ka hy am my km lo ne mr")
)
_OTHER_LETTER = re.compile(r"[^\W\d_\u0041-\u024f]")
_LEAST_OF_SCRIPT = 0.03
_NOT_PROSE = re.compile(r"[\W\d_]+")


def decide_language(declared: str, text: str) -> str:
    """Primary subtag; '' where nothing is declared and the text is too short to tell."""
    if len(text) < (_SHORTEST_PROOF if declared else _SHORTEST_GUESS):
        return declared
    known_as = _ALIASES.get(declared, declared)
    if declared:
        # Reading more costs more: most pages are what they say, and that shows in a few words.
        glance = _identifier().classify(_letters(text, _GLANCE))[0]
        if glance == known_as or _are_lookalikes(glance, known_as):
            return declared
    sample = _letters(text, _SAMPLE)
    if len(sample) < (_SHORTEST_PROOF if declared else _SHORTEST_GUESS):
        return declared
    ranking = dict(_identifier().rank(sample))
    detected = max(ranking, key=lambda language: ranking[language])
    if not declared:
        return str(detected)
    if detected == known_as or known_as not in ranking or _are_lookalikes(detected, known_as):
        return declared
    if declared in _OTHER_SCRIPTS and len(_OTHER_LETTER.findall(sample)) >= _LEAST_OF_SCRIPT * len(sample):
        return declared
    lead = (ranking[detected] - ranking[known_as]) / len(sample)
    return str(detected) if lead > _STRONG_LEAD else declared


def _letters(text: str, length: int) -> str:
    """The start of the text, without signs and numbers."""
    return _NOT_PROSE.sub(" ", text[: 2 * length])[:length].strip()


def _are_lookalikes(one: str, other: str) -> bool:
    return any(one in group and other in group for group in _LOOKALIKES)


@lru_cache(maxsize=1)
def _identifier() -> Any:
    """Loaded on first use: the model takes a second."""
    from py3langid import langid

    langid.rank("load")  # builds the shared identifier
    return langid
