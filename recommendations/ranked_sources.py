"""Rows of RankedSource as the engine's values and back: what is kept of single source pages from run to run.

Leaves whether they may be gone on with to `recrawl`.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crawler.extraction.types import block_sha256, text_hash
from recommendations.engine.near_duplicates import N_HASHES
from recommendations.engine.remembered import remember
from recommendations.engine.run import RankedPage, TriedPair
from recommendations.engine.site_model import KnownPages, SiteModel
from recommendations.engine.types import AnchorSpan, FloatArray, IntArray, LinkCandidate, SourcePage
from recommendations.frozen_ranking import packed_json, unpacked_json
from recommendations.models import RankedSource, Recommendation, RecommendationRun

_LOT = 500


def row_fields(source: SourcePage, link: LinkCandidate) -> dict[str, Any]:
    """The columns of a Recommendation that stay as long as the link keeps its place."""
    sentence = source.sentences[link.sentence]
    return {
        "anchor_text": link.anchor.text,
        "anchor_start": link.anchor.start,
        "sentence": sentence.text,
        "sentence_hash": text_hash(sentence.text),
        "sentence_start": sentence.start,
        "context_before": link.context_before,
        "context_after": link.context_after,
        "block": sentence.block_ordinal,
        "block_sha256": block_sha256(source.blocks[sentence.block_ordinal].text),
        "match_index": link.match_index,
        "alternatives": [
            {"anchor_text": span.text, "anchor_start": span.start, "score": round(span.score, 4)}
            for span in link.alternatives
        ],
    }


def make_row(
    run: RecommendationRun, source_id: int, target_id: int, link: LinkCandidate, fields: Mapping[str, Any]
) -> Recommendation:
    """The row of a link that is proposed."""
    return Recommendation(
        run=run,
        site_id=run.site_id,
        source_id=source_id,
        target_id=target_id,
        score=link.score,
        rank=link.rank,
        reasons=list(link.reasons),
        **fields,
    )


def make_record(
    run: RecommendationRun,
    model: SiteModel,
    page_ids: IntArray,
    source: SourcePage,
    ranked: RankedPage,
    fields: Mapping[int, Mapping[str, Any]],
    fingerprint: str,
) -> RankedSource:
    """fields: by target position."""
    position, language = source.page, model.pages.languages[source.page]
    pairs = {
        str(page_ids[target]): [
            pair.rows,
            {
                str(row): [[span.start, span.end, span.score, span.fitness] for span in spans]
                for row, spans in pair.spans.items()
            },
        ]
        for target, pair in ranked.pairs.items()
    }
    names = np.concatenate([model.name_vectors[position], model.short_vectors[position]]).astype("<f4")
    return RankedSource(
        page_id=int(page_ids[position]),
        site_id=run.site_id,
        run_number=run.pk,
        fingerprint=fingerprint,
        text=remember(ranked.read, language, page_ids).to_bytes(),
        page_values=model.signatures[position].astype("<u4").tobytes() + names.tobytes(),
        placed=[
            {
                "target": int(page_ids[link.target]),
                "sentence_number": link.sentence,
                "fields": fields[link.target],
            }
            for link in ranked.placed
        ],
        targets=[int(page_ids[target]) for target in ranked.targets],
        pairs=packed_json(pairs),
    )


def store_records(records: Sequence[RankedSource]) -> None:
    """In place of what was kept of the same pages. Call inside the transaction of their rows."""
    names = [field.name for field in RankedSource._meta.concrete_fields if not field.primary_key]
    RankedSource.objects.bulk_create(
        records, update_conflicts=True, unique_fields=["page"], update_fields=names, batch_size=50
    )


def known_pairs(
    record: RankedSource, positions: Mapping[int, int], changed: Collection[int], source: SourcePage
) -> dict[int, TriedPair]:
    """By target position, what it met on the page, of targets that are as they were."""
    found = {}
    for target_id, (rows, spans) in unpacked_json(bytes(record.pairs)).items():
        if int(target_id) in positions and int(target_id) not in changed:
            found[positions[int(target_id)]] = TriedPair(
                list(rows),
                {int(row): [_span(source, int(row), values) for values in of_row] for row, of_row in spans.items()},
            )
    return found


def _span(source: SourcePage, row: int, values: Sequence[float]) -> AnchorSpan:
    start, end, score, fitness = int(values[0]), int(values[1]), values[2], values[3]
    return AnchorSpan(start, end, source.sentences[row].text[start:end], score, fitness)


def placed_links(record: RankedSource, position: int, positions: Mapping[int, int]) -> list[LinkCandidate]:
    """The links that found a place, with as much of them as scoring needs."""
    return [
        LinkCandidate(
            source=position,
            target=positions[item["target"]],
            score=0.0,
            rank=0,
            sentence=item["sentence_number"],
            anchor=AnchorSpan(0, 0, item["fields"]["anchor_text"], 0.0),
            alternatives=(),
            match_index=0,
            context_before="",
            context_after="",
            reasons=(),
        )
        for item in record.placed
    ]


def read_known_pages(
    site_id: int,
    run_number: int,
    unchanged: Mapping[int, int],
    names: Mapping[int, tuple[str, str, str]],
    dimension: int,
) -> KnownPages:
    """Signatures of unchanged pages (id to position), and the vectors of all names that were kept."""
    signatures: dict[int, NDArray[np.uint32]] = {}
    vectors: dict[str, FloatArray] = {}
    rows = RankedSource.objects.filter(site_id=site_id, run_number=run_number).values_list("page_id", "page_values")
    for page_id, values in rows.iterator(_LOT):
        data = bytes(values)
        if page_id in unchanged:
            signatures[unchanged[page_id]] = np.frombuffer(data, "<u4", N_HASHES).astype(np.uint32)
        if page_id in names:
            both = np.frombuffer(data, "<f4", 2 * dimension, 4 * N_HASHES).astype(np.float32)
            for name, vector in zip(names[page_id][:2], (both[:dimension], both[dimension:]), strict=True):
                vectors[name or "?"] = vector
    return KnownPages(signatures, vectors)
