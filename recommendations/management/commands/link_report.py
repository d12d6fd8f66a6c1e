"""`manage.py link_report SITE`: what a site's links amount to, before and after, or one list of its report."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from crawler.errors import SiteBusy
from crawler.models import Site
from crawler.site_turns import refuse_while_busy
from linkrec_site.data_directory import prepare_data_directory
from recommendations.management.command_options import find_site
from recommendations.report.list_files import csv_lines, json_lines
from recommendations.report.sections import SECTIONS, Section
from recommendations.report.storing import store_site_report
from recommendations.selectors_report import SiteReport
from recommendations.selectors_report_kept import site_report
from recommendations.selectors_report_lists import (
    WrongFilter,
    plain_columns,
    plain_row,
    read_filter,
    shown_report,
    stream_rows,
)
from recommendations.selectors_runs import shown_run


class Command(BaseCommand):
    help = "Count a site's orphan pages, click depth and PageRank now, with accepted and with pending links."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("site", help="the site's start URL or id")
        parser.add_argument("--format", choices=("text", "json", "csv"), help="text or json; of a list csv or json")
        parser.add_argument("--section", choices=tuple(SECTIONS), help="write this list of the report")
        parser.add_argument("--kind", default="", help="of the list only rows of this kind")
        parser.add_argument("--refresh", action="store_true", help="make the lists anew first")

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_data_directory()
        site = find_site(options["site"])
        report = site_report(site)
        if report is None:
            raise CommandError(f"The links of {site.start_url} are not known yet. `crawl_site {site.pk}` reads them.")
        if options["refresh"]:
            _refresh(site)
        if options["section"]:
            self._write_list(site, SECTIONS[options["section"]], options["format"] or "csv", options["kind"])
        elif options["format"] == "csv":
            raise CommandError("--format csv is for one list. Name it with --section, or use --format text or json.")
        elif options["format"] == "json":
            self.stdout.write(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n".join(_lines(report)))

    def _write_list(self, site: Site, section: Section, file_format: str, kind: str) -> None:
        if file_format == "text":
            raise CommandError("--format text is for the whole report. Of a list use csv or json.")
        report = shown_report(site.pk)
        if report is None:
            raise CommandError(f"The lists of {site.start_url} are not made yet. Run this again with --refresh.")
        try:
            wanted = read_filter(section, {"kind": kind})
        except WrongFilter as error:
            raise CommandError(str(error)) from error
        rows = (plain_row(section, row) for row in stream_rows(report, section, wanted))
        head = {"site": site.start_url, "section": section.key, "made_at": report.created_at.isoformat()}
        pieces = csv_lines(plain_columns(section), rows) if file_format == "csv" else json_lines(head, rows)
        for piece in pieces:
            self.stdout.write(piece, ending="")


def _refresh(site: Site) -> None:
    """As the end of a run does it, but never beside one: both would write."""
    try:
        refuse_while_busy(site)
    except SiteBusy as error:
        raise CommandError(str(error)) from error
    run = shown_run(site.pk)
    store_site_report(site.pk, run.pk if run else None)


def _lines(report: SiteReport) -> list[str]:
    states = report.states
    rows = [
        ("", [state.label for state in states]),
        ("New links", [str(state.added) for state in states]),
        ("Orphan pages", [str(state.orphans) for state in states]),
        ("  of these, in menus", [str(state.orphans_in_menus) for state in states]),
        ("  of these, without any link", [str(state.orphans_without_links) for state in states]),
        ("Out of reach of the start page", ["-" if s.unreachable is None else str(s.unreachable) for s in states]),
        ("Mean click depth", ["-" if s.mean_depth is None else f"{s.mean_depth:.2f}" for s in states]),
    ]
    lines = [f"{report.site.start_url}: {report.pages} pages worth finding"]
    lines += [f"{name:<32}" + "".join(f"{cell:>18}" for cell in cells) for name, cells in rows]
    if report.important:
        lines += ["", "PageRank of important pages (1.00 is the average page) and their inlinks from content:"]
    for row in report.important:
        cells = "".join(f"{f'{rank:.2f} ({inlinks})':>18}" for _, rank, inlinks in row.cells)
        lines.append(f"{'':<32}{cells}  {row.page.url}")
    return lines
