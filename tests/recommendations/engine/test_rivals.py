"""Homonyms: the words fit, but the sentence means something else. One small site, the real English model."""

from functools import cache

import numpy as np
import pytest

from embeddings.encoders import load_encoder
from embeddings.types import Encoder
from recommendations.engine.mentions import Phrase
from recommendations.engine.rivals import PlaceMeaning, bearers_of
from recommendations.engine.types import LinkCandidate
from tests.recommendations.engine import small_site
from tests.recommendations.engine.small_site import page, recommend

#: Right and wrong meaning of the same word: the target's page, a place that means it, a place that means another thing.
HOMONYMS = {
    "Vault": (
        "Vault keeps passwords, tokens and certificates for servers. A server asks it for a secret.",
        "Our deployment scripts read database passwords and API tokens from Vault when a server starts.",
        "She landed the vault cleanly and won gold in gymnastics ahead of the beam and floor finals.",
    ),
    "Timeout": (
        "A network request that gets no answer ends after the timeout. Set it for every server connection.",
        "When the server does not answer, the request fails after the timeout and the connection is closed.",
        "The basketball coach called a timeout with nine seconds left, and the players gathered at the bench.",
    ),
    "Python": (
        "Python is a programming language. Install the interpreter, write a script, import modules and run functions.",
        "The import script is written in Python and needs an interpreter with three modules installed.",
        "A python had swallowed a young goat, and the zoo keeper waited until the snake was asleep.",
    ),
    "Mercury": (
        "Mercury is the smallest planet and the nearest to the sun. Its year has 88 days, and its orbit is no circle.",
        "Seen from the telescope, Mercury crossed the disc of the sun, a planet on the innermost orbit.",
        "The old thermometer broke, and drops of toxic mercury metal rolled over the laboratory floor.",
    ),
    "Jaguar": (
        "The jaguar is the largest cat of the Americas. It hunts deer and caimans in rain forests and swims well.",
        "The camera filmed a jaguar, the largest cat there, as it swam and hunted deer and caimans.",
        "He polished the chrome of his Jaguar, a saloon car with leather seats and a six cylinder engine.",
    ),
    "Bank": (
        "A bank keeps money on accounts and lends it. Compare the interest on savings, and the fees for a transfer.",
        "Ask your bank what interest the savings account pays and what fees a transfer of money costs.",
        "The canoe drifted to the muddy bank, where herons stood among the reeds of the river.",
    ),
}
_OTHERS = {
    "Rowing": "Oars, boats and rivers: how a crew rows along reeds and herons in still water.",
    "Gymnastics": "Beam, floor and bars: what judges score in gymnastics finals.",
    "Basketball": "Players, coaches and benches: how a basketball game is played in four quarters.",
    "Snakes": "What a zoo keeper feeds snakes, and how long they sleep after a goat.",
    "Thermometers": "Toxic metals in old laboratory thermometers, and how to clean the floor.",
    "Classic cars": "Saloon cars with chrome, leather seats and six cylinder engines.",
    "Databases": "Tables, rows and indexes of a database on a server.",
    "Telescopes": "Lenses and mirrors to look at stars, and how to build a mount.",
    "Forests": "Trees of the rain forest and who cuts them down.",
}


@cache
def encoder() -> Encoder:
    return load_encoder("all-MiniLM-L6-v2")


@pytest.fixture(autouse=True)
def real_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_site, "WordCountEncoder", encoder)


def link_to(word: str, text: str) -> LinkCandidate | None:
    """The link that a page with this one paragraph gets to the page named so."""
    site = {"/source": page("Diary", f"<p>{text}</p>")}
    for name, (body, _, _) in HOMONYMS.items():
        site[f"/{name.lower()}"] = page(name, f"<p>{body}</p>")
    for name, body in _OTHERS.items():
        site[f"/{name.lower().replace(' ', '-')}"] = page(name, f"<p>{body}</p>")
    target = list(site).index(f"/{word.lower()}")
    links = recommend(site, "/source", top=20, links_per_paragraph=20)
    return next((link for link in links if link.target == target), None)


@pytest.mark.parametrize("word", HOMONYMS)
def test_fits_where_the_word_means_the_target(word: str) -> None:
    link = link_to(word, HOMONYMS[word][1])
    assert link is not None
    assert word.lower() in link.anchor.text.lower()
    assert link.anchor.fitness > 0.25


@pytest.mark.parametrize("word", HOMONYMS)
def test_is_doubted_where_the_word_means_another_thing(word: str) -> None:
    right, wrong = link_to(word, HOMONYMS[word][1]), link_to(word, HOMONYMS[word][2])
    assert right is not None
    assert wrong is None or wrong.anchor.fitness < min(0.3, 1.2 * right.anchor.fitness)


def place(cosines: list[float]) -> PlaceMeaning:
    """A sentence, on a page that is all about the same, whose cosine with page number i is cosines[i]."""
    along = np.array(cosines, np.float32)
    pages = np.column_stack([along, np.sqrt(1 - along**2)]).astype(np.float32)
    meaning = np.array([1.0, 0.0], np.float32)
    return PlaceMeaning(pages, np.ones(len(pages), bool), pages, meaning, meaning)


def test_doubts_a_target_when_another_bearer_of_the_words_fits_as_well() -> None:
    cosines = [0.9, 0.88, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]
    alone, with_rival = (place(cosines).certainty(0, bearers) for bearers in ((), (0, 1)))
    assert alone > 0.9
    assert with_rival < alone
    assert place(cosines).certainty(1, (0, 1)) < with_rival


def test_tells_nothing_of_three_pages() -> None:
    assert place([0.9, 0.1, 0.0]).certainty(2) == 1.0


def test_bearers_are_pages_named_so_and_pages_linked_so() -> None:
    phrase = Phrase(1)
    phrase.titles.add(3)
    phrase.anchors[5] = 2
    assert bearers_of(phrase) == {3, 5}
    assert bearers_of(None) == set()
