"""Blocks: what a person sees, in reading order, with its spans."""

import pytest

from crawler.extraction.types import Block
from tests.crawler.extraction.reading import kinds, read, texts


def block_of(html: str) -> Block:
    (block,) = read(f"<main>{html}</main>").blocks
    return block


def parts(block: Block, name: str) -> list[str]:
    return [block.text[start:end] for start, end in getattr(block, name)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>li<b>nk</b>ed <i>up</i>\n\n to  date</p>", ["linked up to date"]),
        ("<div>bare<div>inner</div>tail</div>", ["bare", "inner", "tail"]),
        ("<p>one<br>two</p>", ["one two"]),
        ("<p>one<br><br>two<br> <br>three</p>", ["one", "two", "three"]),
        ("<p>one<hr>two</p>", ["one", "two"]),
        ("<p>see<img src=x>this<input>and</p>", ["see this and"]),
        ("<p>5&nbsp;km soft&shy;ly “so” it’s</p>", ["5\xa0km soft\xadly “so” it’s"]),
        ("<p>&nbsp; edge \xa0</p>", ["edge"]),
        ("<p>before<script>x</script>after</p>", ["beforeafter"]),
        ("<p>shown <span hidden>not</span><span style='display:none'>nor</span>here</p>", ["shown here"]),
        ("<p>for all <span class=sr-only>(new tab)</span></p>", ["for all"]),
        ("<p>unclosed<p>paragraphs<ul><li>a<li>b</ul>", ["unclosed", "paragraphs", "a", "b"]),
        ("<p>***</p><p>|</p><p>¶</p>", []),
        ("<h2>Title<a class=headerlink href='#title'>¶</a></h2>", ["Title"]),
        ("<p>a<ruby>b<rt>c</rt></ruby></p>", ["ab"]),
        ("<select><option>x</select><textarea>y</textarea><p>z</p>", ["z"]),
        ("<center>old</center><font>style</font>", ["old", "style"]),
    ],
)
def test_text(html: str, expected: list[str]) -> None:
    assert texts(read(f"<main>{html}</main>")) == expected


def test_kinds() -> None:
    page = read(
        "<main>bare<h3>Head</h3><p>para</p><ul><li>item<p>item p</p><ol><li>nested</ol></ul>"
        "<blockquote>quote<p>quote p</p><ul><li>quote li</ul></blockquote>"
        "<dl><dt>term<dd>definition<p>definition p</p></dl>"
        "<table><caption>cap</caption><tr><th>head cell<td>cell<p>cell p</p><ul><li>cell li</ul></table>"
        "<pre>code <b>x</b></pre><figure><figcaption>figure cap</figcaption></figure>"
        "<details><summary>sum</summary>inside</details></main>"
    )
    assert kinds(page) == [
        ("other", "bare"),
        ("heading", "Head"),
        ("paragraph", "para"),
        ("list_item", "item"),
        ("list_item", "item p"),
        ("list_item", "nested"),
        ("quote", "quote"),
        ("quote", "quote p"),
        ("quote", "quote li"),
        ("term", "term"),
        ("definition", "definition"),
        ("definition", "definition p"),
        ("caption", "cap"),
        ("table_header", "head cell"),
        ("table_cell", "cell"),
        ("table_cell", "cell p"),
        ("list_item", "cell li"),
        ("code", "code x"),
        ("caption", "figure cap"),
        ("caption", "sum"),
        ("other", "inside"),
    ]
    assert page.blocks[1].level == 3
    assert [block.ordinal for block in page.blocks] == list(range(len(page.blocks)))


def test_spans() -> None:
    block = block_of(
        "<p> Use <code>git <a href=/add>add</a></code> and <a href=/out> the\n<b>out</b>er </a>, press <kbd>Enter</kbd>"
        " or <button>Go</button><sup>1</sup>, not <del>this</del> <a name=x>place</a>.</p>"
    )
    assert block.text == "Use git add and the outer , press Enter or Go 1, not this place."
    assert parts(block, "link_spans") == ["add", "the outer"]
    assert parts(block, "code_spans") == ["git add", "Enter"]
    assert parts(block, "barred_spans") == ["Go", "1", "this"]


def test_a_link_around_blocks_leaves_a_span_in_each() -> None:
    page = read("<main><a href=/card><h3>Card</h3><p>All of it.</p></a><p>Then text.</p></main>")
    assert [block.link_spans for block in page.blocks] == [((0, 4),), ((0, 10),), ()]


def test_neighbouring_links_keep_their_own_spans() -> None:
    block = block_of("<p>Read <a href=/a>one</a><a href=/b>two</a> and more of this kind.</p>")
    assert parts(block, "link_spans") == ["one", "two"]


def test_lists_of_links() -> None:
    page = read(
        "<main><ul><li><a href=/a>Alpha</a><li><a href=/b>Beta</a>, new<li>See <a href=/c>Gamma</a> for more on it</ul>"
        "<p><a href=/d>Delta</a> | <a href=/e>Epsilon</a></p></main>"
    )
    assert [str(block.kind) for block in page.blocks] == ["link_list", "list_item", "list_item", "link_list"]


def test_an_unusual_element_inside_a_word_bars_its_block() -> None:
    assert parts(block_of("<p>l'<dfn>eau</dfn> bout</p>"), "barred_spans") == ["l'eau bout"]
    assert parts(block_of("<p>the <dfn>water</dfn> boils</p>"), "barred_spans") == []


def test_code_is_kept_whole_unless_it_holds_links() -> None:
    page = read(
        "<main><pre><span>def</span> <span>f</span>()\n  pass</pre><pre>see <a href=/f>f</a> there</pre></main>"
    )
    assert texts(page) == ["def f() pass", "see f there"]
    assert page.blocks[1].link_spans == ((4, 5),)


def test_json_round_trip() -> None:
    page = read("<main><h2>T</h2><p>Use <code>x</code> <a href=/a>here</a><sup>1</sup> and there</p></main>")
    assert [Block.from_json(block.ordinal, block.to_json()) for block in page.blocks] == list(page.blocks)


@pytest.mark.parametrize(
    ("html", "spans"),
    [
        ("<b>violin bow</b> rehairing", ((0, 10),)),
        ("<b><i>violin</i> bow</b> <font>re</font> hairing", ((0, 6), (0, 10), (11, 13))),
        ("<b><em>violin bow</em></b> rehairing", ((0, 10),)),
        ("<b>violin bow rehairing</b>", ()),
        ("violin <span> bow </span>rehairing", ((7, 10),)),
        ("<a href=/x><b>violin</b> bow</a> rehairing", ()),
        ("<code><span>violin</span> bow</code> rehairing", ()),
        ("<b>violin <a href=/x>bow</a></b> rehairing", ((0, 10),)),
        ("<b></b>violin<wbr> bow", ()),
    ],
)
def test_inline_elements_are_kept_as_spans(html: str, spans: tuple[tuple[int, int], ...]) -> None:
    block = read(f"<main><p>{html}</p></main>").blocks[0]
    assert block.inline_spans == spans
    assert Block.from_json(0, block.to_json()) == block


def test_a_quotation_in_a_line_is_barred_and_a_quoted_paragraph_is_no_place_for_links() -> None:
    page = read("<main><p>She said <q>violin bow</q> to me.</p><blockquote><p>Violin bow.</p></blockquote></main>")
    assert [block.barred_spans for block in page.blocks] == [((9, 19),), ()]
    assert [block.is_linkable for block in page.blocks] == [True, False]


def test_a_blockquote_in_which_editors_link_or_that_is_the_page_is_running_text() -> None:
    linked = "<blockquote><p>As <a href='https://example.org/bows'>told</a>, a violin bow.</p></blockquote>"
    page = read(f"<main><p>She said so to me and to others.</p>{linked}</main>")
    assert kinds(page)[1] == ("paragraph", "As told, a violin bow.")
    assert kinds(read("<main><blockquote><p>A violin bow.</p></blockquote></main>")) == [("paragraph", "A violin bow.")]
