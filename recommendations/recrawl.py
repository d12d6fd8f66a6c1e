"""Ranks a site, everything or only what changed: which of the two, which pages keep their links, and the rows of both.

A page keeps its links where nothing that they depend on changed: its own text, links and refusals, the pages that it
was tried with, the phrases and pages that its text names, and the order of its shortlist. Signals, shortlist and scores
are worked out anew for every page, since they compare all pages with each other. So the rows are those that a run over
everything with the same frozen weights would write. Leaves what is frozen to `frozen_ranking`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b

import numpy as np
from django.db import transaction

from crawler.extraction.page import EXTRACTION_VERSION
from crawler.leases import Progress
from embeddings.ann_index import build_index
from embeddings.types import Encoder
from recommendations.engine.remembered import Recall, RememberedText, phrase_hashes
from recommendations.engine.run import Recommender, TriedPair
from recommendations.engine.shortlist import score_links
from recommendations.engine.site_model import KnownPages, build_site_model
from recommendations.engine.types import EngineOptions, Rejections, SourcePage
from recommendations.engine.version import ENGINE_VERSION
from recommendations.frozen_ranking import (
    Frozen,
    changed_pages,
    changed_phrases,
    count_decisions,
    freeze,
    go_on,
    learned_from_json,
    read_frozen,
    take_snapshot,
)
from recommendations.models import RankedSource, Recommendation, RecommendationRun
from recommendations.ranked_sources import (
    known_pairs,
    make_record,
    make_row,
    placed_links,
    read_known_pages,
    row_fields,
    store_records,
)
from recommendations.site_reader import SiteReader

#: From this share of changed pages on, new and gone ones counted, everything is learned and ranked anew.
MOST_CHANGED = 0.1
#: So many decisions more, or a tenth of all, and what they teach is learned: by a run over everything.
FEWEST_DECISIONS = 20
FULL, PARTIAL = "everything", "what changed"
_BATCH_PAGES = 16


@dataclass(frozen=True, slots=True)
class RunPlan:
    """frozen: what a run over what changed goes on with; None for a run over everything."""

    kind: str
    why: str
    key: str
    frozen: Frozen | None


def plan_run(run: RecommendationRun, reader: SiteReader, encoder: Encoder, options: EngineOptions) -> RunPlan:
    """Which kind of run it is, and why, in a sentence."""
    said = (ENGINE_VERSION, EXTRACTION_VERSION, encoder.fingerprint, asdict(replace(options, rejections=Rejections())))
    key = blake2b(repr(said).encode(), digest_size=32).hexdigest()

    def everything(why: str) -> RunPlan:
        return RunPlan(FULL, why, key, None)

    if run.options.get("full") or (run.crawl and run.crawl.is_full_asked):
        return everything("A run over everything was asked for.")
    frozen = read_frozen(run.site_id)
    if frozen is None:
        return everything("There is no earlier run to go on with.")
    if frozen.key != key:
        return everything("The model, the settings or the product's version are not those of the last run.")
    decided = abs(count_decisions(run.site_id) - frozen.decided)
    if decided >= max(FEWEST_DECISIONS, MOST_CHANGED * frozen.decided):
        return everything(
            f"{decided:,} decisions were made since everything was ranked last: there is more to learn from."
        )
    old, new = frozen.contents, reader.contents
    changed = sum(new.get(page_id) != content for page_id, content in old.items()) + len(new.keys() - old.keys())
    if changed >= MOST_CHANGED * len(old):
        return everything(f"{changed:,} pages changed, came or went since {len(old):,} were ranked last.")
    return RunPlan(PARTIAL, f"{changed:,} of {len(old):,} pages changed since everything was ranked last.", key, frozen)


def recall_recommender(
    site_id: int, reader: SiteReader, encoder: Encoder, options: EngineOptions, frozen: Frozen, is_all_ranked: bool
) -> Recommender:
    """The site's model as it is now, with what was learned before."""
    known = KnownPages()
    if not is_all_ranked:
        seen = frozen.snapshot
        unchanged = {
            page_id: position
            for page_id, position in reader.positions.items()
            if seen.contents.get(page_id) == reader.contents[page_id]
        }
        known = read_known_pages(site_id, frozen.run_number, unchanged, seen.names, reader.pages.page_vectors.shape[1])
    has_signature = set(known.signatures)
    unread = [page_id for page_id, position in reader.positions.items() if position not in has_signature]
    texts = (found for start in range(0, len(unread), 500) for found in reader.read_texts(unread[start : start + 500]))
    model = build_site_model(reader.pages, reader.read_links(), texts, encoder, options, frozen.site, known)
    learned = learned_from_json(frozen.learned, model, reader.page_ids)
    return Recommender(model, encoder, build_index(reader.pages.page_vectors), learned)


@dataclass(frozen=True, slots=True)
class _Again:
    """A page that is ranked again: what is known of it still, if anything."""

    page_id: int
    record: RankedSource | None


class SiteRanking:
    """One run's way through the pages of a site."""

    def __init__(
        self,
        run: RecommendationRun,
        reader: SiteReader,
        recommender: Recommender,
        plan: RunPlan,
        is_all_ranked: bool,
        progress: Progress,
        fence: Callable[[], None],
    ) -> None:
        self.ranked = self.kept = 0
        self._run, self._reader, self._recommender, self._plan = run, reader, recommender, plan
        self._progress, self._fence = progress, fence
        self._ids = reader.page_ids.tolist()
        self._recall: Recall | None = None
        self._changed: set[int] = set()
        self._phrases: set[str] = set()
        self._refused = _refusals_by_source(recommender.model.options.rejections)
        if plan.frozen is not None:
            old = plan.frozen.snapshot
            self._snapshot = take_snapshot(recommender.model, reader.page_ids, reader.contents)
            self._changed, self._phrases = changed_pages(old, self._snapshot), changed_phrases(old, self._snapshot)
            if not is_all_ranked:
                self._recall = Recall(recommender.model.term_numbers, reader.page_ids)

    def write_pages(self) -> None:
        """Each batch of pages is ranked outside of the transaction that stores it."""
        sources = self._reader.source_ids
        rows = Recommendation.objects.filter(run=self._run).order_by("-source_id")
        last = rows.values_list("source_id", flat=True).first()
        done = int(np.searchsorted(sources, last, side="right")) if last else 0
        while done < len(sources):
            page_ids = [int(page_id) for page_id in sources[done : done + _BATCH_PAGES]]
            new_rows, records = self._rank(page_ids)
            done += len(page_ids)
            with transaction.atomic():
                self._fence()
                Recommendation.objects.bulk_create(new_rows)
                store_records(records)
            self._progress(done, len(sources), "pages ranked")

    def end(self) -> None:
        """Keep what the next run goes on with."""
        run, plan, reader = self._run, self._plan, self._reader
        if plan.frozen is None:
            model, learned = self._recommender.model, self._recommender.learned
            freeze(run.site_id, run.pk, plan.key, model, learned, reader.page_ids, reader.contents, self._fence)
        else:
            go_on(run.site_id, run.pk, self._snapshot, self._fence)

    def _rank(self, page_ids: Sequence[int]) -> tuple[list[Recommendation], list[RankedSource]]:
        hashes = self._reader.read_hashes(page_ids)
        fingerprints = {page_id: self._fingerprint(page_id, hashes[page_id]) for page_id in hashes}
        rows: list[Recommendation] = []
        again = self._keep(fingerprints, hashes, rows)
        records = self._rank_again(again, fingerprints, rows) if again else []
        self.ranked += len(again)
        self.kept += len(hashes) - len(again)
        rows.sort(key=lambda row: (row.source_id, row.rank))
        return rows, records

    def _keep(
        self, fingerprints: Mapping[int, str], hashes: Mapping[int, list[str]], rows: list[Recommendation]
    ) -> list[_Again]:
        """Adds the rows of pages that keep their links; the pages that are to be ranked again."""
        if self._recall is None or self._plan.frozen is None:
            return [_Again(page_id, None) for page_id in fingerprints]
        records = RankedSource.objects.filter(page_id__in=list(fingerprints), run_number=self._plan.frozen.run_number)
        known = {record.page_id: record for record in records.defer("page_values")}
        again = []
        for page_id, fingerprint in fingerprints.items():
            record = known.get(page_id)
            if record is None or record.fingerprint != fingerprint:
                again.append(_Again(page_id, None))
                continue
            text = RememberedText.from_bytes(bytes(record.text))
            if self._is_moved(page_id, text):
                again.append(_Again(page_id, None))
                continue
            position = self._reader.positions[page_id]
            vectors = self._reader.sentence_vectors(hashes[page_id])
            measured, shortlist = self._recommender.remeasure(self._recall.text(position, text), vectors)
            targets = [self._ids[target] for target in shortlist.targets]
            if targets != record.targets or not self._changed.isdisjoint(targets):
                again.append(_Again(page_id, record))
                continue
            fields = {item["target"]: item["fields"] for item in record.placed}
            placed = placed_links(record, position, self._reader.positions)
            for link in score_links(self._recommender.model, measured, shortlist, placed, text.n_words):
                target_id = self._ids[link.target]
                rows.append(make_row(self._run, page_id, target_id, link, fields[target_id]))
        return again

    def _is_moved(self, page_id: int, text: RememberedText) -> bool:
        """Whether what phrases of the text mean may have changed."""
        if not self._changed.isdisjoint(text.bearers.tolist()):
            return True
        language = self._recommender.model.pages.languages[self._reader.positions[page_id]]
        return any(text.holds_all(phrase_hashes(key, language)) for key in self._phrases)

    def _rank_again(
        self, again: Sequence[_Again], fingerprints: Mapping[int, str], rows: list[Recommendation]
    ) -> list[RankedSource]:
        sources = self._reader.read_sources([item.page_id for item in again])
        model, page_ids = self._recommender.model, self._reader.page_ids
        ranked = self._recommender.rank(sources, self._known_pairs(again, sources))
        records = []
        for source, page in zip(sources, ranked, strict=True):
            source_id = self._ids[source.page]
            fields = {link.target: row_fields(source, link) for link in page.placed}
            rows += (
                make_row(self._run, source_id, self._ids[link.target], link, fields[link.target]) for link in page.links
            )
            records.append(make_record(self._run, model, page_ids, source, page, fields, fingerprints[source_id]))
        return records

    def _known_pairs(self, again: Sequence[_Again], sources: Sequence[SourcePage]) -> dict[int, dict[int, TriedPair]]:
        records = {item.page_id: item.record for item in again if item.record is not None}
        return {
            source.page: known_pairs(record, self._reader.positions, self._changed, source)
            for source in sources
            if (record := records.get(self._ids[source.page])) is not None
        }

    def _fingerprint(self, page_id: int, hashes: Sequence[str]) -> str:
        """Of all of the page's own that its links depend on."""
        model, position = self._recommender.model, self._reader.positions[page_id]
        url = model.pages.urls[position]
        said = (
            self._reader.contents[page_id],
            url,
            model.pages.languages[position],
            sorted(self._ids[target] for target in model.graph.linked_from(position).tolist()),
            self._refused.get(url),
        )
        digest = blake2b(repr(said).encode("utf-8", "surrogatepass"), digest_size=16)
        digest.update("".join(hashes).encode())
        return digest.hexdigest()


def _refusals_by_source(rejections: Rejections) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for kind, keys in (("pair", rejections.pairs), ("anchor", rejections.anchors), ("place", rejections.places)):
        for key in keys:
            found.setdefault(key[0], []).append((kind, *key[1:]))
    return {url: sorted(keys) for url, keys in found.items()}
