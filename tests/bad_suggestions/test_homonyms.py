"""Words that fit a page's name and mean another thing in their sentence: not proposed, whoever bears the name.

At the product's own threshold, on sites with and without a page for the other meaning. Leaves single sentences and
their numbers to `tests/recommendations/engine/test_rivals`.
"""

from collections.abc import Callable

import pytest

from recommendations.engine.ranking import DEFAULT_THRESHOLD
from tests.bad_suggestions.pages import page
from tests.bad_suggestions.whole_run import Outcome

pytestmark = pytest.mark.django_db

#: the name of a page, what the page says, a diary that means it, a diary in which the word means another thing
HOMONYMS: dict[str, tuple[str, str, str, str]] = {
    "Vault": (
        "Vault stores the passwords, tokens and certificates of servers. A program asks Vault for a secret and gets a "
        "lease on it. Operators unseal Vault with keys after each restart of the server.",
        "Our servers need passwords for the database, and nobody should read them. "
        "The deploy script asks Vault for the database password before the servers start. "
        "After the lease of the secret is over, the program asks again.",
        "On Sunday the girls of our club went to the championship in the sports hall. "
        "The youngest gymnast ran down the mat and landed her vault without a wobble, to loud applause. "
        "She won the bronze medal, and her trainer cried.",
        "Pommel",
    ),
    "Elastic": (
        "Elastic is the search engine behind our log files. Documents go into an index of Elastic, and queries find "
        "them in milliseconds. A cluster of Elastic needs three nodes and much memory.",
        "The web servers write millions of log lines each day, and we want to search them. "
        "Each log line is sent to Elastic, where the index of the cluster makes it searchable. "
        "A query over one week of logs takes less than a second.",
        "My grandmother taught me how to mend old clothes with needle and thread. "
        "The tailor sewed new elastic into the waist of the trousers, and they fitted again. "
        "Next week I hem a skirt and learn to sew buttonholes.",
        "Sewing",
    ),
    "Timeout": (
        "The timeout of a request tells how long a client waits for the server. When the timeout is over, the "
        "connection is closed. Set the timeout of slow networks to more seconds.",
        "Requests to the server hung for minutes when the network was slow. "
        "If the server does not answer, raise the timeout of the HTTP client by ten seconds. "
        "After that the client closes the connection and tries another server.",
        "The final of the basketball league was close until the last minute. "
        "With two points to make up the coach called a timeout and drew the next move for her team. "
        "The centre scored from outside, and the hall went wild.",
        "Final",
    ),
    "Mercury": (
        "Mercury is the smallest planet of the solar system and the nearest to the sun. A year on Mercury takes 88 "
        "days. The orbit of Mercury is no circle, and its surface is full of craters.",
        "We drove up the hill at dusk with the big telescope to watch the planets. "
        "Low in the glow of the sun we saw Mercury, the small planet, just above the horizon. "
        "Later Venus and Jupiter rose, and we counted four moons.",
        "The old thermometer in the kitchen fell from its nail and broke. "
        "Drops of mercury ran over the floor like silver, and we opened all windows. "
        "The poison centre told us how to collect the metal in a jar.",
        "Kitchen",
    ),
}
#: pages of the same site that bear the word too, in its other meaning
RIVALS: dict[str, tuple[str, str]] = {
    "Vault": (
        "Vault in gymnastics",
        "The gymnast runs, jumps off the board and turns over the table. Judges give points for the vault, for its "
        "height and for the landing on the mat. A gymnast shows two vaults.",
    ),
    "Elastic": (
        "Elastic for clothes",
        "A band of rubber and thread that stretches holds skirts and trousers at the waist. Tailors sew elastic into a "
        "tunnel of cloth. Old elastic wears out in the wash and is replaced.",
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

#: pages whose editors link the common word: names in lower case need that
LINKING: dict[str, str] = {
    "Retries": "A client that gets no answer asks once more. Each retry has its own <a href='/timeout'>timeout</a>.",
    "Proxies": "A proxy stands between client and server and has a <a href='/timeout'>timeout</a> for either side.",
    "Uploads": "Large files take long to send, so the <a href='/timeout'>timeout</a> of an upload is higher.",
}


def _site(has_rivals: bool) -> dict[str, str]:
    site = {"/": page("All things", "<p>Notes about work, sport and the sky, by three friends.</p>")}
    for name, (about, meant, other, topic) in HOMONYMS.items():
        key = name.lower()
        site[f"/{key}"] = page(name, f"<p>{about}</p>")
        site[f"/meant-{key}"] = page(f"Diary, part {len(site)}", f"<p>{meant}</p>")
        site[f"/other-{key}"] = page(f"{topic} diary, part {len(site)}", f"<p>{other}</p>")
        if has_rivals:
            title, told = RIVALS[name]
            site[f"/rival-{key}"] = page(title, f"<p>{told}</p>")
    for name, told in LINKING.items():
        site[f"/{name.lower()}"] = page(name, f"<p>{told}</p>")
    return site


@pytest.fixture(scope="module", params=[False, True], ids=["alone", "with rivals"])
def outcome(request: pytest.FixtureRequest, whole_run: Callable[..., Outcome]) -> Outcome:
    return whole_run(_site(request.param), threshold=DEFAULT_THRESHOLD)


@pytest.mark.parametrize("name", HOMONYMS)
def test_the_word_is_proposed_where_it_means_the_page(outcome: Outcome, name: str) -> None:
    key = name.lower()
    assert name.casefold() in [text.casefold() for text in outcome.anchors(f"/meant-{key}", f"/{key}")]
    assert f"/rival-{key}" not in outcome.targets_of(f"/meant-{key}")


@pytest.mark.parametrize("name", HOMONYMS)
def test_the_word_is_not_proposed_where_it_means_another_thing(outcome: Outcome, name: str) -> None:
    key = name.lower()
    assert f"/{key}" not in outcome.targets_of(f"/other-{key}")
