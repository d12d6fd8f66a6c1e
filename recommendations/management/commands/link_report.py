"""`manage.py link_report SITE`: what a site's links amount to, before and after."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from linkrec_site.data_directory import prepare_data_directory
from recommendations.management.command_options import find_site
from recommendations.selectors_report import SiteReport, site_report


class Command(BaseCommand):
    help = "Count a site's orphan pages, click depth and PageRank now, with accepted and with pending links."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("site", help="the site's start URL or id")
        parser.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or json")

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_data_directory()
        site = find_site(options["site"])
        report = site_report(site)
        if report is None:
            raise CommandError(f"The links of {site.start_url} are not known yet. `crawl_site {site.pk}` reads them.")
        if options["format"] == "json":
            self.stdout.write(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n".join(_lines(report)))


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
