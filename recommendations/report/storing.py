"""Makes a site's report anew and stores its lists; the old one is shown until the new one is whole.

Part of the recommendation job, since it reads every link of the site and groups the pages by their vectors. Leaves what
stands in a list to the modules beside it.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from django.db import transaction

from crawler.bulk_rows import insert_rows
from crawler.leases import Progress, RunStatus, ignore_progress
from crawler.models import Crawl, Site
from embeddings.errors import VectorsMissing
from embeddings.selectors import choose_model_name
from embeddings.vector_store import open_site_vectors
from recommendations.models import RecommendationRun, ReportRow, SiteReport
from recommendations.report import anchor_lists, cluster_lists, link_lists, page_lists
from recommendations.report.charts import PageTally, draw_charts
from recommendations.report.rows import Row
from recommendations.report.site_facts import SiteFacts, read_site_facts
from recommendations.selectors_report import measure_report
from recommendations.selectors_report_kept import packed, state_of_site

_ROWS_AT_ONCE = 2_000
_FIELDS = ("report", "section", "ordinal", "kind", "place", "group", "text", "cells", "recommendation")
NOTE = "making the report"


def _no_fence() -> None:
    """Nothing else writes this report."""


class _Writer:
    """Writes lists row by row in short transactions, and counts what it wrote."""

    def __init__(self, report: SiteReport, fence: Callable[[], None], beat: Callable[[], None]) -> None:
        self._report, self._fence, self._beat = report, fence, beat
        self.counts: dict[str, dict[str, Any]] = {}

    def write(self, section: str, rows: Iterable[Row]) -> None:
        kinds: Counter[str] = Counter()
        places: Counter[str] = Counter()
        stream = enumerate(rows)
        while batch := list(islice(stream, _ROWS_AT_ONCE)):
            kinds.update(row.kind for _, row in batch if row.kind)
            places.update(row.place for _, row in batch if row.place)
            with transaction.atomic():
                self._fence()
                insert_rows(ReportRow, _FIELDS, [self._stored(section, ordinal, row) for ordinal, row in batch])
            self.counts.setdefault(section, {"rows": 0})["rows"] += len(batch)
            self._beat()
        self.counts.setdefault(section, {"rows": 0}).update(kinds=dict(kinds), places=dict(places))

    def _stored(self, section: str, ordinal: int, row: Row) -> tuple[Any, ...]:
        cells = json.dumps(row.cells)
        return (
            self._report.pk, section, ordinal, row.kind, row.place, row.group, row.text, cells, row.recommendation,
        )  # fmt: skip


def store_site_report(
    site_id: int,
    run_id: int | None = None,
    *,
    model_name: str | None = None,
    progress: Progress = ignore_progress,
    fence: Callable[[], None] = _no_fence,
) -> SiteReport:
    """Read the site's links once, write all lists, then drop the report before. Raises LeaseLost."""
    site = Site.objects.get(pk=site_id)
    run = RecommendationRun.objects.filter(pk=run_id).first() if run_id else None

    def beat() -> None:
        progress(0, 0, NOTE)

    beat()
    crawl = Crawl.objects.filter(site=site, status=RunStatus.DONE).order_by("-id").first()
    with transaction.atomic():
        fence()
        SiteReport.objects.filter(site=site, is_whole=False).delete()
        report = SiteReport.objects.create(site=site, crawl=crawl, run=run)
    facts = read_site_facts(site, beat)
    writer = _Writer(report, fence, beat)
    tally = _write_page_lists(writer, facts)
    _write_link_lists(writer, facts)
    anchors = anchor_lists.find_anchors(facts)
    _write_anchor_lists(writer, anchors)
    notes = _write_cluster_lists(writer, facts, run, model_name or choose_model_name(site_id), beat)
    report.counts = writer.counts
    report.figures = {
        "charts": draw_charts(facts, tally),
        "median_seconds": page_lists.median_seconds(facts),
        "generic_share": anchor_lists.share_generic(anchors),
        "notes": notes,
        "links": len(facts.sources),
        "before_after": _before_after(site, run, facts),
    }
    report.is_whole = True
    with transaction.atomic():
        fence()
        report.save()
    _drop_older(report, fence, beat)
    return report


def _before_after(site: Site, run: RecommendationRun | None, facts: SiteFacts) -> dict[str, Any] | None:
    """What the report's first table says, for whoever opens it next."""
    state = state_of_site(site.pk, run)
    report = measure_report(site, run, facts.read_graph())
    return packed(report, state) if report else None


def _write_page_lists(writer: _Writer, facts: SiteFacts) -> PageTally:
    figures = page_lists.PageFigures(facts)
    tally = PageTally.empty()

    def counted() -> Iterator[Row]:
        for row in page_lists.list_pages(facts, figures):
            tally.add(row)
            yield row

    writer.write("pages", counted())
    writer.write("orphans", page_lists.list_orphans(facts, figures))
    writer.write("orphans-unlisted", page_lists.list_unlisted_orphans(facts, figures))
    writer.write("dead-ends", page_lists.list_dead_ends(facts, figures))
    writer.write("duplicate-titles", page_lists.list_duplicate_titles(facts))
    writer.write("hreflang", page_lists.list_hreflang(facts))
    writer.write("slow-pages", page_lists.list_slow_pages(facts))
    return tally


def _write_link_lists(writer: _Writer, facts: SiteFacts) -> None:
    writer.write("broken-links", link_lists.list_broken_links(facts))
    writer.write("redirected-links", link_lists.list_redirected_links(facts))
    writer.write("unindexed-links", link_lists.list_unindexed_links(facts))


def _write_anchor_lists(writer: _Writer, anchors: list[anchor_lists.Anchor]) -> None:
    writer.write("anchors", anchor_lists.list_anchors(anchors))
    writer.write("anchor-texts", anchor_lists.list_anchor_texts(anchors))
    groups = anchor_lists.ambiguous_anchors(anchors)
    writer.write("ambiguous-anchors", anchor_lists.list_ambiguous(groups))
    writer.write("ambiguous-targets", anchor_lists.list_ambiguous_targets(groups))


def _write_cluster_lists(
    writer: _Writer, facts: SiteFacts, run: RecommendationRun | None, model_name: str, beat: Callable[[], None]
) -> list[str]:
    """What could not be told of clusters, in sentences."""
    lists: dict[str, Iterable[Row]] = {"clusters": (), "cluster-pages": (), "cluster-suggestions": ()}
    notes = []
    try:
        vectors = open_site_vectors(facts.site.pk, model_name)
    except VectorsMissing:
        notes.append("Pages are grouped into clusters when their text has been embedded: that is not done yet.")
    else:
        ranks = page_lists.read_page_ranks(facts)
        clustering = cluster_lists.find_clusters(facts, vectors, run, ranks, beat)
        lists = {
            "clusters": cluster_lists.list_clusters(clustering),
            "cluster-pages": cluster_lists.list_cluster_pages(clustering),
            "cluster-suggestions": cluster_lists.list_cluster_suggestions(clustering),
        }
    for section, rows in lists.items():
        writer.write(section, rows)
    return notes


def _drop_older(report: SiteReport, fence: Callable[[], None], beat: Callable[[], None]) -> None:
    """In short transactions: a large site's report has millions of rows."""
    older = SiteReport.objects.filter(site_id=report.site_id, pk__lt=report.pk)
    for report_id in list(older.values_list("pk", flat=True)):
        rows = ReportRow.objects.filter(report_id=report_id).order_by()
        while ids := list(rows.values_list("pk", flat=True)[:_ROWS_AT_ONCE]):
            with transaction.atomic():
                fence()
                ReportRow.objects.filter(pk__gte=min(ids), pk__lte=max(ids), report_id=report_id).delete()
            beat()
        with transaction.atomic():
            fence()
            SiteReport.objects.filter(pk=report_id).delete()
