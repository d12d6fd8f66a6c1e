"""Why a link is proposed, in plain words, strongest first. Leaves the numbers to `features`."""

from recommendations.engine.features import FEATURES, SourceFeatures
from recommendations.engine.site_model import SiteModel

_COLUMN = {name: index for index, name in enumerate(FEATURES)}


def reasons_for(model: SiteModel, features: SourceFeatures, column: int, row: int, anchor_text: str) -> tuple[str, ...]:
    """At most four sentences about candidate number `column` placed in sentence number `row`."""
    raw, z = features.raw[column], features.z[column]
    found: list[tuple[float, str]] = []

    def add(name: str, is_true: bool, sentence: str) -> None:
        if is_true:
            found.append((float(z[_COLUMN[name]]), sentence))

    value = {name: float(raw[index]) for name, index in _COLUMN.items()}
    strength = {name: float(z[index]) for name, index in _COLUMN.items()}
    add(
        "known_anchor",
        features.anchors[row, column] > 0.2,
        f"Other pages of the site link to it with “{anchor_text}” or words of this sentence.",
    )
    add("name_mention", features.mentions[row, column] > 0, "This sentence names the target page word for word.")
    add(
        "sentence_name_cover",
        features.mentions[row, column] == 0 and features.covers[row, column] >= 0.5,
        f"This sentence holds {features.covers[row, column]:.0%} of what is telling in the target's name.",
    )
    add("page_cosine", strength["page_cosine"] > 1.5, "The two pages are about closely related things.")
    add(
        "sentence_name_cosine",
        strength["sentence_name_cosine"] > 1.5,
        "A sentence of this page means much the same as the target's name.",
    )
    add("neighbour_links", value["neighbour_links"] >= 0.1, "Pages like this one link to it.")
    add("links_back", value["links_back"] > 0, "The target already links to this page.")
    add("inlinks", strength["inlinks"] > 1.5, "The site links to it often.")
    found.sort(key=lambda item: -item[0])
    return tuple(sentence for _, sentence in found[:4]) or (
        "Taken together, its signals are the best that this page has.",
    )
