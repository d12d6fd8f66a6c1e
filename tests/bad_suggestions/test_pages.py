"""Pages whose text is not to be taken at face value: the site's template, quizzes, messages, output, a changed page."""

from collections.abc import Callable

import pytest

from tests.bad_suggestions.pages import filler, goods, page, target_page
from tests.bad_suggestions.whole_run import Outcome

pytestmark = pytest.mark.django_db

_FRAME = (
    "<p>{} is our motto, and a copper kettle is on every table of the inn.</p>",
    "<div><p>Call the inn about a willow basket before nine o'clock.</p></div>",
)
#: what stands on one page only and is no running text; WORDS stands for the name
NO_RUNNING_TEXT: dict[str, tuple[str, str]] = {
    "options of a quiz": ("brass lantern", "<ul class=quiz-options><li>A brass lantern</li><li>A tin pot</li></ul>"),
    "radio buttons": (
        "oak ladder",
        "<p>Which is the best?</p><ul><li><label><input type=radio name=q> An oak ladder</label></li>"
        "<li><label><input type=radio name=q> A rope</label></li></ul>",
    ),
    "radio buttons without labels": (
        "bamboo flute",
        "<p>Pick: <input type=radio name=p> a bamboo flute <input type=radio name=p> a drum</p>",
    ),
    "boxes to tick": ("tin whistle", "<p><input type=checkbox id=w><label for=w>A tin whistle</label></p>"),
    "a caption": ("stone mortar", "<figure><img src=a.png alt=''><figcaption>A stone mortar.</figcaption></figure>"),
    "a caption of old": ("glass funnel", "<div class=wp-caption><p class=wp-caption-text>A glass funnel.</p></div>"),
    "an error message": ("iron trivet", "<p class=error-message>No iron trivet was found.</p>"),
    "an alert": ("clay oven", "<div role=alert>The clay oven is out of order.</div>"),
    "output of a program": ("felt slipper", "<div class=code-output>felt slipper: 12</div>"),
    "samp": ("pewter mug", "<p>It prints <samp>pewter mug</samp> at once.</p>"),
    "a field to fill in": ("walnut cradle", "<form><p>Name a walnut cradle: <input name=w></p></form>"),
    "a text area": ("canvas tent", "<p><textarea>A canvas tent.</textarea></p>"),
    "a dialog": ("cedar chest", "<dialog open><p>Take the cedar chest?</p></dialog>"),
}


def path_of(name: str) -> str:
    return "/" + name.replace(" ", "-")


@pytest.fixture(scope="module")
def outcome(whole_run: Callable[..., Outcome]) -> Outcome:
    site = {"/": page("Inn", filler("the inn"))}
    for name in ("copper kettle", "willow basket"):
        site[path_of(name)] = target_page(name)
    for at, (name, html) in enumerate(NO_RUNNING_TEXT.values()):
        site[path_of(name)] = target_page(name)
        frame = _FRAME[0].format("Rest") + _FRAME[1]
        site[f"/shown-{at}"] = page(f"Room with {goods(at)}", frame + filler(goods(at)) + html + filler(goods(at + 20)))
        site[f"/told-{at}"] = page(
            f"Hall with {goods(at + 30)}", f"<p>In the hall a {name} stood among {goods(at)}.</p>"
        )
    site["/kettles"] = page("Morning", f"<p>One copper kettle and one willow basket were sold.</p>{filler('dawn')}")
    return whole_run(site)


def test_text_of_many_pages_is_the_sites_template(outcome: Outcome) -> None:
    for at in range(len(NO_RUNNING_TEXT)):
        assert outcome.pages[f"/shown-{at}"].template
        assert outcome.on(f"/shown-{at}")
        offered = " ".join(outcome.words_offered_on(f"/shown-{at}"))
        assert "kettle" not in offered
        assert "basket" not in offered
    assert "copper kettle" in outcome.anchors("/kettles", "/copper-kettle")
    assert "willow basket" in outcome.anchors("/kettles", "/willow-basket")


@pytest.mark.parametrize("what", NO_RUNNING_TEXT)
def test_no_running_text(outcome: Outcome, what: str) -> None:
    at, (name, _) = list(NO_RUNNING_TEXT).index(what), NO_RUNNING_TEXT[what]
    offered = outcome.words_offered_on(f"/shown-{at}")
    assert offered
    assert not [text for text in offered if set(name.split()) & set(text.split())], offered
    assert name in outcome.anchors(f"/told-{at}", path_of(name))
