"""The report's lists of topical clusters: the clusters, their pages, the suggestions that wait within them.

The engine groups and names; here it is counted how the pages of each group link to one another from their content.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from crawler.models import Page
from embeddings.vector_store import SiteVectors
from recommendations.engine.cluster_names import name_clusters
from recommendations.engine.clusters import cluster_pages
from recommendations.engine.titles import page_names
from recommendations.engine.types import FloatArray, IntArray, SitePages
from recommendations.models import Recommendation, RecommendationRun, Status
from recommendations.report.rows import Row, page_cell
from recommendations.report.site_facts import PageFacts, SiteFacts

_CHUNK = 2_000


@dataclass(slots=True)
class Cluster:
    """number: from 1. inlinks, outlinks: by position, pages of the cluster that a page is linked from and links to."""

    number: int
    name: str
    language: str
    pages: list[PageFacts]
    hub: PageFacts
    links: int
    inlinks: dict[int, int]
    outlinks: dict[int, int]
    waiting: list[tuple[int, PageFacts, PageFacts, str, float]] = field(default_factory=list)

    @property
    def lone(self) -> set[int]:
        return {
            page.position
            for page in self.pages
            if not self.inlinks.get(page.position) and not self.outlinks.get(page.position)
        }

    @property
    def density(self) -> float:
        """Links within of all that there could be; a pair of pages counts once for each direction."""
        return self.links / (len(self.pages) * (len(self.pages) - 1))


@dataclass(frozen=True, slots=True)
class Clustering:
    clusters: list[Cluster]
    alone: list[PageFacts]
    page_ranks: np.ndarray


def find_clusters(
    facts: SiteFacts,
    vectors: SiteVectors,
    run: RecommendationRun | None,
    page_ranks: np.ndarray,
    beat: Callable[[], None] = lambda: None,
) -> Clustering:
    """The clusters of the pages worth finding, largest first, with what links and suggestions there are within."""
    pages = [page for page in facts.pages if page.is_read and page.is_target]
    languages = [page.language for page in pages]
    page_vectors = _vectors_of(pages, vectors)
    labels = cluster_pages(page_vectors, languages, beat)
    names = name_clusters(labels, _names_of(pages, page_vectors), _headings_of(pages), languages)
    groups: dict[int, list[PageFacts]] = defaultdict(list)
    for page, label in zip(pages, labels.tolist(), strict=True):
        groups[label].append(page)
    alone = groups.pop(-1, [])
    order = sorted(groups, key=lambda label: (-len(groups[label]), groups[label][0].url))
    within = _links_within(facts, pages, labels)
    clusters = []
    for number, label in enumerate(order, start=1):
        inlinks, outlinks, count = within.get(label, ({}, {}, 0))
        clusters.append(
            Cluster(
                number,
                names[label],
                groups[label][0].language,
                groups[label],
                _hub(groups[label], inlinks, page_ranks),
                count,
                inlinks,
                outlinks,
            )
        )
    _add_waiting(clusters, run, facts)
    return Clustering(clusters, alone, page_ranks)


def _vectors_of(pages: list[PageFacts], vectors: SiteVectors) -> FloatArray:
    found = np.zeros((len(pages), vectors.dimension), dtype=np.float32)
    ids = vectors.page_ids
    if not len(ids):
        return found
    wanted = np.array([page.id for page in pages], dtype=np.int64)
    at = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    is_known = ids[at] == wanted
    found[is_known] = vectors.page_vectors[at[is_known]]
    return found


def _names_of(pages: list[PageFacts], page_vectors: FloatArray) -> list[str]:
    """As the engine calls pages: without the name of the site."""
    nothing: IntArray = np.zeros(len(pages), dtype=np.int64)
    return page_names(
        SitePages(
            urls=[page.url for page in pages],
            titles=[page.title for page in pages],
            h1s=[page.h1 for page in pages],
            headings=[() for _ in pages],
            languages=[page.language for page in pages],
            is_target=np.ones(len(pages), dtype=bool),
            translation_groups=nothing,
            page_vectors=page_vectors,
            depths=nothing,
        )
    )


def _headings_of(pages: list[PageFacts]) -> list[list[str]]:
    found: dict[int, list[str]] = {}
    for start in range(0, len(pages), 500):
        ids = [page.id for page in pages[start : start + 500]]
        found |= dict(Page.objects.filter(pk__in=ids).values_list("pk", "headings"))
    return [[str(heading) for heading in found.get(page.id, [])] for page in pages]


def _links_within(
    facts: SiteFacts, pages: list[PageFacts], labels: IntArray
) -> dict[int, tuple[dict[int, int], dict[int, int], int]]:
    """By cluster: pages linked from, pages linked to, pairs; from content, each pair of pages once."""
    label_of = np.full(len(facts.pages), -1, dtype=np.int64)
    label_of[[page.position for page in pages]] = labels
    keep = facts.is_editorial & (facts.targets >= 0) & (facts.targets != facts.sources)
    pairs = np.unique(np.stack([facts.sources[keep], facts.targets[keep]], axis=1), axis=0)
    is_within = (label_of[pairs[:, 0]] >= 0) & (label_of[pairs[:, 0]] == label_of[pairs[:, 1]])
    found: dict[int, tuple[dict[int, int], dict[int, int], int]] = {}
    for source, target in pairs[is_within].tolist():
        inlinks, outlinks, count = found.get(int(label_of[source]), ({}, {}, 0))
        inlinks[target] = inlinks.get(target, 0) + 1
        outlinks[source] = outlinks.get(source, 0) + 1
        found[int(label_of[source])] = (inlinks, outlinks, count + 1)
    return found


def _hub(pages: list[PageFacts], inlinks: dict[int, int], page_ranks: np.ndarray) -> PageFacts:
    """The page that most of the cluster links to; of equals the one of higher PageRank."""
    return max(pages, key=lambda page: (inlinks.get(page.position, 0), page_ranks[page.position], -page.id))


def _add_waiting(clusters: list[Cluster], run: RecommendationRun | None, facts: SiteFacts) -> None:
    if run is None:
        return
    cluster_of = {page.id: cluster for cluster in clusters for page in cluster.pages}
    pending = Recommendation.objects.filter(run=run, status=Status.PENDING).order_by("-score", "id")
    rows = pending.values_list("id", "source_id", "target_id", "anchor_text", "score").iterator(chunk_size=_CHUNK)
    for number, source, target, anchor, score in rows:
        cluster = cluster_of.get(source)
        if cluster is not None and cluster is cluster_of.get(target):
            cluster.waiting.append((number, facts.by_id[source], facts.by_id[target], anchor, score))


def list_clusters(clustering: Clustering) -> Iterator[Row]:
    for cluster in clustering.clusters:
        lone = cluster.lone
        ends = {end.position for _, source, target, *_ in cluster.waiting for end in (source, target)}
        cells = {
            "name": cluster.name,
            "language": cluster.language,
            "pages": len(cluster.pages),
            "hub": page_cell(cluster.hub),
            "links": cluster.links,
            "density": round(cluster.density, 4),
            "lone": len(lone),
            "suggestions": len(cluster.waiting),
            "connected": len(lone & ends),
        }
        yield Row(cells, group=cluster.number)


def list_cluster_pages(clustering: Clustering) -> Iterator[Row]:
    """Every page of every cluster, hub first, lone ones last; then those in no cluster."""
    ranks = clustering.page_ranks
    for cluster in clustering.clusters:
        lone = cluster.lone

        def order(page: PageFacts, cluster: Cluster = cluster) -> tuple[bool, int, float, str]:
            at = page.position
            return page is not cluster.hub, -cluster.inlinks.get(at, 0), -float(ranks[at]), page.url

        for page in sorted(cluster.pages, key=order):
            at = page.position
            kind = "lone" if at in lone else "hub" if page is cluster.hub else "member"
            cells = {
                "page": page_cell(page),
                "name": cluster.name,
                "inlinks": cluster.inlinks.get(at, 0),
                "outlinks": cluster.outlinks.get(at, 0),
                "page_rank": round(float(ranks[at]), 4),
            }
            yield Row(cells, kind, group=cluster.number)
    for page in sorted(clustering.alone, key=lambda page: (-float(ranks[page.position]), page.url)):
        yield Row({"page": page_cell(page), "page_rank": round(float(ranks[page.position]), 4)}, "none")


def list_cluster_suggestions(clustering: Clustering) -> Iterator[Row]:
    """By cluster, those that connect a lone page first, then by score."""
    for cluster in clustering.clusters:
        lone = cluster.lone
        rows = [
            (not lone & {source.position, target.position}, -score, number, source, target, anchor)
            for number, source, target, anchor, score in cluster.waiting
        ]
        for is_linked, score, number, source, target, anchor in sorted(rows, key=lambda row: row[:3]):
            cells = {
                "page": page_cell(source),
                "anchor": anchor,
                "target": page_cell(target),
                "name": cluster.name,
                "score": round(-score, 4),
            }
            yield Row(cells, "linked" if is_linked else "lone", group=cluster.number, recommendation=number)
