"""The stages after crawling as commands do them: recommend in the foreground, export to a file."""

from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from crawler.foreground_runs import run_in_foreground, take_site_in_foreground
from crawler.leased_jobs import Fence
from crawler.leases import Progress
from crawler.models import Site
from embeddings.errors import EmbeddingError
from recommendations.decisions import reconcile_decisions
from recommendations.errors import ExportError, RecommendationError
from recommendations.exporters import csv_file, json_file
from recommendations.exporters.files import check_output, whole_file
from recommendations.models import RecommendationRun, Status
from recommendations.pruning import prune_runs
from recommendations.report.storing import store_site_report
from recommendations.selectors_export import SHOWN_STATUSES, export_rows
from recommendations.selectors_runs import shown_run
from recommendations.services import recommend_site


def recommend_in_foreground(
    site: Site, *, model_name: str = "", top: int | None = None, threshold: float | None = None, is_full: bool = False
) -> dict[str, Any]:
    """A new run of the site, done here; its figures. Raises CommandError."""
    asked = {"top": top, "threshold": threshold, "full": is_full or None}
    options = {name: value for name, value in asked.items() if value is not None}
    run = take_site_in_foreground(site, RecommendationRun, model_name=model_name, options=options)

    def work(progress: Progress, fence: Fence) -> dict[str, Any]:
        reconcile_decisions(site.pk, fence=fence)
        figures = recommend_site(
            site.pk, run.pk, top=top, threshold=threshold, model_name=model_name or None, progress=progress, fence=fence
        )
        store_site_report(site.pk, run.pk, model_name=figures["model_name"], progress=progress, fence=fence)
        return figures

    try:
        return run_in_foreground(RecommendationRun, run.pk, "recommend", work, (RecommendationError, EmbeddingError))
    finally:
        prune_runs(site.pk)


def add_export_options(parser: CommandParser) -> None:
    """--output, --format, --columns, --status."""
    parser.add_argument("--output", default="-", help="file to write (default: standard output)")
    parser.add_argument("--format", choices=("csv", "json"), help="default: by the file's name, else csv")
    parser.add_argument("--columns", choices=("basic", "full"), default="basic", help="CSV columns (default: basic)")
    parser.add_argument(
        "--status",
        action="append",
        choices=list(Status.values),
        help="only these (may be given again; default: pending and accepted)",
    )


def check_export_options(options: dict[str, Any]) -> None:
    """Refuse what cannot be written before any work is done. Raises CommandError."""
    if options["format"] is None:
        options["format"] = _format_of(options["output"])
    try:
        check_output(options["output"])
        if options.get("figures"):
            check_output(options["figures"], "--figures")
    except ExportError as error:
        raise CommandError(str(error)) from error


def _format_of(output: str) -> str:
    ending = Path(output).suffix.lower()
    if ending not in ("", ".csv", ".json"):
        raise CommandError(f"--output {output} ends in {ending}, which is no known format. Name --format csv or json.")
    return "json" if ending == ".json" else "csv"


def place_in_words(options: dict[str, Any]) -> str:
    """Where the export went."""
    return "standard output" if options["output"] == "-" else str(options["output"])


def export_to_file(site: Site, options: dict[str, Any]) -> int:
    """Write the site's latest finished run; the number of recommendations written. Raises CommandError."""
    run = shown_run(site.pk)
    if run is None:
        raise CommandError(
            f"{site.start_url} has no finished recommendations yet. Run `recommend_links {site.pk}` first."
        )
    statuses = tuple(options.get("status") or SHOWN_STATUSES)
    try:
        with whole_file(options["output"]) as file:
            order = json_file.ORDER if options["format"] == "json" else csv_file.ORDER
            # Closed here: when writing fails, the rows' cursor must not outlive the database's connection.
            with closing(export_rows(run, order=order, statuses=statuses)) as rows:
                if options["format"] == "json":
                    return json_file.write_json(site.start_url, rows, file)
                return csv_file.write_csv(rows, file, is_full=options["columns"] == "full")
    except ExportError as error:
        raise CommandError(str(error)) from error
