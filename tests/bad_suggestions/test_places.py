"""Places where no link may stand, each with the name of a page that the same site does suggest in running text.

One site: a page for each name, a page for each place that holds the name there and nowhere else, and pages that say the
names in plain sentences. The last are the control: nothing is forbidden about the words themselves.
"""

from collections.abc import Callable

import pytest

from tests.bad_suggestions.pages import filler, page, target_page
from tests.bad_suggestions.whole_run import Outcome

pytestmark = pytest.mark.django_db

#: the name of a page, the place where it stands, the thing that the rest of the page is about
PLACES: dict[str, tuple[str, str, str]] = {
    "a": ("copper kettle", "<p>Look at this: <a href='https://elsewhere.example/'>a copper kettle</a>.</p>", "acorns"),
    "h1": ("willow basket", "<h1>The willow basket</h1>", "buttons"),
    "h2": ("brass lantern", "<h2>Every brass lantern</h2>", "corks"),
    "h6": ("oak ladder", "<h6>An oak ladder or two</h6>", "feathers"),
    "heading in a cell": ("tin whistle", "<table><tr><td><h4>A tin whistle</h4></td></tr></table>", "gravel"),
    "pre": ("stone mortar", "<pre>fetch stone mortar --now</pre>", "hinges"),
    "code block": ("glass funnel", "<pre><code>with open(glass funnel) as it</code></pre>", "icicles"),
    "highlighted code": (
        "iron trivet",
        "<div class=highlight><pre><span>iron</span> <span>trivet</span></pre></div>",
        "jugs",
    ),
    "script": ("clay oven", "<script>say('the clay oven is hot')</script>", "knots"),
    "style": ("felt slipper", "<style>.x:before { content: 'felt slipper' }</style>", "lentils"),
    "template": ("pewter mug", "<template><p>A pewter mug stands here.</p></template>", "moss"),
    "button": ("walnut cradle", "<p>Do <button>Rock the walnut cradle</button> now.</p>", "nails"),
    "label": ("canvas tent", "<p><label>A canvas tent <input name=t></label> please.</p>", "oats"),
    "option": ("cedar chest", "<p><select><option>A cedar chest</option></select> please.</p>", "pebbles"),
    "figcaption": (
        "ivory comb",
        "<figure><img src=i.png alt=''><figcaption>An ivory comb</figcaption></figure>",
        "quilts",
    ),
    "caption": (
        "silver thimble",
        "<table><caption>Each silver thimble</caption><tr><td>1</td></tr></table>",
        "ribbons",
    ),
    "th": ("leather bellows", "<table><tr><th>Leather bellows</th><td>12</td></tr></table>", "saddles"),
    "dt": ("marble basin", "<dl><dt>Marble basin</dt><dd>It is cold.</dd></dl>", "tallow"),
    "title attribute": ("birch broom", "<p title='a birch broom'>Sweep it away.</p>", "umbrellas"),
    "alt": ("velvet curtain", "<p>See it <img src=v.png alt='a velvet curtain'> here.</p>", "vinegar"),
    "attribute with >": ("linen apron", "<p data-note='1 > 0 so a linen apron'>Dinner is served.</p>", "walnuts"),
    "nav": ("wooden sledge", "<nav><p>The wooden sledge and more</p></nav>", "yarn"),
    "menu": ("bronze bell", "<div class='main-menu'><span>The bronze bell</span> <a href='/'>Home</a></div>", "zinc"),
    "table of contents": (
        "rubber boot",
        "<div><a href='#r'>A rubber boot</a> <a href='#s'>Socks</a> <a href='#t'>Laces</a></div>",
        "anchors",
    ),
    "named table of contents": (
        "paper kite",
        "<div class=toc><ul><li>A paper kite</li><li>Wind</li></ul></div>",
        "bottles",
    ),
    "references": (
        "cotton hammock",
        "<ol class=references><li>Mr. Hay, The cotton hammock, 1911.</li></ol>",
        "candles",
    ),
    "footnotes": (
        "wicker chair",
        "<section class=footnotes><ol><li id=fn1>On the wicker chair. <a href='#ref1'>↩</a></li></ol></section>",
        "dishes",
    ),
    "footnotes without a name": (
        "steel anvil",
        "<hr><ol><li id=fn2><p>About the steel anvil nobody agrees. <a href='#fnref2'>↩</a></p></li></ol>",
        "eggshells",
    ),
    "tweet": (
        "crystal decanter",
        "<blockquote class=twitter-tweet><p>My crystal decanter broke!</p>— Ann (@ann) "
        "<a href='https://twitter.com/ann/status/1'>1 May</a></blockquote>",
        "fences",
    ),
    "tweet without a class": (
        "maple paddle",
        "<blockquote><p>My maple paddle broke!</p>— Ann (@ann) "
        "<a href='https://x.com/ann/status/12'>May 1</a></blockquote>",
        "goblets",
    ),
    "quotation with its source": (
        "bamboo rake",
        "<blockquote cite='https://elsewhere.example/book'><p>The bamboo rake was my friend.</p>"
        "<footer>— <cite>Anna Low</cite></footer></blockquote>",
        "hammers",
    ),
    "quotation in a line": ("granite bench", "<p>He cried <q>a granite bench</q> and left.</p>", "inkwells"),
    "card": (
        "porcelain doll",
        "<div class=card><h3><a href='/more'>More</a></h3><p>A porcelain doll told us.</p></div>",
        "jars",
    ),
    "cards without a name": (
        "wax candle",
        "<div><div><h3><a href='/t1'>Snow</a></h3><p>How a wax candle burns.</p></div>"
        "<div><h3><a href='/t2'>Hail</a></h3><p>What ice does to wheat.</p></div>"
        "<div><h3><a href='/t3'>Sleet</a></h3><p>The worst of both.</p></div></div>",
        "kilns",
    ),
    "teasers without headings": (
        "clay pipe",
        "<div><a href='/v1'>Coal</a></div><div>How a clay pipe is lit.</div><div><a href='/v2'>Peat</a></div>"
        "<div>Cut in May.</div><div><a href='/v3'>Wood</a></div><div>It must be dry.</div>",
        "wrenches",
    ),
    "related posts": (
        "horn spoon",
        "<section class=related><p>Also read how a horn spoon is cut.</p></section>",
        "looms",
    ),
    "related posts under a heading": (
        "amber bead",
        "<h2>Related posts</h2><ul><li><a href='/u1'>Sand</a> An amber bead from the sea.</li>"
        "<li><a href='/u2'>Silt</a> A river's gift.</li><li><a href='/u3'>Loam</a> The best of soils.</li></ul>",
        "mallets",
    ),
    "author box": (
        "silk parasol",
        "<div class=author-box><p>Ben likes every silk parasol that he meets.</p></div>",
        "needles",
    ),
    "cookie banner": (
        "straw hat",
        "<div id=cookie-banner>We use cookies under a straw hat. <button>Fine</button></div>",
        "ovens",
    ),
    "cookie dialog": (
        "slate roof",
        "<div role=dialog aria-label=Privacy><p>We keep cookies below the slate roof.</p></div>",
        "pulleys",
    ),
    "comment": (
        "rope bridge",
        "<ol class=commentlist><li><p>I fell off the rope bridge twice!</p></li></ol>",
        "quivers",
    ),
    "comment in HTML": ("goose quill", "<!-- the goose quill is out of stock -->", "rafters"),
    "inline code": ("plum press", "<p>Call <code>plum press</code> when it is ripe.</p>", "sieves"),
    "kbd": ("cider barrel", "<p>Press <kbd>cider barrel</kbd> to go on.</p>", "troughs"),
    "samp": ("turf spade", "<p>It says <samp>turf spade</samp> on the screen.</p>", "urns"),
    "hidden": ("honey jar", "<p hidden>The honey jar is empty.</p>", "violins"),
    "aria-hidden": ("butter churn", "<p aria-hidden=true>The butter churn is empty.</p>", "wagons"),
    "display:none": (
        "weather vane",
        "<div style='color: red; display : none'><p>The weather vane turns.</p></div>",
        "yokes",
    ),
    "display:none by style sheet": (
        "chimney brush",
        "<style>.unseen, .x { display: none }</style><p class=unseen>The chimney brush is black.</p>",
        "thatch",
    ),
    "display:none by a class of the style sheet's": (
        "pine crate",
        "<div class='panel d-none'><p>The pine crate is for later.</p></div>",
        "scythes",
    ),
    "list of links": (
        "rain barrel",
        "<p><a href='/s1'>Gutters</a> | <a href='/s2'>Pipes</a> | <a href='/s3'>Drains</a> | "
        "<a href='/s4'>Ponds</a> | rain barrel</p>",
        "sickles",
    ),
    "shortcode": ("piano stool", "<p>Here it is: [gallery title='piano stool' ids='1']. Enjoy it.</p>", "spindles"),
    "shortcode around text": ("sugar tongs", "<p>[pullquote]The sugar tongs are lost.[/pullquote] Alas.</p>", "bolts"),
    "Markdown that was left": ("reed organ", "<p>Here is ![a reed organ](organ.png) and [[reed organ]].</p>", "stoves"),
    "an address": ("corn mill", "<p>Write to corn@mill.example or see https://corn.example/mill today.</p>", "shovels"),
    "block comment": ("milk pail", '<!-- wp:paragraph {"note":"the milk pail is full"} --><p>It rains.</p>', "flasks"),
    "escaped block comment": ("bread crock", '<p>&lt;!-- wp:heading {"content":"the bread crock"} --&gt;</p>', "tiles"),
    "escaped markup": ("fire tongs", '<p>&lt;img alt="the fire tongs" src="x"&gt; was there.</p>', "ploughs"),
}
#: how many names a control page says, and how
_ON_A_PAGE = 3
_SALES = (
    "Early in the morning the widow of the miller took home a {} for nine coins.",
    "Nobody wanted to haggle over a {} in such rain, so it went cheaply.",
    "By noon the last {} had found its owner, and the horses were fed.",
)


@pytest.fixture(scope="module")
def outcome(whole_run: Callable[..., Outcome]) -> Outcome:
    site = {"/": page("Things of the house", filler("things of the house"))}
    names = [name for name, _, _ in PLACES.values()]
    for name, html, thing in PLACES.values():
        site[f"/{name.replace(' ', '-')}"] = target_page(name)
        site[f"/{thing.replace(' ', '-')}"] = page(
            thing.capitalize(), filler(thing) + html + filler(f"some old {thing}", 2)
        )
    for start in range(0, len(names), _ON_A_PAGE):
        sold = names[start : start + _ON_A_PAGE]
        told = "".join(f"<p>{_SALES[at].format(name)}</p>" for at, name in enumerate(sold))
        site[f"/sold-{start}"] = page(f"Fair number {start}", told)
    return whole_run(site)


@pytest.mark.parametrize("place", PLACES)
def test_no_link_stands_there(outcome: Outcome, place: str) -> None:
    name, _, thing = PLACES[place]
    assert outcome.pages[f"/{thing.replace(' ', '-')}"].status == "read"
    assert outcome.on(f"/{thing.replace(' ', '-')}"), "the page must have suggestions, or the test proves nothing"
    offered = outcome.words_offered_on(f"/{thing.replace(' ', '-')}")
    assert not [text for text in offered if set(name.split()) & set(text.split())], offered


def test_the_same_words_are_suggested_in_running_text(outcome: Outcome) -> None:
    names = [name for name, _, _ in PLACES.values()]
    offered = {
        name: outcome.anchors(f"/sold-{at - at % _ON_A_PAGE}", f"/{name.replace(' ', '-')}")
        for at, name in enumerate(names)
    }
    assert not {name: texts for name, texts in offered.items() if name not in texts}
