"""What retrieval finds, by itself: each source page's candidates as the engine ranks them, without place or anchor.

What is not among them no later step can suggest. Run in the installation that was just measured:

    LINKREC_DATA_DIR=... python -m benchmarks.candidates URL --output OUT.json [--model NAME]
"""

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.site_rows import parse_arguments, start_django

DEPTHS = (10, 50, 100)
BATCH_PAGES = 16


@dataclass(frozen=True, slots=True)
class RankedCandidates:
    """`ranked` maps a source page's position in `urls` to the positions of its candidates, best first."""

    urls: list[str]
    ranked: dict[int, list[int]]

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"urls": self.urls, "ranked": {str(source): targets for source, targets in self.ranked.items()}}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "RankedCandidates":
        """The inverse of to_json."""
        return cls(list(data["urls"]), {int(source): list(targets) for source, targets in data["ranked"].items()})


def read_candidates(path: Path) -> RankedCandidates:
    """What this module's command wrote."""
    return RankedCandidates.from_json(json.loads(path.read_text("utf-8")))


def candidate_recall(
    candidates: RankedCandidates, pairs: Collection[tuple[str, str]], path_of: Callable[[str], str]
) -> dict[str, float]:
    """Share of the hidden pairs whose target is among its source's first 10, 50, 100 candidates, and among all.

    A source that the engine does not rank finds nothing. `candidates` is the mean number of candidates a page.
    """
    paths = [path_of(url) for url in candidates.urls]
    rank_of = {
        (paths[source], paths[target]): rank
        for source, targets in candidates.ranked.items()
        for rank, target in enumerate(targets, 1)
    }
    ranks = [rank_of[pair] for pair in pairs if pair in rank_of]
    count = max(len(pairs), 1)
    figures = {f"recall@{depth}": sum(rank <= depth for rank in ranks) / count for depth in DEPTHS}
    figures["recall of all"] = len(ranks) / count
    figures["candidates"] = len(rank_of) / max(len(candidates.ranked), 1)
    return figures


def rank_site(start_url: str, model_name: str = "") -> RankedCandidates:
    """Prepare the site as a run of the product does, and rank every page's candidates."""
    from crawler.models import Site
    from embeddings.encoders import load_encoder
    from embeddings.selectors import choose_model_name
    from embeddings.vector_store import open_site_vectors
    from recommendations.services import engine_options, prepare_recommender
    from recommendations.site_reader import SiteReader

    site = Site.objects.filter(start_url=start_url).first() or Site.objects.get()
    model_name = model_name or choose_model_name(site.pk)
    encoder = load_encoder(model_name)
    reader = SiteReader(site, open_site_vectors(site.pk, model_name, fingerprint=encoder.fingerprint))
    recommender = prepare_recommender(site.pk, reader, encoder, engine_options(site, None, 0.0))
    ranked: dict[int, list[int]] = {}
    page_ids = [int(page_id) for page_id in reader.source_ids]
    for start in range(0, len(page_ids), BATCH_PAGES):
        sources = reader.read_sources(page_ids[start : start + BATCH_PAGES])
        if sources:
            found = recommender.rank_targets(sources)
            ranked |= {source.page: targets.tolist() for source, targets in zip(sources, found, strict=True)}
    return RankedCandidates(list(reader.pages.urls), ranked)


def main() -> None:
    """Rank the site that LINKREC_DATA_DIR holds."""
    arguments = parse_arguments(__doc__ or "")
    start_django()
    candidates = rank_site(arguments.url, arguments.model)
    arguments.output.write_text(json.dumps(candidates.to_json()), "utf-8")


if __name__ == "__main__":
    main()
