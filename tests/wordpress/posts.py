"""Posts of many kinds for a real WordPress: classic and blocks, every script, everything that rendering changes."""
# ruff: noqa: E501 - raw contents as editors leave them

from dataclasses import dataclass

#: Raw contents by name; {n} is the post's number. Each is rendered by WordPress and by the reading of exports alike.
CONTENTS = {
    "classic": 'First paragraph of post {n}, it\'s "quoted" -- twice...\n\nSecond one\nwith a line break & an ampersand.\n\n'
    "A third, with <strong>bold words</strong> and a <a href=\"/post-{m}/\">link to another post</a>.",
    "classic headings": "<h2>A heading of {n}</h2>\nText after the heading.\n\n<ul>\n<li>One item</li>\n<li>Another item</li>\n</ul>\nText after the list.",
    "classic quote": "Before.\n\n<blockquote>What somebody said in 1999.</blockquote>\n\nAfter the quotation {n}.",
    "classic code": "Run <code>ls -- 'x'</code> now.\n\n<pre>keep \"this\" -- as it is\n\nand this</pre>\n\nThen go on with {n}.",
    "classic caption": '[caption id="attachment_5" align="alignnone" width="300"]<img src="/a.jpg" alt="A" width="300" /> A boat\'s hull[/caption]\n\nText below the picture {n}.',
    "classic gallery": "Before the gallery.\n\n[gallery ids=\"1,2,3\"]\n\nAfter the gallery {n}.",
    "classic table": "<table>\n<tbody>\n<tr>\n<td>Left {n}</td>\n<td>Right</td>\n</tr>\n</tbody>\n</table>\nBelow the table.",
    "classic div": "<div>A box with text {n}</div>\nOutside of the box.\n\n<div>\n\nIn a second box.\n\n</div>",
    "classic more": "The teaser {n}.\n\n<!--more-->\n\nThe rest of the story.",
    "crlf": "Windows line one {n}\r\n\r\nWindows line two\r\nbroken.",
    "blocks": "<!-- wp:paragraph -->\n<p>A block's paragraph {n} with \"quotes\" and a <a href=\"/post-{m}/\">link</a>.</p>\n<!-- /wp:paragraph -->\n\n"
    "<!-- wp:heading -->\n<h2 class=\"wp-block-heading\">Heading -- of {n}</h2>\n<!-- /wp:heading -->\n\n"
    "<!-- wp:list -->\n<ul><!-- wp:list-item -->\n<li>First</li>\n<!-- /wp:list-item -->\n\n<!-- wp:list-item -->\n<li>Second</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->",
    "blocks nested": '<!-- wp:group {"layout":{"type":"constrained"}} -->\n<div class="wp-block-group"><!-- wp:columns -->\n<div class="wp-block-columns"><!-- wp:column -->\n'
    '<div class="wp-block-column"><!-- wp:paragraph -->\n<p>In a column {n}.</p>\n<!-- /wp:paragraph --></div>\n<!-- /wp:column --></div>\n<!-- /wp:columns --></div>\n<!-- /wp:group -->',
    "blocks quote": '<!-- wp:quote -->\n<blockquote class="wp-block-quote"><!-- wp:paragraph -->\n<p>Said in {n}, isn\'t it?</p>\n<!-- /wp:paragraph --><cite>Somebody</cite></blockquote>\n<!-- /wp:quote -->\n\n<!-- wp:paragraph -->\n<p>After it.</p>\n<!-- /wp:paragraph -->',
    "blocks code": '<!-- wp:code -->\n<pre class="wp-block-code"><code>print("{n}") -- x</code></pre>\n<!-- /wp:code -->\n\n<!-- wp:paragraph -->\n<p>Use <code>"x"</code> then.</p>\n<!-- /wp:paragraph -->',
    "blocks table": '<!-- wp:table -->\n<figure class="wp-block-table"><table><tbody><tr><td>A{n}</td><td>B "b"</td></tr></tbody></table><figcaption class="wp-element-caption">Caption\'s text</figcaption></figure>\n<!-- /wp:table -->\n\n<!-- wp:paragraph -->\n<p>Text.</p>\n<!-- /wp:paragraph -->',
    "blocks image": '<!-- wp:image {"id":5} -->\n<figure class="wp-block-image"><img src="/a.jpg" alt="" class="wp-image-5"/><figcaption class="wp-element-caption">Seen in \'{n}</figcaption></figure>\n<!-- /wp:image -->\n\n<!-- wp:paragraph -->\n<p>Around it.</p>\n<!-- /wp:paragraph -->',
    "entities": "Fish &amp; chips &lt;b&gt; cost &euro;5 -- 5 &times; 3, AT&T &#8212; {n}&nbsp;km.",
    "typography": "'Tis the '90s, rock 'n' roll: 6'2\" tall, 9\" nails, she said \"it's 'fine' now\" -- or not --- maybe... (\"so\") 3x4 {n}.",
    "typography two": "He said, \"'Quoted inside' first.\" It's the dogs' dinner; '{n}' items. Well--known, A - B, x-- y. \"Two\" 'three' “curly” ‘kept’.",
    "german": "Straße {n}: „Grüße“ aus Köln, sagt's der \"Müller\" -- morgen.",
    "french": "L'été {n} d'après «Zola» : c'est \"l'œuvre\" -- voilà !",
    "japanese": "これは{n}番目の記事です。\"引用\"があります。\n\n二つ目の段落。",
    "chinese": "这是第{n}篇文章，包含“引号”和链接。",
    "arabic": "هذه هي المقالة رقم {n}، وفيها \"اقتباس\" قصير.",
    "hebrew": "זה הפוסט מספר {n}, עם 'מרכאות'.",
    "russian": "Это запись номер {n} -- с \"кавычками\" и тире.",
    "emoji": "A post with 👩‍👩‍👧 and 🎉 for {n}.",
    "nested inline": "Some <em>slanted <strong>and bold</strong></em>, <a href=\"/post-{m}/\">a <em>link</em> with marks</a>, end {n}.",
    "attributes": "A <span title=\"it's 'x' -- y\" data-x=\"a -- b\">span</span> and text's end {n}.",
    "shortcode": "Before [unknown_code a=\"it's\"] after {n}.",
    "breaks": "One<br />two<br>three {n}.\n\nLast.",
    "list tight": "<ol>\n\t<li>It's one</li>\n\t<li>Two {n}</li>\n</ol>",
    "definition": "<dl>\n<dt>Term {n}</dt>\n<dd>What it's about.</dd>\n</dl>\nAfter.",
    "html comment": "A<!-- hidden 'x' -->B {n}.",
    "control": "A bell\x08 in the text {n}.",
    "cdata": "An end ]]> of CDATA in {n}.",
    "long": "A sentence of a long post {n} that goes on. " * 60,
    "empty": "",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Post:
    title: str
    content: str
    kind: str = "post"
    status: str = "publish"
    password: str = ""


def make_posts(count: int) -> list[Post]:
    """As many published posts and pages, of every kind in turn; what is not public comes in addition."""
    names = list(CONTENTS)
    posts = []
    for number in range(count):
        name = names[number % len(names)]
        content = CONTENTS[name].replace("{n}", str(number)).replace("{m}", str((number + 7) % count))
        title = f"Post {number}: {name} & 'more' -- \"it\"" if number % 3 else f"Post {number}"
        posts.append(Post(title, content, "page" if number % 10 == 9 else "post"))
    hidden = [
        Post(f"Hidden {status}", "Not for everybody.", status=status) for status in ("draft", "private", "pending")
    ]
    return [*posts, *hidden, Post("Protected", "Behind a password.", password="open")]
