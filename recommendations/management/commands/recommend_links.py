"""`manage.py recommend_links SITE`: rank a site that was crawled and embedded."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from linkrec_site.data_directory import prepare_data_directory
from recommendations.management.command_options import find_site, positive, share
from recommendations.management.stages import recommend_in_foreground


class Command(BaseCommand):
    help = "Find the links that a crawled and embedded site is missing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("site", help="the site's start URL or id")
        parser.add_argument("--top", type=positive, help="links per page at most (default: the site's setting, 10)")
        parser.add_argument(
            "--threshold",
            type=share,
            help="lowest score, 0 to 1; 0 = no abstention (default: the site's setting, else the product's own)",
        )
        parser.add_argument("--model", default="", help="embedding model (default: by the site's languages)")

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_data_directory()
        site = find_site(options["site"])
        figures = recommend_in_foreground(
            site, model_name=options["model"], top=options["top"], threshold=options["threshold"]
        )
        self.stdout.write(
            f"{figures['recommendations']} links proposed on {figures['pages']} pages of {site.start_url} "
            f"in {figures['seconds']} s (model {figures['model_name']}, threshold {figures['threshold']})."
        )
