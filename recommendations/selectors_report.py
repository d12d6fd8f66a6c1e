"""A site's links before and after: as they are, with what is accepted, with all that waits too.

Reads rows, streams links into arrays and leaves counting to `engine.link_report`. Takes seconds where there are many
links: `selectors_report_kept` has what was counted at the end of the last run.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.models import Link, Page, PageStatus, Site
from recommendations.models import Recommendation, RecommendationRun, Status
from recommendations.selectors_sites import linked_sites

if TYPE_CHECKING:
    from recommendations.engine.link_report import LinkFigures, SiteGraph

#: Important pages told of; an admin who marks more has marked a section, not pages.
IMPORTANT_SHOWN = 200
_CHUNK = 50_000


@dataclass(frozen=True, slots=True)
class ReportState:
    """The figures of one column: `added` links beyond those that the site has."""

    key: str
    label: str
    added: int
    orphans: int
    orphans_in_menus: int
    unreachable: int | None  # None, as mean_depth: the start page was not read
    mean_depth: float | None

    @property
    def orphans_without_links(self) -> int:
        return self.orphans - self.orphans_in_menus


@dataclass(frozen=True, slots=True)
class ImportantPage:
    """A marked page with its inlinks from content and its PageRank (1.0 is the average page), one each a state."""

    page: Page
    states: list[ReportState]
    inlinks: list[int]
    page_ranks: list[float]

    @property
    def cells(self) -> list[tuple[ReportState, float, int]]:
        return list(zip(self.states, self.page_ranks, self.inlinks, strict=True))


@dataclass(frozen=True, slots=True)
class SiteReport:
    """pages: worth finding, of those read. marked_unread: pages that are marked but were not read."""

    site: Site
    run: RecommendationRun | None
    pages: int
    states: list[ReportState]
    important: list[ImportantPage]
    important_count: int
    marked_unread: int
    counted_at: datetime | None = None  # None: now

    @property
    def rows(self) -> list[dict[str, Any]]:
        """For each figure that is a number of pages its values by state, and what opens the list behind it."""
        queries = {
            "orphans": ["orphan=1", "orphan=unaccepted", "orphan=left"],
            "orphans_in_menus": ["orphan=menus", "", ""],
            "orphans_without_links": ["orphan=alone", "", ""],
            "unreachable": ["orphan=unreachable", "", ""],
        }
        return [
            {
                "name": name,
                "cells": [
                    {"label": state.label, "value": getattr(state, name), "query": query}
                    for state, query in zip(self.states, found, strict=True)
                ],
            }
            for name, found in queries.items()
        ]

    def as_json(self) -> dict[str, Any]:
        """For the API and the command; the keys are the document's, docs/api.md."""
        return {
            "site": self.site.start_url,
            "run": self.run.pk if self.run else None,
            "pages": self.pages,
            "states": [
                {
                    "state": state.key,
                    "added_links": state.added,
                    "orphan_pages": state.orphans,
                    "orphan_pages_in_menus": state.orphans_in_menus,
                    "unreachable_pages": state.unreachable,
                    "mean_click_depth": None if state.mean_depth is None else round(state.mean_depth, 3),
                }
                for state in self.states
            ],
            "important_pages": [
                {
                    "url": row.page.url,
                    "title": row.page.title,
                    "content_inlinks": dict(zip(_KEYS, row.inlinks, strict=True)),
                    "page_rank": {key: round(rank, 4) for key, rank in zip(_KEYS, row.page_ranks, strict=True)},
                }
                for row in self.important
            ],
            "counted_at": self.counted_at.isoformat() if self.counted_at else None,
            "important_pages_total": self.important_count,
            "important_pages_unread": self.marked_unread,
        }


_STATES = (
    ("now", "Now", ()),
    ("accepted", "With accepted", (Status.ACCEPTED,)),
    ("pending", "With pending too", (Status.ACCEPTED, Status.PENDING)),
)
_KEYS = tuple(key for key, *_ in _STATES)


def measure_report(
    site: Site, run: RecommendationRun | None, read: "tuple[np.ndarray, SiteGraph] | None" = None
) -> SiteReport | None:
    """The report; None before a crawl has finished once, since links are not known before.

    read: (ids of the read pages, ascending; their graph) where the caller has them.
    """
    # Not at the top: the web process starts without the engine and scipy, and most never show a report.
    from recommendations.engine.link_report import measure_links

    if not linked_sites([site.pk]):
        return None
    page_ids, graph = read or _read_graph(site)
    figures: list[LinkFigures] = []
    states: list[ReportState] = []
    for key, label, statuses in _STATES:
        added = _suggested(run, page_ids, statuses)
        figures.append(measure_links(graph, added) if added or not figures else figures[0])
        of = figures[-1]
        states.append(
            ReportState(key, label, len(added), of.orphans, of.orphans_in_menus, of.unreachable, of.mean_depth)
        )
    marked = Page.objects.filter(site=site, is_important=True)
    is_read = marked.filter(status=PageStatus.READ)
    important = list(is_read.defer("headings", "hreflang", "description").order_by("title", "id")[:IMPORTANT_SHOWN])
    places = np.searchsorted(page_ids, [page.pk for page in important])
    return SiteReport(
        site=site,
        run=run,
        pages=int(graph.is_target.sum()),
        states=states,
        important=[
            ImportantPage(
                page,
                states,
                [int(of.content_inlinks[place]) for of in figures],
                [float(of.page_ranks[place]) for of in figures],
            )
            for page, place in zip(important, places, strict=True)
        ],
        important_count=is_read.count(),
        marked_unread=marked.exclude(status=PageStatus.READ).count(),
    )


def _read_graph(site: Site) -> "tuple[np.ndarray, SiteGraph]":
    pages = Page.objects.filter(site=site, status=PageStatus.READ).order_by("id")
    rows = list(pages.values_list("id", "is_target", "depth"))
    page_ids = np.array([row[0] for row in rows], dtype=np.int64)
    return page_ids, _graph(site.pk, rows, page_ids)


def _graph(site_id: int, rows: list[tuple[int, bool, int | None]], page_ids: np.ndarray) -> "SiteGraph":
    from recommendations.engine.link_report import SiteGraph

    links = Link.objects.filter(page__site_id=site_id, target__isnull=False).order_by()
    sources, targets, is_editorial, is_nofollow = array("q"), array("q"), array("b"), array("b")
    for source, target, editorial, nofollow in links.values_list(
        "page_id", "target_id", "is_editorial", "is_nofollow"
    ).iterator(chunk_size=_CHUNK):
        sources.append(source)
        targets.append(target)
        is_editorial.append(editorial)
        is_nofollow.append(nofollow)
    from_places, is_from = _places(page_ids, sources)
    to_places, is_to = _places(page_ids, targets)
    keep = is_from & is_to
    return SiteGraph(
        n_pages=len(rows),
        start=next((place for place, row in enumerate(rows) if row[2] == 0), None),
        is_target=np.array([row[1] for row in rows], dtype=bool),
        sources=from_places[keep],
        targets=to_places[keep],
        is_editorial=np.array(is_editorial, dtype=bool)[keep],
        is_followed=~np.array(is_nofollow, dtype=bool)[keep],
    )


def _places(page_ids: np.ndarray, wanted: Iterable[int]) -> tuple[np.ndarray, np.ndarray]:
    """(n,) positions of these ids among the pages, and (n,) whether each is one of them."""
    ids = np.array(wanted, dtype=np.int64)
    if not len(page_ids):
        return ids, np.zeros(len(ids), dtype=bool)
    places = np.minimum(np.searchsorted(page_ids, ids), len(page_ids) - 1)
    return places, page_ids[places] == ids


def _suggested(
    run: RecommendationRun | None, page_ids: np.ndarray, statuses: tuple[Status, ...]
) -> list[tuple[int, int]]:
    """(source, target) positions of the run's suggestions with these statuses."""
    if run is None or not statuses:
        return []
    rows = Recommendation.objects.filter(run=run, status__in=statuses).order_by().values_list("source_id", "target_id")
    pairs = np.array(list(rows.iterator(chunk_size=_CHUNK)), dtype=np.int64).reshape(-1, 2)
    sources, is_from = _places(page_ids, pairs[:, 0])
    targets, is_to = _places(page_ids, pairs[:, 1])
    keep = is_from & is_to
    return list(zip(sources[keep].tolist(), targets[keep].tolist(), strict=True))
