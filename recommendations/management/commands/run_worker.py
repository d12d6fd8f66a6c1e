"""`manage.py run_worker`: works off the queue until it is stopped. As many as you like may run."""

from typing import Any

import django_rq
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from linkrec_site.data_directory import prepare_data_directory
from linkrec_site.queue_server import QueueServerError, wait_until_ready
from linkrec_site.queue_settings import QUEUE_NAME


class Command(BaseCommand):
    # They import every view, none of which a worker needs.
    requires_system_checks = ()
    help = "Works off the queue: crawls, embeds and recommends. Stop it with Ctrl-C or SIGTERM."

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_data_directory()
        try:
            wait_until_ready(str(settings.RQ_QUEUES[QUEUE_NAME]["URL"]))
        except QueueServerError as error:
            raise CommandError(f"{error} Start one with `make run`, or set REDIS_URL.") from error
        worker = django_rq.get_worker(QUEUE_NAME)
        connections.close_all()
        worker.work(logging_level="INFO")
