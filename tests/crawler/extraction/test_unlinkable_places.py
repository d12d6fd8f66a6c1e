"""Places that are read but carry no link: asides, notes, messages, quizzes, output, cards."""

import pytest

from tests.crawler.extraction.reading import read

PROSE = "<p>Copper pots are polished with a soft cloth and a little patience, every week of the year.</p>" * 3


def is_linkable(html: str) -> bool:
    """Whether the words "copper kettle" may carry a link where they stand beside other text."""
    page = read(f"<body><main><h1>Copper</h1>{PROSE}{html}{PROSE}</main></body>")
    return any(block.is_linkable and "copper kettle" in block.text for block in page.blocks)


@pytest.mark.parametrize(
    "html",
    [
        "<aside>A copper kettle in the margin.</aside>",
        "<aside class=pullquote><p>A copper kettle in the margin.</p></aside>",
        "<section role=doc-endnotes><p>See the copper kettle.</p></section>",
        "<div role=doc-bibliography><ul><li>A copper kettle book.</li></ul></div>",
        "<p role=doc-footnote>See the copper kettle.</p>",
        "<ul class=quiz-options><li>A copper kettle</li><li>A tin pot</li></ul>",
        "<div class='pop-quiz'><p>Which is a copper kettle?</p></div>",
        "<ol class=answer-choices><li>A copper kettle</li></ol>",
        "<p class=error-message>No copper kettle was found.</p>",
        "<div class='alert alert-danger'>No copper kettle was found.</div>",
        "<div class=alert>A copper kettle is on its way.</div>",
        "<div role=alert>A copper kettle is on its way.</div>",
        "<div class=code-output>copper kettle: 1</div>",
        "<div class=output>copper kettle: 1</div>",
        "<blockquote><p>My copper kettle shines.</p></blockquote>",
        "<blockquote cite=/k><p>My copper kettle, as <a href=/k>told before</a>, shines.</p></blockquote>",
        "<blockquote><p>Copper kettle</p> <a href='https://twitter.com/ann/status/12'>May</a></blockquote>",
        "<ol><li><p>About the copper kettle. <a href='#fnref:1'>↩</a></p></li></ol>",
        "<p id=fn-2><sup>2</sup> About the copper kettle.</p>",
        "<h2>Related posts</h2><ul><li><a href=/x>Tin</a>: no copper kettle</li></ul><h2>Other things</h2>",
        "<h2>Ähnliche Beiträge</h2><ul><li><a href=/x>Zinn</a>: kein copper kettle</li></ul><h2>Anderes</h2>",
        "<h2>関連記事</h2><ul><li><a href=/x>錫</a> copper kettle</li></ul><h2>別のこと</h2>",
        "<h2>References</h2><ol><li>The copper kettle, 1911.</li></ol><h2>Other things</h2>",
        "<h3>About the author</h3><p>Ann owns a copper kettle.</p><h3>Other things</h3>",
        "<h3>2 comments</h3><p>What a copper kettle!</p><h3>Other things</h3>",
        "<p><a href=/1>Zinc cups</a>|<a href=/2>Pewter</a>|<a href=/3>Bronze</a>|<a href=/4>Iron</a>|copper kettle</p>",
        "<div><a href=/1>Zinc</a></div><p>A copper kettle.</p><div><a href=/2>Tin</a></div><p>On tin.</p>"
        "<div><a href=/3>Iron</a></div><p>On iron.</p>",
        "<div class='tab hidden'><p>A copper kettle.</p></div>",
        "<div class=d-none><p>A copper kettle.</p></div>",
        "<div role=tooltip>A copper kettle.</div>",
        "<div class=tweet><p>A copper kettle.</p></div>",
        "<ul class=tags><li>copper kettle</li></ul>",
        "<div style='position: absolute; left: -9999px'>A copper kettle.</div>",
        "<div style='font-size:0'>A copper kettle.</div>",
        "<div role=comment><p>A copper kettle!</p></div>",
        "<style>p.off { display: none }</style><p class=off>A copper kettle.</p>",
        "<div class=card><h3><a href=/k>Kettles</a></h3><p>A copper kettle shines.</p><a href=/k>Read more</a></div>",
        "<div class='post-teaser'><h3>Kettles</h3><p>A copper kettle shines.</p><a href=/k>Read more</a></div>",
    ],
)
def test_no_place_for_a_link(html: str) -> None:
    assert not is_linkable(html)


@pytest.mark.parametrize(
    "html",
    [
        "<blockquote><p>My copper kettle, as <a href=/k>told before</a>, shines.</p></blockquote>",
        "<aside class='admonition note'><p>A copper kettle shines.</p></aside>",
        "<div class='admonition warning'><p class=admonition-title>Warning</p><p>A copper kettle is hot.</p></div>",
        "<div class='alert alert-info' role=alert><p>A copper kettle shines.</p></div>",
        "<div class='usa-alert usa-alert--warning'><p>A copper kettle is hot.</p></div>",
        "<div class=callout><p>A copper kettle shines.</p></div>",
        "<div class=card><p>A copper kettle shines.</p></div>",
        f"<div class=card><p>A copper kettle shines. <a href=/k>Kettles</a>.</p>{PROSE * 3}</div>",
        "<ul><li><a href=/a>One thing</a> copper kettle</li><li><a href=/b>Another</a> of tin, less noble</li></ul>",
        "<h2>Related posts of mine</h2><p>A copper kettle shines.</p>",
        "<h2>See also</h2><ul><li>The copper kettle</li></ul>",
        "<h2>Related work</h2><p>A copper kettle shines.</p>",
        "<style>@media print { .off { display: none } }</style><p class=off>A copper kettle.</p>",
        "<style>.off { display: none } .off { display: block }</style><p class=off>A copper kettle.</p>",
        "<style>.narrow .off { display: none }</style><p class=off>A copper kettle.</p>",
        "<p>A copper kettle shines. <a href='#top'>↑</a></p>",
        "<div class='hidden md:block'><p>A copper kettle.</p></div>",
        "<div class='d-none d-md-block'><p>A copper kettle.</p></div>",
        "<p><a href=/1>Zinc</a></p><p>On zinc.</p><p><a href=/2>Tin</a></p><p>A copper kettle.</p>",
        "<div style='opacity: 0.9; font-size: 0.9em'>A copper kettle.</div>",
        "<ul><li><input type=checkbox> A copper kettle.</li></ul>",
        "<div class=error-handling><p>A copper kettle shines.</p></div>",
        "<div class=input-output-streams><p>A copper kettle shines.</p></div>",
    ],
)
def test_running_text(html: str) -> None:
    assert is_linkable(html)


def test_a_quiz_that_is_the_page_is_its_text() -> None:
    page = read(f"<main><div class=quiz>{PROSE}</div></main>")
    assert all(block.is_linkable for block in page.blocks)


def test_what_stands_beside_a_radio_button_is_barred() -> None:
    page = read(f"<main>{PROSE}<p><input type=radio name=q> A copper kettle <input type=radio name=q> A pot</p></main>")
    block = page.blocks[-1]
    assert block.barred_spans == ((0, len(block.text)),)
