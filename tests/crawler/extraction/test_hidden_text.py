"""Text that nobody sees is no block, carries no link, and joins no sentence; text a reader can open is read."""

import pytest

from tests.crawler.extraction.reading import read, texts

PROSE = "<p>" + "Tea leaves are picked by hand in spring and dried in the shade for two days. " * 4 + "</p>"


@pytest.mark.parametrize(
    "hiding",
    [
        "<{0} hidden>{1}</{0}>",
        "<{0} aria-hidden=true>{1}</{0}>",
        "<{0} style='color:red; display : none'>{1}</{0}>",
        "<{0} style='visibility:hidden'>{1}</{0}>",
        "<{0} style='visibility:collapse'>{1}</{0}>",
        "<{0} style='position:absolute; clip: rect(0, 0, 0, 0)'>{1}</{0}>",
        "<{0} style='clip-path: inset(50%)'>{1}</{0}>",
        "<{0} style='position:absolute;left:-9999px'>{1}</{0}>",
        "<{0} class='note sr-only'>{1}</{0}>",
        "<{0} class=visually-hidden-focusable>{1}</{0}>",
        "<{0} class=screen-reader-text>{1}</{0}>",
        "<{0} popover>{1}</{0}>",
        "<template><{0}>{1}</{0}></template>",
        "<noscript><{0}>{1}</{0}></noscript>",
    ],
)
@pytest.mark.parametrize("tag", ["div", "p", "span"])
def test_hidden_text_is_neither_shown_nor_linked(hiding: str, tag: str) -> None:
    hidden = hiding.format(tag, "Secret words with <a href=/secret>a link</a>.")
    page = read(f"<main>{PROSE}<div>Seen before. {hidden} Seen after.</div>{PROSE}</main>")
    shown = " ".join([*texts(page), *page.headings, *(sentence.text for sentence in page.sentences)])
    assert "Seen before." in shown
    assert "Seen after." in shown
    assert "ecret" not in shown
    assert not any(link.is_editorial or link.block_ordinal is not None for link in page.links)


def test_a_dialog_is_no_text_and_what_details_fold_away_is() -> None:
    page = read(
        f"<main>{PROSE}<dialog><p>Secret words.</p></dialog>"
        "<details><summary>How to brew</summary><p>Pour <a href=/water>hot water</a> on it.</p></details></main>"
    )
    assert texts(page)[1:] == ["How to brew", "Pour hot water on it."]
    assert [link.is_editorial for link in page.links] == [True]
