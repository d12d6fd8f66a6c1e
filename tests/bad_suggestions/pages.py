"""Pages of our own in plain words. Each speaks of its own things: what many pages say would pass for a template."""

from collections.abc import Sequence

_PEOPLE = ("The baker", "The ferryman", "Our neighbour", "A shepherd", "The glazier", "The postwoman", "An old tailor")
_HABITS = (
    "keeps a ledger of {0} since the spring flood",
    "would rather speak about {0} than about the weather",
    "asked the council for a shelf of {0} last autumn",
    "painted {0} on the door of the barn",
    "swapped two geese for {0} at the winter fair",
    "spent a whole evening sorting {0} by size",
    "dreams of {0} whenever it snows",
)


_KINDS = ("old", "blue", "heavy", "narrow", "painted", "borrowed", "empty", "wet")
_GOODS = ("crates", "sacks", "ropes", "tiles", "barrels", "planks", "hoops")


def goods(number: int) -> str:
    """Something to speak of, another for each number below 56. Digits alone make no text another."""
    return f"{_KINDS[number % 8]} {_GOODS[number % 7]}"


def filler(thing: str, sentences: int = 3) -> str:
    """A paragraph that holds `thing` and little else, unlike any other page's."""
    seed = sum(map(ord, thing))
    told = [f"{_PEOPLE[(seed + at) % 7]} {_HABITS[(seed // 7 + 2 * at) % 7].format(thing)}." for at in range(sentences)]
    return f"<p>{' '.join(told)}</p>"


def page(title: str, body: str, *, lang: str = "en", head: str = "", around: str = "") -> str:
    """A whole page with its text in <main>; `around` stands before it."""
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>{head}</head>'
        f"<body>{around}<main><h1>{title}</h1>{body}</main></body></html>"
    )


def target_page(name: str, facts: Sequence[str] = ()) -> str:
    """A page about `name` with a text of its own."""
    told = " ".join(facts) or (
        f"What a beginner should know about the {name}: where it comes from and how long it lasts. "
        f"Whoever owns a {name} cleans it twice a year. A good {name} is dear, a bad one dearer."
    )
    return page(name.capitalize(), f"<p>{told}</p>")
