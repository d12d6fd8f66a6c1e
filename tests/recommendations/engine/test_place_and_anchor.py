"""Places and words that must never reach an editor: each rule on a small page of its own."""

import pytest

from recommendations.engine.types import Rejections
from tests.recommendations.engine.small_site import BASE, anchors_to, page, recommend

TARGET = page("Chain lubrication", "<p>Chain lubrication keeps a bicycle chain quiet. Oil the chain once a month.</p>")
OTHER = page("Wheel truing", "<p>Truing a wheel needs a spoke key and patience. Spokes are turned by quarters.</p>")


def site_with(body: str, lang: str = "en") -> dict[str, str]:
    return {"/source": page("Winter riding", body, lang), "/chain": TARGET, "/wheel": OTHER}


def anchors_for(body: str, **options: object) -> list[str]:
    site = site_with(body)
    return anchors_to(recommend(site, "/source", **options), site, "/chain")


def test_the_name_of_the_target_becomes_the_anchor() -> None:
    anchors = anchors_for("<p>Salt eats metal, so chain lubrication matters most in winter.</p>")
    assert anchors[0] == "chain lubrication"


FORBIDDEN = [
    "<h2>Chain lubrication</h2><p>Nothing here.</p>",
    "<pre>chain lubrication --now</pre><p>Nothing here.</p>",
    "<p>Nothing here. <button>Chain lubrication</button></p>",
    "<p><label>Chain lubrication <input></label> Nothing here.</p>",
    "<figure><img alt='chain lubrication'><figcaption>Chain lubrication</figcaption></figure><p>Nothing here.</p>",
    "<table><caption>Chain lubrication</caption><tr><th>Chain lubrication</th><td>Nothing</td></tr></table>",
    "<dl><dt>Chain lubrication</dt><dd>Nothing here.</dd></dl>",
    "<p hidden>Chain lubrication matters.</p><p>Nothing here.</p>",
    "<p style='display: none'>Chain lubrication matters.</p><p>Nothing here.</p>",
    "<p aria-hidden='true'>Chain lubrication matters.</p><p>Nothing here.</p>",
    "<nav><p>Chain lubrication matters.</p></nav><p>Nothing here.</p>",
    "<p>Nothing here. <a href='https://else.test/'>Chain lubrication</a></p>",
    "<p title='Chain lubrication > all'>Nothing here.</p>",
    "<script>chain lubrication</script><p>Nothing here.</p>",
    "<ul><li><a href='/wheel'>Wheels</a></li><li><a href='https://x.test'>Chain lubrication</a></li></ul><p>Dry.</p>",
]


ALLOWED = "<p>Elsewhere a quiet drivetrain needs lubrication of the roller kind.</p>"


@pytest.mark.parametrize("body", FORBIDDEN)
def test_no_link_where_no_link_may_stand(body: str) -> None:
    # The page has one sentence where the link may stand, so that an empty answer does not pass for a good one.
    anchors = anchors_for(body + ALLOWED)
    assert any("lubrication" in anchor for anchor in anchors), anchors
    assert not [anchor for anchor in anchors if "chain" in anchor.casefold()]


def test_inline_code_is_left_alone_unless_the_site_links_it() -> None:
    body = "<p>Call <code>chain</code> when it squeaks.</p>"
    assert "chain" not in anchors_for(body)
    assert "chain" in anchors_for(body, is_inline_code_linkable=True)


def test_no_part_of_an_inline_code_element_is_linked() -> None:
    body = "<p>Call <code>chain lubrication(oil)</code> when it squeaks.</p>"
    found = anchors_for(body, is_inline_code_linkable=True)
    assert not [anchor for anchor in found if anchor in ("chain", "lubrication", "chain lubrication")]


@pytest.mark.parametrize(
    ("body", "wanted", "forbidden"),
    [
        ("<p>Ask for <b>quiet chain</b> lubrication in May.</p>", "lubrication", "chain lubrication"),
        ("<p>Ask for <b>chain lubrication</b> in May.</p>", "chain lubrication", ""),
        ("<p>Ask for <b>chain</b> lubrication in May.</p>", "chain lubrication", ""),
        ("<p>Ask for <b>chain lub</b>rication in May.</p>", "chain", "lubrication"),
        ("<p>Ask for <q>chain lubrication</q> in May. Then oil the chain.</p>", "chain", "chain lubrication"),
    ],
)
def test_anchors_hold_whole_inline_elements_or_stand_in_one(body: str, wanted: str, forbidden: str) -> None:
    found = anchors_for(body)
    assert wanted in found or any(wanted in anchor for anchor in found), found
    assert forbidden not in found


@pytest.mark.parametrize(
    "body",
    [
        "<p>The markchain test and chains-of-command theory.</p>",
        "<p>The un-chain device.</p>",
        "<p>The chain's end.</p>",
    ],
)
def test_no_part_of_a_word(body: str) -> None:
    assert "chain" not in anchors_for(body)


def test_no_stop_word_or_punctuation_at_an_edge_and_no_crossing() -> None:
    body = (
        "<p>Think of the chain, and of the lubrication of it. Then chain. Lubrication follows; it is a chain and "
        "then “lubrication”.</p><ul><li>Chain</li><li>Lubrication for all</li></ul>"
    )
    anchors = anchors_for(body)
    assert anchors
    for anchor in anchors:
        words = anchor.split()
        assert words[0].casefold() not in {"the", "of", "and", "a", "then", "it"}, anchor
        assert words[-1].casefold() not in {"the", "of", "and", "a", "then", "it"}, anchor
        assert not set(anchor) & set(",.;“”"), anchor


def test_numbers_alone_are_no_anchor() -> None:
    site = {
        "/source": page("Prices", "<p>In 2024 12,50 was paid.</p>"),
        "/2024": page("2024", "<p>What 2024 brought.</p>"),
    }
    found = [span.text for link in recommend(site, "/source") for span in (link.anchor, *link.alternatives)]
    assert not [text for text in found if not any(character.isalpha() for character in text)]


def test_nothing_beside_an_existing_link() -> None:
    body = "<p>Read about <a href='/wheel'>wheels</a> chain care today, or oil the chain tomorrow.</p>"
    anchors = anchors_for(body)
    assert "chain" in anchors
    assert all(not anchor.startswith("chain care") for anchor in anchors)


def test_the_same_target_once_and_two_links_never_side_by_side() -> None:
    body = "<p>Chain lubrication wheel truing. Chain lubrication again.</p><p>Wheel truing and chain lubrication.</p>"
    links = recommend(site_with(body), "/source")
    assert len({link.target for link in links}) == len(links)
    assert len({(link.sentence, link.anchor.start) for link in links}) == len(links)


def test_no_more_than_the_allowed_number_in_a_paragraph() -> None:
    site = {"/source": page("All", "<p>Apples, pears, plums and quinces are sold.</p>")}
    for name in ("Apples", "Pears", "Plums", "Quinces"):
        site[f"/{name.lower()}"] = page(name, f"<p>{name} are a fruit that we sell.</p>")
    assert len(recommend(site, "/source", links_per_paragraph=2)) == 2
    assert len(recommend(site, "/source", links_per_paragraph=9, top=3)) == 3


def test_already_linked_pages_and_the_page_itself_are_left_out() -> None:
    body = "<p>Winter riding needs <a href='/chain#oil'>oil</a> and chain lubrication.</p>"
    site = site_with(body)
    targets = {list(site)[link.target] for link in recommend(site, "/source")}
    assert not targets & {"/chain", "/source"}


def test_another_language_is_left_out_unless_asked_for() -> None:
    site = site_with("<p>Salt eats metal, so chain lubrication matters most in winter.</p>")
    site["/kette"] = page("Chain lubrication", "<p>Die Kette wird jeden Monat mit Öl gepflegt und geputzt.</p>", "de")
    kette = list(site).index("/kette")
    assert kette not in {link.target for link in recommend(site, "/source")}
    assert kette in {link.target for link in recommend(site, "/source", is_cross_language_allowed=True)}


def test_offsets_and_match_index_tell_the_place() -> None:
    body = "<p>A <a href='/wheel'>chain lubrication</a> link. Chain lubrication helps; chain lubrication pays.</p>"
    site = site_with(body)
    link = next(link for link in recommend(site, "/source") if list(site)[link.target] == "/chain")
    assert link.anchor.text.casefold() == "chain lubrication"
    assert link.match_index == 0


def anchors_to_page(source: str, name: str, text: str, lang: str = "en") -> list[str]:
    site = {"/source": page("Diary", source, lang), "/target": page(name, f"<p>{text}</p>", lang), "/wheel": OTHER}
    return anchors_to(recommend(site, "/source"), site, "/target")


def test_a_shortcode_is_left_alone() -> None:
    body = "<p>See [gallery ids=tyres] and [tyres] for pictures of wide tyres on gravel.</p>"
    anchors = anchors_to_page(body, "Gallery of tyres", "A gallery of tyres for gravel.")
    assert anchors
    assert not [anchor for anchor in anchors if "gallery" in anchor]


@pytest.mark.parametrize(
    ("words", "lang"), [("March", "en"), ("Monday", "en"), ("3 March 2024", "en"), ("Dezember", "de"), ("lundi", "fr")]
)
def test_a_date_is_no_anchor(words: str, lang: str) -> None:
    body = f"<p>On {words} the assembly met beside the river.</p>"
    anchors = anchors_to_page(body, f"{words} assembly", f"The assembly of {words} met twice.", lang)
    assert any("assembly" in anchor for anchor in anchors)
    assert words not in anchors


def test_a_country_or_a_first_name_is_no_anchor_unless_the_page_is_named_so() -> None:
    body = "<p>Then Anna moved to Norway with her harvest tools.</p>"
    anchors = anchors_to_page(body, "Harvest tools", "Tools for the harvest of apples.")
    assert "harvest tools" in anchors
    assert not {"Anna", "Norway"} & set(anchors)
    assert "Norway" in anchors_to_page(body, "Norway", "Norway has long winters and many mountains.")


def test_the_name_of_another_page_is_not_given_to_this_one() -> None:
    body = "<p>Wheel truing is slow work.</p><p>A spoke key turns nipples.</p>"
    site = {
        "/source": page("Winter", body),
        "/wheel": page("Wheel truing", "<p>Truing a wheel needs a spoke key and patience.</p>"),
        "/key": page("Spoke key for wheel truing stands", "<p>A spoke key for wheel truing stands and nipples.</p>"),
    }
    links = recommend(site, "/source")
    assert "Wheel truing" in anchors_to(links, site, "/wheel")
    assert "Wheel truing" not in anchors_to(links, site, "/key")


def test_words_refused_for_a_target_do_not_come_back_in_part() -> None:
    site = site_with("<p>Salt eats metal, so chain lubrication matters most in winter, says the mechanic.</p>")
    refused = Rejections(anchors=frozenset({(BASE + "/source", BASE + "/chain", "chain lubrication")}))
    anchors = anchors_to(recommend(site, "/source", rejections=refused), site, "/chain")
    assert anchors
    assert not {"chain", "lubrication", "chain lubrication"} & set(anchors)


def test_the_whole_name_is_preferred_to_its_rarest_word() -> None:
    body = "<p>Every spring we talk about pruning roses in March with our neighbours.</p>"
    anchors = anchors_to_page(body, "Pruning roses in March", "Roses are pruned in March, before they sprout.")
    assert anchors[0] == "pruning roses in March"
