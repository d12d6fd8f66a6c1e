"""The table of before and after without waiting for it: as the last run counted it, or anew where that is quick.

What was kept holds as long as crawl, run, decisions and marks are the same. Leaves counting to `selectors_report`.
"""

from typing import Any

from django.db.models import Count, Max, Sum

from crawler.leases import RunStatus
from crawler.models import Crawl, Page, Site
from recommendations.models import Recommendation, RecommendationRun, Status
from recommendations.selectors_report import ImportantPage, ReportState, SiteReport, measure_report
from recommendations.selectors_report_lists import shown_report
from recommendations.selectors_runs import shown_run

#: Links of a site that are counted while somebody waits.
FEW_LINKS = 150_000
_STATE_FIELDS = (
    "key", "label", "added", "orphans", "orphans_in_menus", "unreachable", "mean_depth",
)  # fmt: skip


def site_report(site: Site) -> SiteReport | None:
    """Of this moment; of a large site whose decisions have changed since, as of `counted_at`."""
    run = shown_run(site.pk)
    lists = shown_report(site.pk)
    kept = lists.figures.get("before_after") if lists else None
    if lists is None or kept is None:
        return measure_report(site, run)
    is_current = kept["state"] == state_of_site(site.pk, run)
    if not is_current and lists.figures["links"] <= FEW_LINKS:
        return measure_report(site, run)
    return _unpacked(site, run, kept, None if is_current else lists.created_at)


def state_of_site(site_id: int, run: RecommendationRun | None) -> list[Any]:
    """Differs when the figures may: another crawl, another run, another decision, another mark."""
    crawl = Crawl.objects.filter(site_id=site_id, status=RunStatus.DONE).aggregate(Max("id"))["id__max"]
    suggested = Recommendation.objects.filter(run=run, status__in=(Status.ACCEPTED, Status.PENDING)).order_by()
    decided = suggested.values_list("status").annotate(Count("id"), Sum("id")).order_by("status")
    marked = Page.objects.filter(site_id=site_id, is_important=True).aggregate(Count("id"), Sum("id"))
    # PostgreSQL gives sums as decimals, which JSON does not know.
    counted = [[status, count, int(total)] for status, count, total in decided]
    return [crawl, run.pk if run else None, counted, [int(number or 0) for number in marked.values()]]


def packed(report: SiteReport, state: list[Any]) -> dict[str, Any]:
    """The report as it is kept beside the lists."""
    return {
        "state": state,
        "pages": report.pages,
        "states": [{name: getattr(state, name) for name in _STATE_FIELDS} for state in report.states],
        "important": [[row.page.pk, row.inlinks, row.page_ranks] for row in report.important],
        "important_count": report.important_count,
        "marked_unread": report.marked_unread,
    }


def _unpacked(site: Site, run: RecommendationRun | None, kept: dict[str, Any], counted_at: Any) -> SiteReport:
    states = [ReportState(**values) for values in kept["states"]]
    ids = [page_id for page_id, *_ in kept["important"]]
    pages = Page.objects.defer("headings", "hreflang", "description").in_bulk(ids)
    return SiteReport(
        site=site,
        run=run,
        pages=kept["pages"],
        states=states,
        important=[
            ImportantPage(pages[page_id], states, inlinks, page_ranks)
            for page_id, inlinks, page_ranks in kept["important"]
            if page_id in pages
        ],
        important_count=kept["important_count"],
        marked_unread=kept["marked_unread"],
        counted_at=counted_at,
    )
