"""Pages that must never be suggested as targets, and spellings of links that must be known for what they are.

One English site; market pages name a page that must not be suggested beside one that may, so that an empty answer
proves nothing.
"""

from collections.abc import Callable, Mapping

import pytest

from embeddings.model_names import MINILM
from tests.bad_suggestions.pages import filler, goods, page, target_page
from tests.bad_suggestions.whole_run import Outcome
from tests.crawler.loopback import Answer

pytestmark = pytest.mark.django_db

_LONG = "".join(filler(thing, 4) for thing in ("acorn cups", "bent nails", "old corks", "river clay"))
_TEASERS = "".join(f"<h2><a href='/tell-{n}'>Tale {n}</a></h2><p>How it went in year {n}.</p>" for n in range(4))


def _listing(name: str) -> str:
    return page(name.capitalize(), f"<p>All about a {name}.</p>{_TEASERS}")


#: what is wrong with the page: the page's name, its path, what the server answers
NO_TARGETS: dict[str, tuple[str, str, Answer]] = {
    "a redirect": ("copper kettle", "/copper-kettle", (301, {"Location": "/"}, "")),
    "404": ("willow basket", "/willow-basket", (404, {}, target_page("willow basket"))),
    "410": ("brass lantern", "/brass-lantern", (410, {}, target_page("brass lantern"))),
    "500": ("oak ladder", "/oak-ladder", (500, {}, target_page("oak ladder"))),
    "soft 404 by its title": ("tin whistle", "/tin-whistle", page("Page not found", "<p>No tin whistle is here.</p>")),
    "soft 404 by its text": (
        "stone mortar",
        "/stone-mortar",
        page("Stone mortar", "<h2>Oops!</h2><p>Sorry, the page that you are looking for does not exist any more.</p>"),
    ),
    "noindex": (
        "glass funnel",
        "/glass-funnel",
        page("Glass funnel", filler("a glass funnel"), head="<meta name=robots content='noindex, follow'>"),
    ),
    "noindex by header": (
        "iron trivet",
        "/iron-trivet",
        (200, {"X-Robots-Tag": "noindex"}, target_page("iron trivet")),
    ),
    "canonical elsewhere": (
        "clay oven",
        "/clay-oven",
        page("Clay oven", filler("a clay oven"), head="<link rel=canonical href='/felt-slipper'>"),
    ),
    "blocked by robots.txt": ("pewter mug", "/private/pewter-mug", target_page("pewter mug")),
    "a draft by its title": (
        "walnut cradle",
        "/walnut-cradle",
        page("[Draft] Walnut cradle", filler("a walnut cradle")),
    ),
    "a draft by its address": ("canvas tent", "/canvas-tent?preview=true", target_page("canvas tent")),
    "behind a password": ("cedar chest", "/cedar-chest", (401, {"WWW-Authenticate": "Basic"}, "no")),
    "forbidden": ("ivory comb", "/ivory-comb", (403, {}, "no")),
    "a form for a password": (
        "silver thimble",
        "/silver-thimble",
        page(
            "Protected: Silver thimble",
            "<form method=post><p>This text is protected. Enter your password to see it:</p>"
            "<p><label>Password <input name=post_password type=password></label></p></form>",
        ),
    ),
    "a PDF": ("leather bellows", "/leather-bellows", (200, {"Content-Type": "application/pdf"}, "%PDF-1.4 leather")),
    "a picture": ("marble basin", "/marble-basin", (200, {"Content-Type": "image/png"}, b"\x89PNG\r\n\x1a\n\0\0")),
    "plain text": ("birch broom", "/birch-broom", (200, {"Content-Type": "text/plain"}, "A birch broom is good.")),
    "data": ("velvet curtain", "/velvet-curtain", (200, {"Content-Type": "application/json"}, '{"velvet": "curtain"}')),
    "another language": (
        "linen apron",
        "/linen-apron",
        page("Linen apron", "<p>Eine Schürze aus Leinen hält lange und wird weich.</p>", lang="de"),
    ),
    "a listing": ("wooden sledge", "/wooden-sledge", _listing("wooden sledge")),
    "a tag page": ("bronze bell", "/tag/bronze-bell", _listing("bronze bell")),
    "a category": ("rubber boot", "/category/rubber-boot", _listing("rubber boot")),
    "an archive by date": ("paper kite", "/2024/05/", _listing("paper kite")),
    "an author's page": ("cotton hammock", "/author/cotton-hammock", _listing("cotton hammock")),
    "search results": ("wicker chair", "/?s=wicker+chair", page("Search results for wicker chair", _TEASERS)),
    "a search form": (
        "steel anvil",
        "/search",
        page("Steel anvil search", "<form role=search><input type=search name=q></form><p>Find a steel anvil.</p>"),
    ),
    "a login page": (
        "crystal decanter",
        "/login",
        page("Crystal decanter login", "<p>Welcome.</p><form><input name=u><input type=password name=p></form>"),
    ),
    "a cart": ("maple paddle", "/cart", page("Maple paddle cart", "<p>Your cart is empty. No maple paddle yet.</p>")),
    "a checkout": ("bamboo rake", "/checkout/", page("Bamboo rake checkout", "<p>Pay for your bamboo rake.</p>")),
}
HEALTHY = ("granite bench", "porcelain doll", "wax candle", "horn spoon", "amber bead", "silk parasol")
#: how an existing link spells the address of the page with that name; PATH stands for it
SPELLINGS: dict[str, tuple[str, str]] = {
    "as it is": ("straw hat", "PATH"),
    "a trailing slash more": ("slate roof", "PATH/"),
    "a fragment": ("rope bridge", "PATH#rails"),
    "tracking parameters": ("goose quill", "PATH?utm_source=news&amp;fbclid=Ab1"),
    "a session": ("plum press", "PATH;jsessionid=0A1B2C"),
    "a redirect": ("cider barrel", "/go/old"),
    "two redirects": ("turf spade", "/go/older"),
    "index.html": ("honey jar", "PATH/index.html"),
    ".html": ("butter churn", "PATH.html"),
    "dot segments": ("weather vane", "/x/../PATH"),
    "needless escapes": ("chimney brush", "/%63himney%2Dbrush"),
    "scheme in capitals": ("rain barrel", "HTTP:PATH"),
    "a canonical address": ("piano stool", "/print/piano-stool"),
    "a link in a heading": ("sugar tongs", "PATH"),
}


def path_of(name: str) -> str:
    return "/" + name.replace(" ", "-")


def _linking_page(at: int, name: str, spelling: str, is_in_heading: bool) -> str:
    href = spelling.replace("PATH", path_of(name)).replace("//", "/")
    thing = f"the letter about {spelling}"
    told = f"<a href='{href}'>Somebody else</a> had this trouble with {thing}"
    linked = f"<h2>{told}</h2>" if is_in_heading else f"<p>{told}, says the tailor.</p>"
    return page(f"Letter {at}", f"{linked}<p>Bring a {name} with you on day {at}.</p>{filler(thing)}")


@pytest.fixture(scope="module")
def outcome(whole_run: Callable[..., Outcome]) -> Outcome:
    site: dict[str, Answer] = {
        "/": page("House and yard", filler("house and yard")),
        "/robots.txt": (200, {"Content-Type": "text/plain"}, "User-agent: *\nDisallow: /private/\n"),
        "/felt-slipper": target_page("felt slipper"),
        "/fair/itself": page("Wooden spoon", f"<p>Every wooden spoon is carved by hand.</p>{filler('a wooden spoon')}"),
        "/fair/itself-too": page("Carving", f"<p>He went to fetch a wooden spoon.</p>{filler('carving')}"),
    }
    for at, (name, path, answer) in enumerate(NO_TARGETS.values()):
        site[path] = answer
        healthy = HEALTHY[at % len(HEALTHY)]
        told = f"<p>They sold a {name} to a sailor.</p><p>The {healthy} stayed among {goods(at)}.</p>"
        site[f"/stall-{at}"] = page(f"Stall {at}", told + filler(goods(at), 1))
    for name in HEALTHY:
        site[path_of(name)] = target_page(name)
    site |= {
        "/go/old": (301, {"Location": "/cider-barrel"}, ""),
        "/go/older": (302, {"Location": "/go/oldest"}, ""),
        "/go/oldest": (308, {"Location": "/turf-spade"}, ""),
        "/print/piano-stool": page(
            "Piano stool", filler("a piano stool"), head="<link rel=canonical href='/piano-stool'>"
        ),
    }
    for at, (how, (name, spelling)) in enumerate(SPELLINGS.items()):
        site[path_of(name)] = target_page(name)
        site[f"/linking-{at}"] = _linking_page(at, name, spelling, how == "a link in a heading")
        site[f"/naming-{at}"] = page(f"Talk {at}", f"<p>Once a {name} saved the day.</p>{filler(goods(at + 31), 2)}")
    for copy in ("/slate-roof/", "/honey-jar/index.html", "/butter-churn.html"):
        site[copy] = site[copy.removesuffix("/").removesuffix("/index.html").removesuffix(".html")]
    return whole_run(site | _look_alikes(), model_name=MINILM)


def _look_alikes() -> Mapping[str, Answer]:
    """A page and its near-duplicate, and a page with its translation, each named in the other's text."""
    head = "<link rel=alternate hreflang=en href='/piano-tuner'><link rel=alternate hreflang=fr href='/accordeur'>"
    once, again = (
        f"{_LONG}<p>Not to be taken for the cork {word} of {year}.</p>" for word, year in (("puller", 1), ("drawer", 2))
    )
    return {
        "/cork-drawer": page("Cork drawer", once),
        "/cork-puller": page("Cork puller", again),
        "/corks": page("On corks", f"<p>A cork drawer is no cork puller.</p>{filler('corks of every size')}"),
        "/piano-tuner": page("Piano tuner", f"<p>In France he is called accordeur.</p>{filler('a tuner')}", head=head),
        "/accordeur": page("Accordeur", f"<p>The accordeur comes by train.</p>{filler('an accordeur')}", head=head),
        "/strings": page("Strings", f"<p>Write to the accordeur in time.</p>{filler('strings of gut')}"),
    }


@pytest.mark.parametrize("why", NO_TARGETS)
def test_the_page_is_no_target(outcome: Outcome, why: str) -> None:
    _, path, _ = NO_TARGETS[why]
    at = list(NO_TARGETS).index(why)
    assert path not in {item.target for item in outcome.suggestions}
    assert HEALTHY[at % len(HEALTHY)] in outcome.anchors(f"/stall-{at}", path_of(HEALTHY[at % len(HEALTHY)]))
    stored = outcome.pages.get(path)
    assert stored is None or not stored.is_target or stored.language == "de"


def test_the_page_itself(outcome: Outcome) -> None:
    assert all(item.source != item.target for item in outcome.suggestions)
    assert "/fair/itself" in outcome.targets_of("/fair/itself-too")


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_page_that_is_linked_already_under_any_spelling(outcome: Outcome, spelling: str) -> None:
    name, _ = SPELLINGS[spelling]
    at = list(SPELLINGS).index(spelling)
    assert path_of(name) not in outcome.targets_of(f"/linking-{at}")
    assert outcome.on(f"/linking-{at}"), "without suggestions the page proves nothing"
    assert name in outcome.anchors(f"/naming-{at}", path_of(name))


def test_one_page_under_two_spellings_is_one_target(outcome: Outcome) -> None:
    for copy, original in (
        ("/slate-roof/", "/slate-roof"),
        ("/honey-jar/index.html", "/honey-jar"),
        ("/butter-churn.html", "/butter-churn"),
    ):
        assert {outcome.pages[copy].status, outcome.pages[original].status} == {"read", "redirect"}


def test_a_near_duplicate(outcome: Outcome) -> None:
    assert "/cork-puller" not in outcome.targets_of("/cork-drawer")
    assert "/cork-drawer" not in outcome.targets_of("/cork-puller")
    assert {"/cork-drawer", "/cork-puller"} & outcome.targets_of("/corks")


def test_the_same_page_in_another_language(outcome: Outcome) -> None:
    assert "/accordeur" not in outcome.targets_of("/piano-tuner")
    assert "accordeur" in outcome.anchors("/strings", "/accordeur")


def test_a_sidebar_that_links_to_every_page_makes_no_page_linked(whole_run: Callable[..., Outcome]) -> None:
    """Neither one in a landmark nor one without any telling name, within the main content."""
    names = (*HEALTHY, "straw hat", "slate roof", "rope bridge", "goose quill")
    items = "".join(f"<li><a href='{path_of(name)}'>{name.capitalize()}</a></li>" for name in names)
    for frame in ("<nav><ul>{}</ul></nav>", "<footer><ul>{}</ul></footer>", "<div><ul>{}</ul></div>"):
        bar = frame.format(items)
        site = {"/": page("House", filler("the house") + bar)}
        for at, name in enumerate(names):
            other = names[(at + 1) % len(names)]
            told = f"<p>Whoever has a {name} wants a {other} next.</p>"
            site[path_of(name)] = page(name.capitalize(), told + filler(f"a {name}") + bar)
        outcome = whole_run(site)
        for at, name in enumerate(names):
            other = names[(at + 1) % len(names)]
            assert other in outcome.anchors(path_of(name), path_of(other)), (frame, name)
