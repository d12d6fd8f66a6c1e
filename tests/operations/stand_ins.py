"""A worker whose three services only count: for tests of the jobs around them. `python -m ... run_worker`."""

import sys
import time
from types import ModuleType
from typing import Any

STEPS = {"crawl": 15, "slow crawl": 600, "embed": 3, "recommend": 3}
STEP_SECONDS = 0.1


def _count(name: str, run_id: int, progress: Any, fence: Any) -> dict[str, Any]:
    """Ten fenced writes a second."""
    from django.db import transaction

    from crawler.models import Site

    for step in range(STEPS[name]):
        progress(step, STEPS[name], "steps")
        time.sleep(STEP_SECONDS)
        with transaction.atomic():
            fence()
            Site.objects.filter(name__startswith="count").update(seconds_between_requests=step)
    return {"by": name, "steps": STEPS[name]}


def crawl_site(site_id: int, crawl_id: int, *, progress: Any, fence: Any) -> dict[str, Any]:
    from crawler.errors import SiteUnreachable
    from crawler.models import Site

    site = Site.objects.get(pk=site_id)
    if "down" in site.start_url:
        raise SiteUnreachable(f"{site.start_url} does not answer. Is the address right?")
    if "deaf" in site.start_url:
        time.sleep(600)
    if "deadly" in site.start_url:
        import os
        import signal

        os.kill(os.getpid(), signal.SIGKILL)
    return _count("slow crawl" if "slow" in site.start_url else "crawl", crawl_id, progress, fence)


def embed_site(site_id: int, *, model_name: str | None, progress: Any, fence: Any) -> dict[str, Any]:
    return {**_count("embed", 0, progress, fence), "model_name": "stand-in"}


def recommend_site(site_id: int, run_id: int, *, progress: Any, fence: Any, **asked: Any) -> dict[str, Any]:
    return {**_count("recommend", run_id, progress, fence), "recommendations": 0, **asked}


def main() -> None:
    crawling, embedding, recommending = (
        ModuleType(f"{app}.services") for app in ("crawler", "embeddings", "recommendations")
    )
    crawling.crawl_site = crawl_site  # type: ignore[attr-defined]
    embedding.embed_site = embed_site  # type: ignore[attr-defined]
    recommending.recommend_site = recommend_site  # type: ignore[attr-defined]
    deciding = ModuleType("recommendations.decisions")
    deciding.reconcile_decisions = lambda site_id, fence: None  # type: ignore[attr-defined]
    for module in (crawling, embedding, recommending, deciding):
        sys.modules[module.__name__] = module
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
