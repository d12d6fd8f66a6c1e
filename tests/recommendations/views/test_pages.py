"""One page: its text in reading order with marks, the cards beside it, and what should link to it."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crawler.extraction.types import Block, BlockKind
from crawler.models import Sentence
from recommendations.selectors_reading import Mark, view_block
from tests.factories import make_link, make_page, make_recommendation, set_text
from tests.recommendations.conftest import Reviewed

pytestmark = pytest.mark.django_db


def page_path(reviewed: Reviewed, query: str = "") -> str:
    return f"/sites/{reviewed.site.pk}/pages/{reviewed.source.pk}/{query}"


def test_the_text_carries_the_suggested_anchors_where_they_stand(reviewed: Reviewed, as_editor: Client) -> None:
    body = as_editor.get(page_path(reviewed)).content.decode()
    text = body.split("<article")[1].split("</article>")[0]
    assert f'id="mark-{reviewed.row.pk}"' in text
    assert "Truing a wheel takes an hour and a <mark" in text
    assert f'href="#card-{reviewed.row.pk}"' in text
    assert text.index(f"mark-{reviewed.row.pk}") < text.index(f"mark-{reviewed.second.pk}")
    assert f'<li id="card-{reviewed.row.pk}"' in body


def test_a_mark_whose_text_has_changed_is_left_out(reviewed: Reviewed, as_editor: Client) -> None:
    set_text(reviewed.source, "Something else was written here.")
    body = as_editor.get(page_path(reviewed)).content.decode()
    assert f'id="mark-{reviewed.row.pk}"' not in body
    assert f'id="card-{reviewed.row.pk}"' in body


def test_every_kind_of_block_is_shown(reviewed: Reviewed, as_editor: Client) -> None:
    blocks = [Block(n, kind, f"A {kind} block.", 2 if kind == "heading" else 0) for n, kind in enumerate(BlockKind)]
    set_text(reviewed.source, blocks)
    body = as_editor.get(page_path(reviewed)).content.decode()
    for kind in BlockKind:
        assert f"A {kind} block." in body


def test_repeated_parts_are_folded_away(reviewed: Reviewed, as_editor: Client) -> None:
    Sentence.objects.filter(page=reviewed.source, block_ordinal=1).update(is_boilerplate=True)
    text = as_editor.get(page_path(reviewed)).content.decode().split("<article")[1].split("</article>")[0]
    assert "quiet" in text.split("<details")[1].split("</details>")[0]


def test_pieces_put_together_are_the_blocks_text() -> None:
    text = "Run check-wheel before you ride, says our guide to wheels."
    block = Block(0, BlockKind.PARAGRAPH, text, link_spans=((42, 57),), code_spans=((4, 15), (42, 47)))
    marks = [Mark(1, 4, 22, "pending", "T"), Mark(2, 16, 26, "pending", "U"), Mark(3, 27, 31, "accepted", "V")]
    view = view_block(block, marks, [], False)
    assert "".join(piece.text for piece in view.pieces) == text
    assert [piece.text for piece in view.pieces if piece.mark and piece.mark.recommendation_id == 1] == [
        "check-wheel",
        " before",
    ]
    assert sum(piece.is_mark_start for piece in view.pieces) == 2  # the overlapping second mark is left to its card
    assert {piece.text for piece in view.pieces if piece.is_link} == {"guide", " to wheels"}


def test_existing_links_are_shown_and_lead_to_our_page_of_the_target(reviewed: Reviewed, as_editor: Client) -> None:
    set_text(
        reviewed.source, [Block(0, BlockKind.PARAGRAPH, "See our spokes and evil.", link_spans=((8, 14), (19, 23)))]
    )
    make_link(reviewed.source, reviewed.target, block_ordinal=0, start=8, end=14)
    make_link(reviewed.source, None, target_url="javascript:alert(1)", block_ordinal=0, start=19, end=23)
    text = as_editor.get(page_path(reviewed)).content.decode().split("<article")[1].split("</article>")[0]
    assert f'href="/sites/{reviewed.site.pk}/pages/{reviewed.target.pk}/"' in text
    assert 'href="javascript' not in text


def test_hundreds_of_suggestions_come_in_screens_and_marks_find_their_card(
    reviewed: Reviewed, as_editor: Client
) -> None:
    set_text(reviewed.source, "\n".join(f"Words number{n} stand here." for n in range(120)))
    for number in range(120):
        target = make_page(reviewed.site, f"t{number}")
        make_recommendation(reviewed.run, reviewed.source, target, f"number{number}", block=number)
    response = as_editor.get(page_path(reviewed))
    assert len(response.context["cards"]) == 50
    last = reviewed.run.recommendations.order_by("-rank")[0]
    body = response.content.decode()
    assert f"?focus={last.pk}#card-{last.pk}" in body
    focused = as_editor.get(page_path(reviewed, f"?focus={last.pk}"))
    assert last.pk in {card.row.pk for card in focused.context["cards"]}
    assert "focus" not in focused.content.decode().split('rel="prev"')[1].split(">")[0]


def test_the_page_needs_the_same_queries_for_few_suggestions_and_many(reviewed: Reviewed, as_editor: Client) -> None:
    def count(path: str) -> int:
        as_editor.get(path)
        with CaptureQueriesContext(connection) as captured:
            assert as_editor.get(path).status_code == 200
        return len(captured)

    inlinks = f"/sites/{reviewed.site.pk}/pages/{reviewed.target.pk}/inlinks/"
    type(reviewed.row).objects.filter(pk=reviewed.row.pk).update(status="accepted")
    few, few_in = count(page_path(reviewed)), count(inlinks)
    for number in range(30):
        target = make_page(reviewed.site, f"t{number}")
        make_recommendation(reviewed.run, reviewed.source, target, "an hour", status="accepted")
        source = make_page(reviewed.site, f"s{number}", "Words stand here.")
        make_recommendation(reviewed.run, source, reviewed.target, "stand", status="rejected")
        make_link(reviewed.source, target, block_ordinal=0, start=0, end=4)
    assert count(page_path(reviewed)) == few
    assert count(inlinks) == few_in
    assert max(few, few_in) <= 18


def test_inlinks_suggested_for_a_page(reviewed: Reviewed, as_editor: Client) -> None:
    response = as_editor.get(f"/sites/{reviewed.site.pk}/pages/{reviewed.target.pk}/inlinks/")
    assert [card.row.pk for card in response.context["cards"]] == [reviewed.row.pk]
    body = response.content.decode()
    assert reviewed.source.title in body
    assert f"/pages/{reviewed.source.pk}/?focus={reviewed.row.pk}#card-{reviewed.row.pk}" in body


@pytest.mark.parametrize(
    ("query", "anchors"),
    [
        ("", ["spoke key", "quiet chain"]),
        ("?status=pending", ["quiet chain"]),
        ("?status=accepted", ["spoke key"]),
        ("?status=rejected", []),
        ("?order=place", ["spoke key", "quiet chain"]),
        ("?status=nonsense&order=nonsense&list=x&focus=x", ["spoke key", "quiet chain"]),
    ],
)
def test_cards_are_filtered_and_ordered(reviewed: Reviewed, as_editor: Client, query: str, anchors: list[str]) -> None:
    type(reviewed.row).objects.filter(pk=reviewed.row.pk).update(status="accepted")
    response = as_editor.get(page_path(reviewed, query))
    assert [card.row.anchor_text for card in response.context["cards"]] == anchors


def test_the_counts_above_the_cards_add_up(reviewed: Reviewed, as_editor: Client) -> None:
    type(reviewed.row).objects.filter(pk=reviewed.row.pk).update(status="rejected")
    body = as_editor.get(page_path(reviewed)).content.decode()
    for label, count in (("all but rejected", 1), ("pending", 1), ("rejected", 1)):
        assert f'>{label} <span class="count">{count}</span>' in body
    assert "all but" not in as_editor.get(f"/sites/{reviewed.site.pk}/pages/{reviewed.target.pk}/").content.decode()


def test_reasons_name_the_page_they_speak_of(reviewed: Reviewed, as_editor: Client) -> None:
    body = as_editor.get(f"/sites/{reviewed.site.pk}/pages/{reviewed.target.pk}/inlinks/").content.decode()
    assert "Said of “Wheels”:" in body


def test_pages_without_text_or_suggestions_say_so(reviewed: Reviewed, as_editor: Client) -> None:
    empty = make_page(reviewed.site, "empty")
    body = as_editor.get(f"/sites/{reviewed.site.pk}/pages/{empty.pk}/").content.decode()
    assert "no text in its main content" in body
    assert "No suggestion scores high enough on this page." in body
    broken = make_page(reviewed.site, "broken", status="failed", reason="The server answered 500.")
    body = as_editor.get(f"/sites/{reviewed.site.pk}/pages/{broken.pk}/").content.decode()
    assert "The server answered 500." in body
    assert "high enough" not in body


def test_a_page_of_another_site_is_not_found(reviewed: Reviewed, as_editor: Client) -> None:
    from tests.factories import make_site

    assert as_editor.get(f"/sites/{make_site().pk}/pages/{reviewed.source.pk}/").status_code == 404


def test_a_long_sentence_is_cut_around_its_anchor(reviewed: Reviewed, as_editor: Client) -> None:
    text = "word " * 200 + "the anchor " + "word " * 200
    source = make_page(reviewed.site, "long", text.strip())
    make_recommendation(reviewed.run, source, reviewed.target, "the anchor")
    card = as_editor.get(f"/sites/{reviewed.site.pk}/pages/{source.pk}/").context["cards"][0]
    assert card.before.startswith("… ")
    assert card.after.endswith(" …")
    assert len(card.before) + len(card.after) < 360
