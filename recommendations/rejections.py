"""What editors refused, and how far each refusal reaches: the pair of pages, the words, or the place.

Leaves refusing to `decisions`; the engine's service hands these to the engine, so that they are never proposed again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from crawler.models import Page
from recommendations.anchor_words import fold_anchor
from recommendations.models import Decision, Recommendation, RejectReason, Status

#: The target is wrong for this page, or needs no link: never this target on this page.
PAIR_REASONS = frozenset({RejectReason.IRRELEVANT_TARGET, RejectReason.ALREADY_COVERED, RejectReason.OTHER})
#: The words are wrong, or mean something else here: never these words for this target on this page.
ANCHOR_REASONS = frozenset({RejectReason.BAD_ANCHOR, RejectReason.WRONG_MEANING})
#: The sentence is wrong: never this sentence for this target on this page.
PLACE_REASONS = frozenset({RejectReason.WRONG_PLACE})


@dataclass(frozen=True, slots=True)
class Rejections:
    """Keys hold normalized URLs of source and target, folded anchors, sentence hashes."""

    pairs: frozenset[tuple[str, str]] = frozenset()
    anchors: frozenset[tuple[str, str, str]] = frozenset()
    places: frozenset[tuple[str, str, str]] = frozenset()

    def is_covering(self, source_url: str, target_url: str, anchor_text: str, sentence_hash: str) -> bool:
        """Whether a link that is proposed was refused before."""
        return (
            (source_url, target_url) in self.pairs
            or (source_url, target_url, fold_anchor(anchor_text)) in self.anchors
            or (source_url, target_url, sentence_hash) in self.places
        )


_KEYS = ("source_url", "target_url", "anchor_text", "sentence_hash", "reason")


def rejections(site_id: int) -> Rejections:
    """Everything that was refused on a site."""
    return gather_rejections(
        Decision.objects.filter(site_id=site_id, status=Status.REJECTED).values_list(*_KEYS).iterator()
    )


def gather_rejections(rows: Iterable[Sequence[str]]) -> Rejections:
    """Rejections out of (source_url, target_url, anchor_text, sentence_hash, reason) rows."""
    pairs, anchors, places = set(), set(), set()
    for source_url, target_url, anchor_text, sentence_hash, reason in rows:
        if reason in ANCHOR_REASONS:
            anchors.add((source_url, target_url, fold_anchor(anchor_text)))
        elif reason in PLACE_REASONS:
            places.add((source_url, target_url, sentence_hash))
        else:
            pairs.add((source_url, target_url))
    return Rejections(frozenset(pairs), frozenset(anchors), frozenset(places))


def blocked_pairs(site_id: int) -> set[tuple[int, int]]:
    """(source page id, target page id) of the pairs that were refused as a whole."""
    pairs = rejections(site_id).pairs
    urls = list({url for pair in pairs for url in pair})
    ids: dict[str, int] = {}
    for start in range(0, len(urls), 400):
        chunk = urls[start : start + 400]
        ids.update(Page.objects.filter(site_id=site_id, url__in=chunk).values_list("url", "id"))
    return {(ids[source], ids[target]) for source, target in pairs if source in ids and target in ids}


def covering_rejections(row: Recommendation) -> QuerySet[Decision]:
    """The decisions because of which this suggestion is not shown as pending."""
    of_pair = Decision.objects.filter(
        site_id=row.site_id, source_url=row.source.url, target_url=row.target.url, status=Status.REJECTED
    )
    keys = (row.source.url, row.target.url, row.anchor_text, row.sentence_hash)
    covering = [pk for pk, *rest in of_pair.values_list("pk", *_KEYS) if gather_rejections([rest]).is_covering(*keys)]
    return Decision.objects.filter(pk__in=covering)
