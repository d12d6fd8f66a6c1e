"""Where a link stands: in the sentence that names the target; and how far known anchors are trusted."""

from recommendations.engine.mentions import Phrase
from tests.recommendations.engine.small_site import page, recommend

_PADDING = "<p>Every spring we oil the hinges of the shed. The paint dries in two days.</p>"


def sentence_of(body: str) -> str:
    site = {
        "/source": page("Shed diary", body),
        "/chain": page("Chain lubricant", "<p>Wax or oil for the links and rollers of a chain.</p>"),
    }
    link = next(link for link in recommend(site, "/source") if link.target == 1)
    return link.context_before + link.anchor.text + link.context_after


def test_the_sentence_that_names_the_target_carries_the_link() -> None:
    body = _PADDING + "<p>A dry chain squeaks.</p><p>Buy chain lubricant in autumn.</p>" + _PADDING
    assert sentence_of(body) == "Buy chain lubricant in autumn."


def test_words_that_mostly_stand_unlinked_are_no_sure_anchor() -> None:
    def certainty(n_pages: int) -> float:
        phrase = Phrase(1, n_pages=n_pages)
        for source in (1, 2):
            phrase.anchors[7] += 1
            phrase.by_source.setdefault(source, type(phrase.anchors)())[7] += 1
        return dict(phrase.certainties(source=9))[7]

    assert certainty(n_pages=3) > 0.6
    assert certainty(n_pages=200) < 0.05
