"""`manage.py crawl_site URL`: reads one site in the foreground. Leaves the reading to services."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from crawler.foreground_crawl import crawl_in_foreground
from crawler.site_options import add_site_options, site_of_options
from linkrec_site.data_directory import prepare_data_directory


class Command(BaseCommand):
    help = "Read a web site: its pages, links and sentences. Goes on where a crawl of the site was cut short."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="where the site starts, for example https://example.com/")
        parser.add_argument(
            "--max-pages",
            type=int,
            help="pages to read at most, kept as the site's setting (default: that setting, 100000)",
        )
        parser.add_argument("--name", default="", help="what to call the site; its host name when left out")
        add_site_options(parser)

    def handle(self, *args: Any, url: str, max_pages: int | None, name: str, **options: Any) -> None:
        prepare_data_directory()
        if max_pages is not None and max_pages < 1:
            raise CommandError(f"--max-pages is {max_pages}. Give a number of at least 1, or leave it out.")
        began_at = timezone.now()
        site = site_of_options(url, {**options, "max_pages": max_pages}, name)
        figures = crawl_in_foreground(
            site, began_at, is_full=options["full"], are_losses_confirmed=options["confirm_losses"]
        )
        self.stdout.write(_summary(site.start_url, figures))


def _summary(start_url: str, figures: dict[str, Any]) -> str:
    """The figures in a few lines."""
    rate = figures["read"] / figures["seconds"] if figures["seconds"] else 0.0
    lines = [
        f"{start_url}: {figures['read']} pages read ({figures['unchanged']} unchanged) in {figures['seconds']:.1f} s, "
        f"{rate:.0f} pages/s; {figures['links']} links, {figures['sentences']} sentences.",
        f"{figures['found']} addresses known: {figures['redirects']} redirect or repeat another page, "
        f"{figures['gone']} are gone.",
    ]
    for label in ("skipped", "failed"):
        if figures[label]:
            reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(figures[label].items()))
            lines.append(f"{label}: {reasons}")
    return "\n".join([*lines, *(f"note: {note}" for note in figures["notes"])])
