"""`manage.py embed_site SITE`: turn a crawled site's sentences and pages into vectors."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from crawler.foreground_runs import run_in_foreground, take_site_in_foreground
from crawler.leased_jobs import Fence
from crawler.leases import Progress
from crawler.models import Site
from crawler.url_normalization import normalize_url
from embeddings.errors import EmbeddingError
from embeddings.models import EmbeddingRun
from embeddings.services import embed_site
from linkrec_site.data_directory import prepare_data_directory


class Command(BaseCommand):
    help = "Embed the sentences of a crawled site; what is unchanged is not embedded again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("site", help="the site's start URL or id")
        parser.add_argument("--model", default="", help="embedding model (default: by the site's languages)")

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_data_directory()
        site = _find_site(options["site"])
        run = take_site_in_foreground(site, EmbeddingRun, model_name=options["model"])

        def work(progress: Progress, fence: Fence) -> dict[str, Any]:
            return embed_site(site.pk, model_name=options["model"] or None, progress=progress, fence=fence)

        figures = run_in_foreground(EmbeddingRun, run.pk, "embed", work, (EmbeddingError,), ("model_name",))
        self.stdout.write(
            f"{figures['embedded']} sentences embedded and {figures['reused']} reused on {figures['pages']} pages of "
            f"{site.start_url} in {figures['seconds']} s (model {figures['model_name']})."
        )


def _find_site(words: str) -> Site:
    sites = Site.objects.all()
    if words.isdecimal():
        site = sites.filter(pk=int(words)).first()
    else:
        site = sites.filter(start_url__in={words, normalize_url(words)}).first()
    if site is None:
        raise CommandError(f"There is no site {words!r}. `crawl_site URL` reads a new one.")
    return site
