"""Main content against boilerplate, on one page alone."""

import pytest

from tests.crawler.extraction.reading import read, texts

PROSE = "<p>" + "Tea leaves are picked by hand in spring and dried in the shade for two days. " * 4 + "</p>"
MENU = "<a href=/a>Alpha</a> <a href=/b>Beta</a> <a href=/c>Gamma</a>"


@pytest.mark.parametrize(
    "boilerplate",
    [
        f"<nav>{MENU}</nav>",
        f"<header>{MENU} Welcome</header>",
        "<footer><p>All rights kept.</p></footer>",
        f"<aside>{MENU}</aside>",
        f"<div role=navigation>{MENU}</div>",
        "<div role=contentinfo>Contact us any time.</div>",
        f"<div class=sidebar><h3>Latest</h3>{MENU}</div>",
        "<div id=cookie-notice><p>We use cookies.</p></div>",
        "<div class='author-box'><p>Anna writes about tea.</p></div>",
        "<div class=newsletter><p>Get our letter.</p></div>",
        f"<ul class='breadcrumbs'><li>{MENU}</li></ul>",
        "<form class=search><label>Search</label><input></form>",
        "<form><p>Your comment</p><textarea></textarea></form>",
        "<section id=comments><h2>2 comments</h2><p>First!</p></section>",
        "<p class=byline>by Anna</p>",
        "<div hidden>Secret</div><div style='color:red; DISPLAY : none'>No</div><p aria-hidden=true>No</p>",
        "<div style='visibility:hidden'>No</div><div class='visually-hidden'>No</div><dialog>No</dialog>",
    ],
)
@pytest.mark.parametrize("frame", ["<div>{}{}</div>", "<main>{}{}</main>", "<article>{1}{0}</article>"])
def test_boilerplate_is_left_out(frame: str, boilerplate: str) -> None:
    page = read("<body>" + frame.format(boilerplate, PROSE) + "</body>")
    assert len(texts(page)) == 1, texts(page)
    assert not any(link.is_editorial for link in page.links)


@pytest.mark.parametrize(
    "frame",
    [
        "<body class='has-sidebar no-nav'>{}</body>",
        "<body><div class='content-with-sidebar'>{}</div></body>",
        "<body><div class='sidebar'>{}</div></body>",
        "<body><div class='elementor-widget elementor-widget-text-editor'>{}</div></body>",
        "<body><form id=aspnetForm>{}</form></body>",
        "<body><header>{}</body>",
        "<body><nav>{}</body>",
        "<body><div id=footer>{}</div></body>",
        "<body><main></main><div>{}</div></body>",
        "<body><div class=menu><div class=related><div class=toc>{}</div></div></div></body>",
    ],
)
def test_a_name_never_costs_the_page_its_text(frame: str) -> None:
    assert len(texts(read(frame.format(PROSE)))) == 1


def test_only_the_main_element_is_read() -> None:
    page = read(f"<div><p>Around it.</p></div><main>{PROSE}</main><div><p>After it.</p></div>")
    assert len(texts(page)) == 1


def test_of_several_articles_none_is_the_page() -> None:
    assert len(texts(read(f"<article>{PROSE}</article>" * 3))) == 3


def test_the_header_of_an_article_is_content() -> None:
    page = read(f"<article><header><h1>Tea</h1><p>A short lead.</p></header>{PROSE}</article>")
    assert texts(page)[:2] == ["Tea", "A short lead."]


def test_a_pull_quote_aside_in_an_article_is_content() -> None:
    page = read(
        f"<main>{PROSE}<aside class=pquote>Tea is a <a href=/q>quiet</a> thing, said the picker.</aside></main>"
    )
    assert texts(page)[1] == "Tea is a quiet thing, said the picker."


def test_a_plain_template_without_landmarks_keeps_its_text() -> None:
    page = read(f"<div class=wrap><div class=menu>{MENU}</div><div class=post><h1>Tea</h1>{PROSE}</div></div>")
    assert [block.kind for block in page.blocks] == ["heading", "paragraph"]


def test_a_contents_box_is_left_out_whatever_it_is_called() -> None:
    toc = "<div id=quickview><h3>On this page</h3><ul><li><a href=#a>One</a><li><a href=#b>Two</a></ul>{}</div>"
    page = read(f"<main><h1>Tea</h1>{toc.format('<h3>See also</h3><ul><li><a href=/x>Other</a></ul>')}{PROSE}</main>")
    assert len(texts(page)) == 2
    assert [(link.url, link.is_editorial) for link in page.links] == [("https://example.org/x", False)]


def test_footnote_marks_do_not_make_a_contents_box() -> None:
    note = "<p>Tea is old.<sup><a href=#n1>1</a></sup> It is <a href=#n2>good</a> <a href=#n3>too</a>.</p>"
    assert texts(read(f"<main>{note}</main>")) == ["Tea is old.1 It is good too."]


def test_footnotes_and_embedded_posts_stand_as_captions() -> None:
    page = read(
        f"<main>{PROSE}<blockquote class=twitter-tweet><p>My tweet</p></blockquote>"
        "<ol class=footnotes><li id=n1>See the <a href=/book>book</a>.</li></ol></main>"
    )
    assert [(str(block.kind), block.text) for block in page.blocks[1:]] == [
        ("caption", "My tweet"),
        ("caption", "See the book."),
    ]


def test_unbalanced_divs_do_not_lose_the_text() -> None:
    page = read(f"<div class=post></div></div>{PROSE}<div class=author-box><div><p>Anna.</p></div>")
    assert len(texts(page)) == 1
    swallowed = read(f"<div class=post><div class=author-box><p>Anna.</p>{PROSE}")  # never closed: it holds everything
    assert len(texts(swallowed)) == 2
