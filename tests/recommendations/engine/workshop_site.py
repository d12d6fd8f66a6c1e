"""A made-up site of sixty pages in two sections, whose pages name each other: enough links and text to learn from."""

import random

from tests.recommendations.engine.small_site import page

_THINGS = (
    *("lever", "cable", "wheel", "spoke", "chain", "saddle", "pedal", "crank", "fork", "frame", "tyre", "valve"),
    *("pump", "lamp", "bell", "basket", "mudguard", "bearing", "axle", "hub", "rim", "tube", "sprocket", "cassette"),
    *("derailleur", "shifter", "grip", "stem", "headset", "bracket", "bolt", "spanner", "stand", "lock"),
)
_MATERIALS = ("steel", "carbon", "copper", "rubber", "leather", "canvas")
_VERBS = ("clean", "replace", "adjust", "inspect", "store", "grease", "tighten", "loosen", "measure", "polish")
LINKED_SHARE = 0.6


def workshop_site(n_pages: int = 60, seed: int = 7, linked_share: float = LINKED_SHARE) -> dict[str, str]:
    """{path: HTML}. Every page names six others in sentences about them; `linked_share` of these names are links."""
    rolls = random.Random(seed)
    pairs = [(material, thing) for thing in _THINGS for material in _MATERIALS]
    rolls.shuffle(pairs)
    names = [f"{material} {thing}" for material, thing in pairs[:n_pages]]
    paths = [
        f"/{'guides' if number % 2 == 0 else 'news'}/{name.replace(' ', '-')}" for number, name in enumerate(names)
    ]
    site = {}
    for number, name in enumerate(names):
        about = [f"<p>How to {verb} the {name} before winter comes.</p>" for verb in rolls.sample(_VERBS, 3)]
        for other in rolls.sample([at for at in range(n_pages) if at != number], 6):
            shown = f'<a href="{paths[other]}">{names[other]}</a>' if rolls.random() < linked_share else names[other]
            about.append(f"<p>Riders {rolls.choice(_VERBS)} it together with the {shown} on rainy days.</p>")
        rolls.shuffle(about)
        site[paths[number]] = page(f"{name.title()}", "".join(about))
    return site
