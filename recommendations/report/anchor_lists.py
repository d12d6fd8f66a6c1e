"""The report's lists of anchor texts: by target, one by one, and those that lead to several pages.

Links from content alone: what a menu calls a page says nothing about its authors. Texts are folded as editors fold
them; which ones are generic is the engine's own judgement.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from recommendations.engine.words import fold, is_generic_anchor, split_words
from recommendations.report.rows import Row, page_cell
from recommendations.report.site_facts import PageFacts, SiteFacts

GENERIC, EMPTY, TELLING = "generic", "empty", "telling"


@dataclass(frozen=True, slots=True)
class Anchor:
    """One folded text with which content links to one page. `written` is how it is written most often."""

    target: PageFacts
    folded: str
    written: str
    language: str
    links: int
    kind: str


def find_anchors(facts: SiteFacts) -> list[Anchor]:
    """Every (target, text) that other pages' content links with, ordered by target and how often."""
    keep = facts.is_editorial & (facts.targets >= 0) & (facts.targets != facts.sources)
    forms: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    languages: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    folded = [fold(text) for text in facts.anchor_texts]
    columns = (facts.targets[keep], facts.anchors[keep], facts.sources[keep])
    for target, anchor, source in zip(*(column.tolist() for column in columns), strict=True):
        key = (target, folded[anchor])
        forms[key][facts.anchor_texts[anchor]] += 1
        languages[key][facts.pages[source].language] += 1
    anchors = []
    for key, written in forms.items():
        language = languages[key].most_common(1)[0][0]
        text = min(written, key=lambda form: (-written[form], form))
        anchors.append(
            Anchor(facts.pages[key[0]], key[1], text, language, written.total(), _kind_of(key[1], text, language))
        )
    return sorted(anchors, key=lambda anchor: (anchor.target.position, -anchor.links, anchor.folded))


def _kind_of(folded: str, text: str, language: str) -> str:
    if not folded:
        return EMPTY
    words = split_words(text, language)
    return GENERIC if words and is_generic_anchor(text, words) else TELLING


def list_anchor_texts(anchors: list[Anchor]) -> Iterator[Row]:
    """Every text, most used first; its group is the target's id."""
    for anchor in sorted(anchors, key=lambda anchor: (-anchor.links, anchor.folded, anchor.target.url)):
        cells = {"target": page_cell(anchor.target), "anchor": anchor.written, "links": anchor.links}
        yield Row(cells, anchor.kind, group=anchor.target.id)


def list_anchors(anchors: list[Anchor]) -> Iterator[Row]:
    """Each target with what its texts amount to, most linked first."""
    by_target: dict[int, list[Anchor]] = defaultdict(list)
    for anchor in anchors:
        by_target[anchor.target.position].append(anchor)
    rows = []
    for texts in by_target.values():
        links = sum(anchor.links for anchor in texts)
        most = texts[0]
        cells = {
            "page": page_cell(most.target),
            "links": links,
            "texts": len(texts),
            "diversity": round(len(texts) / links, 4),
            "generic": sum(anchor.links for anchor in texts if anchor.kind == GENERIC),
            "empty": sum(anchor.links for anchor in texts if anchor.kind == EMPTY),
            "most_used": most.written,
            "most_used_share": round(most.links / links, 4),
        }
        rows.append(Row(cells, group=most.target.id))
    yield from sorted(rows, key=lambda row: (-row.cells["links"], row.cells["page"]["url"]))


def ambiguous_anchors(anchors: list[Anchor]) -> list[list[Anchor]]:
    """Texts of one language that lead to several pages, by how many; generic and empty ones lead anywhere by nature."""
    by_text: dict[tuple[str, str], list[Anchor]] = defaultdict(list)
    for anchor in anchors:
        if anchor.kind == TELLING:
            by_text[anchor.language, anchor.folded].append(anchor)
    several = [found for found in by_text.values() if len(found) > 1]
    return sorted(several, key=lambda found: (-len(found), -sum(anchor.links for anchor in found), found[0].folded))


def list_ambiguous(groups: list[list[Anchor]]) -> Iterator[Row]:
    """One row a text; its group opens the pages that it leads to."""
    for number, found in enumerate(groups, start=1):
        cells = {
            "anchor": found[0].written,
            "language": found[0].language,
            "targets": len(found),
            "links": sum(anchor.links for anchor in found),
        }
        yield Row(cells, group=number)


def list_ambiguous_targets(groups: list[list[Anchor]]) -> Iterator[Row]:
    """One row for each page that such a text leads to."""
    for number, found in enumerate(groups, start=1):
        for anchor in sorted(found, key=lambda anchor: (-anchor.links, anchor.target.url)):
            cells = {"anchor": anchor.written, "target": page_cell(anchor.target), "links": anchor.links}
            yield Row(cells, group=number)


def share_generic(anchors: list[Anchor]) -> float | None:
    """Share of the links from content whose words say nothing; None where there are no links."""
    total = sum(anchor.links for anchor in anchors)
    generic = sum(anchor.links for anchor in anchors if anchor.kind == GENERIC)
    return float(np.round(generic / total, 4)) if total else None
