"""Crawls a site in processes that are killed (SIGKILL) or stopped at given moments, each going on where the last was.

    python -m tests.operations.killed_crawls URL '[["kill", 0.4], ["stop", 0.3], ...]'

Every attempt is a process of its own that does what a worker's job does, under a lease. The last one is left alone.
Prints how many attempts were cut short. For test_killed_crawls; leaves comparing rows to it.
"""

import json
import os
import signal
import sys
import time

import django


def main(url: str, moments: list[tuple[str, float]]) -> None:
    django.setup()
    from django.db import connections

    from crawler.jobs import run_crawl
    from crawler.leases import RunStatus, lease_seconds
    from crawler.models import Crawl, Site
    from crawler.services import get_or_create_site
    from linkrec_site.data_directory import prepare_data_directory

    prepare_data_directory()
    site = get_or_create_site(url)
    Site.objects.filter(pk=site.pk).update(seconds_between_requests=0.01)
    crawl = Crawl.objects.create(site=site)
    connections.close_all()
    cut = 0
    for way, seconds in [*moments, ("", 0.0)]:
        child = os.fork()
        if not child:
            try:
                run_crawl(crawl.pk)
            finally:
                os._exit(0)
        if way:
            time.sleep(seconds)
        if way == "kill":
            os.kill(child, signal.SIGKILL)
        elif way == "stop":
            Crawl.objects.filter(pk=crawl.pk).update(is_stop_requested=True)
        os.waitpid(child, 0)
        status = Crawl.objects.values_list("status", flat=True).get(pk=crawl.pk)
        cut += status in (RunStatus.RUNNING, RunStatus.STOPPED)
        if way == "kill":
            time.sleep(lease_seconds() + 0.05)
        elif way == "stop":
            Crawl.objects.filter(pk=crawl.pk).exclude(status=RunStatus.DONE).update(
                status=RunStatus.QUEUED, is_stop_requested=False, error="", finished_at=None
            )
        connections.close_all()
    print(json.dumps({"cut": cut, "status": Crawl.objects.values_list("status", flat=True).get(pk=crawl.pk)}))


if __name__ == "__main__":
    main(sys.argv[1], [(way, float(seconds)) for way, seconds in json.loads(sys.argv[2])])
