"""The JSON API: sites, and the recommendations and the report of one. Every error is {"detail": one sentence}."""

from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import visible_sites
from crawler.models import Site
from recommendations.api.json_view import JsonView, find_site, refuse_unknown, whole_number
from recommendations.models import RecommendationRun, Status
from recommendations.selectors_crawls import held_pages
from recommendations.selectors_export import count_recommendations, find_finished_run, list_recommendations
from recommendations.selectors_report_kept import site_report
from recommendations.selectors_runs import shown_run
from recommendations.selectors_sites import SiteFigures, site_figures

LARGEST_PAGE = 100
_PARAMETERS = ("status", "page", "per_page", "run")


class NotFoundView(JsonView):
    """Every other address below /api/."""

    def get(self, request: Request, rest: str) -> Response:
        raise NotFound(f"There is nothing at /api/{rest}. Start at /api/v1/sites.")


class SiteListView(JsonView):
    """The sites that the caller may see, with their figures."""

    def get(self, request: Request) -> Response:
        refuse_unknown(request, ())
        sites = site_figures(visible_sites(request.user).order_by("pk"))
        return Response(
            {
                "sites": [
                    {
                        "id": figures.site.pk,
                        "name": figures.site.name,
                        "url": figures.site.start_url,
                        "pages_read": figures.read,
                        "orphan_pages": figures.orphans if figures.is_linked else None,
                        "recommendations": {status: figures.suggestions.get(status, 0) for status in Status.values},
                        "run": figures.run_id,
                        "last_crawl_finished_at": figures.last_crawl.finished_at if figures.last_crawl else None,
                        "next_run_at": figures.site.next_run_at,
                        "held_crawl": _held(figures),
                    }
                    for figures in sites
                ]
            }
        )


def _held(figures: SiteFigures) -> dict[str, int | str] | None:
    """A crawl that lost too many pages and changed nothing, until an admin confirms it in the browser."""
    state = figures.pipeline
    if state is None or state.crawl is None or not state.is_held:
        return None
    held = held_pages(state.crawl)
    return {
        "known_pages": held.known,
        "found_pages": held.found,
        "missing_pages": held.missing,
        "sentence": held.sentence,
    }


class RecommendationListView(JsonView):
    """A site's recommendations, best first, page by page. The links to other pages hold fast to one run."""

    def get(self, request: Request, site_id: str) -> Response:
        site = find_site(request, site_id)
        refuse_unknown(request, _PARAMETERS)
        statuses = _statuses(request)
        number = whole_number(request, "page", 1, 10_000_000)
        per_page = whole_number(request, "per_page", 50, LARGEST_PAGE)
        run = _run(request, site)
        total = count_recommendations(run, statuses)
        pages = max(1, -(-total // per_page))
        if number > pages:
            raise NotFound(f"page={number} is behind the last page, {pages}.")
        found = list_recommendations(run, statuses, (number - 1) * per_page, per_page)
        return Response(
            {
                "site": site.start_url,
                "run": run.pk if run else None,
                "total": total,
                "page": number,
                "per_page": per_page,
                "pages": pages,
                "next": _address(request, run, number + 1) if number < pages else None,
                "previous": _address(request, run, number - 1) if number > 1 else None,
                "recommendations": found,
            }
        )


class ReportView(JsonView):
    """A site's links as they are, with what is accepted, and with what waits too."""

    def get(self, request: Request, site_id: str) -> Response:
        site = find_site(request, site_id)
        refuse_unknown(request, ())
        report = site_report(site)
        if report is None:
            raise NotFound("No crawl of this site has finished yet, so its links are not known. Ask again then.")
        return Response(report.as_json())


def _statuses(request: Request) -> tuple[str, ...]:
    asked = request.query_params.get("status")
    if asked is None:
        return tuple(Status.values)
    statuses = tuple(asked.split(","))
    for status in statuses:
        if status not in Status.values:
            raise ValidationError(
                f"status={status!r} is unknown. Use {', '.join(Status.values)}, or several with commas."
            )
    return statuses


def _run(request: Request, site: Site) -> RecommendationRun | None:
    """The finished run that is shown, or the one that an earlier answer's `next` holds fast to."""
    if "run" not in request.query_params:
        return shown_run(site.pk)
    number = whole_number(request, "run", 0, 10**11)
    run = find_finished_run(site.pk, number)
    if run is None:
        raise NotFound(f"Run {number} of this site is no longer kept. Start again without run=.")
    return run


def _address(request: Request, run: RecommendationRun | None, number: int) -> str:
    query = request.query_params.copy()
    query["page"] = str(number)
    if run:
        query["run"] = str(run.pk)
    return str(request.build_absolute_uri(f"{request.path}?{query.urlencode()}"))
