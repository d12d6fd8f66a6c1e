"""The list of sites with their figures, in a fixed number of queries. Leaves pages to `selectors_pages`."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from crawler.leases import RunStatus
from crawler.models import Crawl, Link, Page, PageStatus, Site
from recommendations.models import Recommendation, RecommendationRun, Status
from recommendations.selectors_runs import PipelineState, pipeline_states


@dataclass(slots=True)
class SiteFigures:
    """What the list of sites and a site's own page say about it."""

    site: Site
    last_crawl: Crawl | None = None
    pipeline: PipelineState | None = None
    run_id: int | None = None
    pages: dict[str, int] = field(default_factory=dict)
    suggestions: dict[str, int] = field(default_factory=dict)
    is_linked: bool = False  # see `linked_sites`
    orphans: int = 0
    orphans_in_menus: int = 0

    @property
    def read(self) -> int:
        return self.pages.get(PageStatus.READ, 0)

    @property
    def failed(self) -> int:
        return self.pages.get(PageStatus.FAILED, 0)

    @property
    def waiting(self) -> int:
        return self.suggestions.get(Status.PENDING, 0)

    @property
    def accepted(self) -> int:
        return self.suggestions.get(Status.ACCEPTED, 0)

    @property
    def all_suggestions(self) -> int:
        return sum(self.suggestions.values())

    @property
    def applied(self) -> int:
        return self.suggestions.get(Status.APPLIED, 0)


def links_to_page(**conditions: bool) -> Exists:
    """Whether another page links to the page of the outer query."""
    return Exists(Link.objects.filter(target=OuterRef("pk"), **conditions).exclude(page=OuterRef("pk")))


def orphan_condition() -> Q:
    """Pages worth finding that no other page links to from its text; links in menus and footers do not count.

    The start page needs no link to be found.
    """
    return Q(status=PageStatus.READ, is_target=True) & ~Q(depth=0) & ~Q(links_to_page(is_editorial=True))


def linked_sites(site_ids: Iterable[int]) -> set[int]:
    """The sites of which a crawl was finished once: what pages link to is known only at the end of one."""
    runs = RecommendationRun.objects.filter(site_id__in=site_ids, status=RunStatus.DONE)
    crawls = Crawl.objects.filter(site_id__in=site_ids, status=RunStatus.DONE)
    # A run outlives its crawl's row, and the other way round.
    return set(
        crawls.order_by()
        .values_list("site_id")
        .union(runs.order_by().values_list("site_id"))
        .values_list("site_id", flat=True)
    )


def shown_run_ids(site_ids: Iterable[int]) -> dict[int, int]:
    """Site id to the id of its latest finished run."""
    return dict(
        RecommendationRun.objects.filter(site_id__in=site_ids, status=RunStatus.DONE)
        .values_list("site_id")
        .annotate(Max("id"))
    )


def site_figures(sites: QuerySet[Site]) -> list[SiteFigures]:
    """The figures of each site, in the order of the query."""
    figures = {site.pk: SiteFigures(site) for site in sites}
    ids = list(figures)
    _add_crawls(figures, ids)
    for site_id, state in pipeline_states(ids).items():
        figures[site_id].pipeline = state
    for site_id, status, count in (
        Page.objects.filter(site_id__in=ids).order_by().values_list("site_id", "status").annotate(count=Count("*"))
    ):
        figures[site_id].pages[status] = count
    _add_orphans(figures, ids)
    _add_suggestions(figures, ids)
    for site_id in linked_sites(ids):
        figures[site_id].is_linked = True
    return list(figures.values())


def _add_crawls(figures: dict[int, SiteFigures], ids: list[int]) -> None:
    """The last crawl that has begun: one that waits in the queue has nothing to tell yet."""
    begun = Crawl.objects.filter(site_id__in=ids).exclude(status=RunStatus.QUEUED).order_by()
    for crawl in Crawl.objects.filter(pk__in=begun.values("site_id").annotate(last=Max("id")).values("last")):
        figures[crawl.site_id].last_crawl = crawl


def _add_orphans(figures: dict[int, SiteFigures], ids: list[int]) -> None:
    orphans = Page.objects.filter(orphan_condition(), site_id__in=ids).annotate(is_in_menus=links_to_page()).order_by()
    for site_id, is_in_menus, count in orphans.values_list("site_id", "is_in_menus").annotate(count=Count("*")):
        figures[site_id].orphans += count
        figures[site_id].orphans_in_menus += count if is_in_menus else 0


def _add_suggestions(figures: dict[int, SiteFigures], ids: list[int]) -> None:
    site_of = {run_id: site_id for site_id, run_id in shown_run_ids(ids).items()}
    for run_id, site_id in site_of.items():
        figures[site_id].run_id = run_id
    counts = Recommendation.objects.filter(run_id__in=site_of).order_by().values_list("run_id", "status")
    for run_id, status, count in counts.annotate(count=Count("*")):
        figures[site_of[run_id]].suggestions[status] = count
