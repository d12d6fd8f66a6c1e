"""The draw is fair, repeats itself, plants what is bad, and shows readers nothing that would tell them."""

import json
import random
from pathlib import Path

import pytest

from benchmarks.judging.draw import draw_items, equal_shares
from benchmarks.judging.packets import first_words, mark_anchor, write_key, write_packets
from benchmarks.judging.planted import cut_words, stray_words, wrong_page
from benchmarks.judging.sites import JudgedSite, JudgingError, PageText, Paragraph, place_suggestions

NAMES = ("Rim brakes", "Saddle height", "Chain wear", "Tyre pressure", "Back wheels", "Winter lights")


def sentence_on(name: str, number: int) -> str:
    return f"On day {number} our mechanics looked at {name.lower()} once more and wrote down whatever they had found."


def site_of(corpus: str, suggestions: int) -> JudgedSite:
    """Pages that each speak of the next one's subject in every paragraph."""
    pages, rows = {}, []
    for place, name in enumerate(NAMES):
        subject = NAMES[(place + 1) % len(NAMES)]
        paragraphs = tuple(Paragraph("paragraph", sentence_on(subject, number)) for number in range(10))
        path = f"/{name.split()[0].lower()}"
        pages[path] = PageText(path, name, "en", paragraphs)
        target = f"/{subject.split()[0].lower()}"
        for number, paragraph in enumerate(paragraphs):
            before, anchor, after = paragraph.text.partition(subject.lower())
            row = {"block": number, "anchor_text": anchor, "context_before": before, "context_after": after}
            rows.append(row | {"source": f"http://x:1{path}", "target": f"http://x:1{target}", "rank": 1, "score": 0.5})
    return place_suggestions(corpus, pages, rows[:suggestions])


def test_shares_are_equal_as_far_as_there_is_any() -> None:
    assert equal_shares({"a": 500, "b": 500, "c": 10, "d": 500, "e": 500}, 100) == {
        "a": 23,
        "b": 23,
        "c": 10,
        "d": 22,
        "e": 22,
    }
    assert equal_shares({"a": 3, "b": 0}, 100) == {"a": 3, "b": 0}


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    sites = [site_of("b", 40), site_of("a", 40)]
    items = draw_items(sites, "c0ffee", drawn=30, planted=6)
    assert items == draw_items(sites[::-1], "c0ffee", drawn=30, planted=6)
    assert items != draw_items(sites, "c0ffef", drawn=30, planted=6)
    assert [sum(item.corpus == name and not item.planted for item in items) for name in "ab"] == [15, 15]
    assert sorted(item.planted for item in items if item.planted) == sorted(
        2 * ["stray words", "cut words", "wrong page"]
    )
    assert len({(item.corpus, item.source, item.paragraph) for item in items}) == 36


def test_planted_links_are_bad() -> None:
    site, lot = site_of("a", 40), random.Random(1)
    cut = cut_words(site, lot)
    assert cut is not None
    assert site.anchor(cut).split()[1:] == ["once", "more"]
    for make in (stray_words, wrong_page):
        bad = make(site, lot)
        assert bad is not None
        assert bad.score is None
        subject = site.pages[bad.target].title.casefold()
        assert subject not in site.pages[bad.source].paragraphs[bad.paragraph].text.casefold()
        assert bad.target != bad.source


def test_readers_see_neither_score_nor_plant(tmp_path: Path) -> None:
    sites = {"a": site_of("a", 60)}
    items = draw_items(list(sites.values()), "c0ffee", drawn=50, planted=7)
    packets = write_packets(items, sites, tmp_path)
    write_key(items, sites, tmp_path / "key.json", {"seed": "c0ffee"})
    texts = [packet.read_text("utf-8") for packet in packets]
    assert [text.count("\n## 0") for text in texts] == [19, 19, 19]
    shown = "\n".join(text.partition("\n---\n")[2] for text in texts)
    for word in ("score", "0.5", "planted", "stray", "corpus"):
        assert word not in shown
    key = json.loads((tmp_path / "key.json").read_text("utf-8"))
    assert list(key["items"]) == [f"{number:03}" for number in range(1, 58)]
    assert sum(bool(entry["planted"]) for entry in key["items"].values()) == 7
    assert "mechanics" not in json.dumps(key)


def test_a_suggestion_is_marked_where_it_stands_and_nowhere_else() -> None:
    paragraph = Paragraph("paragraph", "the wheel, the wheel and a link", ((27, 31),))
    pages = {"/a": PageText("/a", "A", "en", (paragraph,)), "/b": PageText("/b", "B", "en", ())}
    row = {
        "source": "http://x/a",
        "target": "http://x/b",
        "rank": 1,
        "score": 0.4,
        "block": 0,
        "anchor_text": "wheel",
        "context_before": "the wheel, the ",
        "context_after": " and a link",
    }
    [item] = place_suggestions("c", pages, [row, row | {"rank": 11}]).suggestions
    assert mark_anchor(paragraph, item.start, item.end) == "the wheel, the [[wheel]] and a ‹link›"
    with pytest.raises(JudgingError, match="'wheel' does not stand"):
        place_suggestions("c", pages, [row | {"context_after": " or"}])


def test_long_texts_are_shortened_with_and_without_spaces() -> None:
    assert first_words("a b c", 3) == "a b c"
    assert first_words("a b c d", 3) == "a b c …"
    assert first_words("字" * 100, 3) == "字" * 24 + " …"
