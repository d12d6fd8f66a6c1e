"""Words that fit a page's name and mean another thing in their sentence: doubted, and most where a rival stands.

Scores are compared within one run. Whether a doubt reaches below a site's threshold is for the measured floors to say.
"""

from collections.abc import Callable

import pytest

from tests.bad_suggestions.pages import page
from tests.bad_suggestions.whole_run import Outcome

pytestmark = pytest.mark.django_db

#: the name of a page, what the page says, a sentence that means it, a sentence in which the word means another thing
HOMONYMS: dict[str, tuple[str, str, str]] = {
    "Vault": (
        "Vault stores the passwords, tokens and certificates of servers. A program asks Vault for a secret and gets a "
        "lease on it. Operators unseal Vault with keys after each restart of the server.",
        "Our deploy script asks Vault for the database password before the servers start.",
        "The gymnast ran down the mat and landed her vault without a wobble, to loud applause.",
    ),
    "Elastic": (
        "Elastic is the search engine behind our log files. Documents go into an index of Elastic, and queries find "
        "them in milliseconds. A cluster of Elastic needs three nodes and much memory.",
        "Each log line is sent to Elastic, where the index of the cluster makes it searchable.",
        "The tailor sewed new elastic into the waist of the old trousers, and they fitted again.",
    ),
    "Timeout": (
        "The timeout of a request tells how long a client waits for the server. When the timeout is over, the "
        "connection is closed. Set the timeout of slow networks to more seconds.",
        "If the server does not answer, raise the timeout of the HTTP client by ten seconds.",
        "With two minutes left to play the coach called a timeout and drew the next move for her team.",
    ),
    "Mercury": (
        "Mercury is the smallest planet of the solar system and the nearest to the sun. A year on Mercury takes 88 "
        "days. The orbit of Mercury is no circle, and its surface is full of craters.",
        "Through the telescope we saw Mercury just above the horizon, a small planet in the glow of the sun.",
        "The old thermometer broke, and drops of mercury ran over the kitchen floor like silver.",
    ),
}
#: pages of the same site that bear the word too, in its other meaning
RIVALS: dict[str, tuple[str, str]] = {
    "Vault": (
        "Vault in gymnastics",
        "The gymnast runs, jumps off the board and turns over the table. Judges give points for the vault, for its "
        "height and for the landing on the mat. A gymnast shows two vaults.",
    ),
    "Timeout": (
        "Timeout in basketball",
        "A coach may stop the game for a minute and talk to the team. Each team has a timeout in the first half and "
        "more of them in the second. The players drink and the coach draws a move.",
    ),
    "Mercury": (
        "Mercury, the metal",
        "The only metal that is liquid in a warm room shines like silver. Thermometers were filled with it until its "
        "vapour was known to be poison. Whoever breaks such a thermometer airs the room.",
    ),
}


def _site(has_rivals: bool) -> dict[str, str]:
    site = {"/": page("All things", "<p>Notes about work, sport and the sky, by three friends.</p>")}
    for name, (about, meant, other) in HOMONYMS.items():
        site[f"/{name.lower()}"] = page(name, f"<p>{about}</p>")
        site[f"/meant-{name.lower()}"] = page(f"Diary on {about.split()[-1]}", f"<p>{meant}</p>")
        site[f"/other-{name.lower()}"] = page(f"Diary on {other.split()[-1]}", f"<p>{other}</p>")
        if has_rivals and name in RIVALS:
            title, told = RIVALS[name]
            site[f"/rival-{name.lower()}"] = page(title, f"<p>{told}</p>")
    return site


@pytest.fixture(scope="module")
def outcome(whole_run: Callable[..., Outcome]) -> Outcome:
    return whole_run(_site(False))


@pytest.fixture(scope="module")
def with_rivals(whole_run: Callable[..., Outcome]) -> Outcome:
    return whole_run(_site(True))


def _score(outcome: Outcome, source: str, target: str) -> float:
    """Of the link on that page's word, 0 where it is not proposed at all."""
    return max(
        (item.score for item in outcome.on(source) if item.target == target and target[1:] in item.anchor.casefold()),
        default=0.0,
    )


@pytest.mark.parametrize("name", HOMONYMS)
def test_the_word_is_surer_where_it_means_the_page(outcome: Outcome, name: str) -> None:
    key = name.lower()
    assert name.casefold() in [text.casefold() for text in outcome.anchors(f"/meant-{key}", f"/{key}")]
    assert _score(outcome, f"/meant-{key}", f"/{key}") > _score(outcome, f"/other-{key}", f"/{key}")


@pytest.mark.parametrize("name", RIVALS)
def test_a_page_in_the_other_meaning_makes_the_word_doubtful_there(with_rivals: Outcome, name: str) -> None:
    key = name.lower()
    meant, other = (_score(with_rivals, f"/{kind}-{key}", f"/{key}") for kind in ("meant", "other"))
    assert meant > 0
    assert other < 0.85 * meant
    assert _score(with_rivals, f"/meant-{key}", f"/rival-{key}") == 0
