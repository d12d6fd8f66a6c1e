"""`manage.py linkrec URL --output links.csv`: crawl, embed, recommend and export in one go, without queue or server."""

import json
import resource
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from crawler.foreground_crawl import crawl_in_foreground
from crawler.foreground_runs import run_in_foreground, take_site_in_foreground
from crawler.leased_jobs import Fence
from crawler.leases import Progress
from crawler.models import Site
from crawler.site_options import add_site_options, site_of_options
from embeddings.errors import EmbeddingError
from embeddings.models import EmbeddingRun
from embeddings.services import embed_site
from linkrec_site.data_directory import prepare_data_directory
from recommendations.management.command_options import positive, share
from recommendations.management.stages import (
    add_export_options,
    check_export_options,
    export_to_file,
    place_in_words,
    recommend_in_foreground,
)


def _embed(site: Site, model_name: str) -> dict[str, Any]:
    run = take_site_in_foreground(site, EmbeddingRun, model_name=model_name)

    def work(progress: Progress, fence: Fence) -> dict[str, Any]:
        return embed_site(site.pk, model_name=model_name or None, progress=progress, fence=fence)

    return run_in_foreground(EmbeddingRun, run.pk, "embed", work, (EmbeddingError,), ("model_name",))


class Command(BaseCommand):
    help = "Read a site and write the internal links that it is missing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url", help="where the site starts, e.g. https://example.com")
        parser.add_argument("--top", type=positive, help="links per page at most (default: the site's setting, 10)")
        parser.add_argument(
            "--threshold",
            type=share,
            help="lowest score, 0 to 1; 0 = no abstention (default: the site's setting, else the product's own)",
        )
        parser.add_argument(
            "--max-pages", type=positive, help="pages to read at most (default: the site's setting, 100000)"
        )
        parser.add_argument("--model", default="", help="embedding model (default: by the site's languages)")
        parser.add_argument("--figures", default="", help="write seconds by stage and peak memory to this JSON file")
        add_site_options(parser)
        add_export_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        check_export_options(options)
        prepare_data_directory()
        began_at = timezone.now()
        site = site_of_options(options["url"], options)
        stages: dict[str, dict[str, Any]] = {}
        for name, stage in (
            (
                "crawl",
                lambda: crawl_in_foreground(
                    site, began_at, is_full=options["full"], are_losses_confirmed=options["confirm_losses"]
                ),
            ),
            ("embed", lambda: _embed(site, options["model"])),
            (
                "recommend",
                lambda: recommend_in_foreground(
                    site,
                    model_name=stages["embed"]["model_name"],
                    top=options["top"],
                    threshold=options["threshold"],
                    is_full=options["full"],
                ),
            ),
            ("export", lambda: {"recommendations": export_to_file(site, options)}),
        ):
            started = time.perf_counter()
            stages[name] = {**stage(), "seconds": round(time.perf_counter() - started, 2)}
        self._report(site, stages, options)

    def _report(self, site: Site, stages: dict[str, dict[str, Any]], options: dict[str, Any]) -> None:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        total = sum(stage["seconds"] for stage in stages.values())
        self.stderr.write(f"{'stage':<12}{'seconds':>10}")
        for name, figures in stages.items():
            self.stderr.write(f"{name:<12}{figures['seconds']:>10.2f}")
        self.stderr.write(f"{'total':<12}{total:>10.2f}   peak memory {peak / 2**20:.0f} MiB")
        for note in stages["crawl"].get("notes", []):
            self.stderr.write(f"Note: {note}")
        self.stderr.write(
            f"{stages['export']['recommendations']} recommendations for {stages['recommend']['pages']} pages of "
            f"{site.start_url} written to {place_in_words(options)}."
        )
        if options["figures"]:
            try:
                Path(options["figures"]).write_text(
                    json.dumps({"stages": stages, "seconds": total, "peak_rss_bytes": peak}, indent=1), "utf-8"
                )
            except OSError as error:
                raise CommandError(f"--figures {options['figures']} cannot be written ({error.strerror}).") from error
