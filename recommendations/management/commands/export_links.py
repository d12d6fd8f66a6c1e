"""`manage.py export_links SITE --output links.csv`: write a site's recommendations as CSV or JSON."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from linkrec_site.data_directory import prepare_data_directory
from recommendations.management.command_options import find_site
from recommendations.management.stages import add_export_options, check_export_options, export_to_file, place_in_words


class Command(BaseCommand):
    help = "Write a site's latest recommendations as CSV or JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("site", help="the site's start URL or id")
        add_export_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        check_export_options(options)
        prepare_data_directory()
        count = export_to_file(find_site(options["site"]), options)
        self.stderr.write(f"{count} recommendations written to {place_in_words(options)}.")
