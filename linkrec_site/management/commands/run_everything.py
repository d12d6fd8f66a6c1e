"""`manage.py run_everything`, which `make run` calls: queue, worker, demo site and web server in one terminal."""

import signal
import sys
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from crawler.errors import CrawlError
from crawler.models import Site
from crawler.services import get_or_create_site
from linkrec_site.data_directory import ensure_private_directory, prepare_data_directory
from linkrec_site.env import child_environment
from linkrec_site.first_run import ADMIN_NAME, RunView, begin_first_run, make_admin_account, view_run
from linkrec_site.ports import demo_port, is_port_free
from linkrec_site.queue_server import QueueServerError, start_embedded_server, wait_until_ready
from linkrec_site.queue_settings import rq_queues
from linkrec_site.run_lock import AlreadyRunning, hold_run_lock
from linkrec_site.supervisor import Child, Supervisor
from recommendations.errors import PipelineConflict

WEB_SECONDS = 30
LINE_SECONDS = 2.0


class StopAsked(BaseException):
    """SIGINT, SIGTERM or SIGHUP arrived. No Exception, so that nothing on the way takes it for a fault of its own."""


class Command(BaseCommand):
    help = "Runs the queue server, a worker, the demo site and the web server until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--site", default="", help="URL of the site to read; without it the demo site is served.")
        parser.add_argument("--port", type=int, default=None, help="Port of the web server on 127.0.0.1.")

    def handle(self, *args: Any, **options: Any) -> None:
        port = options["port"] or settings.LINKREC_PORT
        url = f"http://127.0.0.1:{port}"
        data_dir: Path = ensure_private_directory(settings.LINKREC_DATA_DIR)
        try:
            lock = hold_run_lock(data_dir, url)
        except AlreadyRunning as error:
            raise CommandError(str(error)) from error
        with lock:
            if not 0 < port < 65536:
                raise CommandError(f"There is no port {port}. Choose one up to 65535: make run PORT=8001")
            if not is_port_free(port):
                raise CommandError(f"Port {port} is in use by another program. Choose one: make run PORT={port + 1}")
            self._run(data_dir, url, port, options["site"])

    def _run(self, data_dir: Path, url: str, port: int, site_url: str) -> None:
        supervisor = Supervisor(settings.BASE_DIR, ensure_private_directory(data_dir / "logs"), self._say)
        _raise_on_stop_signals()
        try:
            environment = self._allow_demo(data_dir) if not site_url else child_environment()
            site = self._prepare(data_dir, site_url)
            if not site_url:
                self._start_demo(supervisor, data_dir, environment)
            self._start_queue(supervisor, data_dir, environment)
            manage = (sys.executable, str(settings.BASE_DIR / "manage.py"))
            supervisor.start(Child("worker", (*manage, "run_worker"), environment, stop_seconds=15))
            supervisor.start(Child("web", web_command(port), environment))
            self._wait_for_web(supervisor, url)
            self._say(f"Open {url}")
            self._watch(supervisor, site, url)
        except StopAsked:
            self._say("Stopping. What is under way goes on at the next start.")
        except (QueueServerError, CrawlError) as error:
            raise CommandError(str(error)) from error
        finally:
            try:
                supervisor.stop_all()
            except StopAsked:
                supervisor.kill_all()
        self._say("Stopped.")

    def _prepare(self, data_dir: Path, site_url: str) -> Site:
        prepare_data_directory()
        if site_url:
            site = get_or_create_site(site_url)
        else:
            site = get_or_create_site(f"http://127.0.0.1:{demo_port(data_dir)}/", "Demo site")
        call_command("collectstatic", interactive=False, verbosity=0)
        password = make_admin_account()
        if password:
            self._say(f"Sign in as {ADMIN_NAME} with the password {password} (it is shown this once).")
        else:
            self._say("Sign in as before; a forgotten password: .venv/bin/python manage.py changepassword NAME")
        return site

    def _allow_demo(self, data_dir: Path) -> dict[str, str]:
        # For this run's own processes only: the demo site is on loopback, which nobody may be made to read otherwise.
        allowed = (*settings.LINKREC_ALLOWED_PRIVATE_HOSTS, f"127.0.0.1:{demo_port(data_dir)}")
        settings.LINKREC_ALLOWED_PRIVATE_HOSTS = allowed
        return child_environment(LINKREC_ALLOWED_PRIVATE_HOSTS=",".join(allowed))

    def _start_demo(self, supervisor: Supervisor, data_dir: Path, environment: dict[str, str]) -> None:
        port = demo_port(data_dir)
        if is_port_free(port):
            supervisor.start(Child("demo", (sys.executable, "-m", "demo.serve", str(port)), environment))
            self._say(f"The demo site is at http://127.0.0.1:{port}/")
        else:
            self._say(f"The demo site is not served: port {port} is in use. Its suggestions are still there.")

    def _start_queue(self, supervisor: Supervisor, data_dir: Path, environment: dict[str, str]) -> None:
        if settings.ENVIRONMENT.redis_url:
            try:
                wait_until_ready(settings.ENVIRONMENT.redis_url)
            except QueueServerError as error:
                raise CommandError(f"{error} Is REDIS_URL right? Without it a server is started here.") from error
            return
        plan, process = start_embedded_server(data_dir)
        supervisor.adopt(Child("queue", plan.command, environment, is_stopped_last=True, process=process))
        # This process, too, puts jobs into it, and read its settings before the address was known.
        settings.RQ_QUEUES = rq_queues(data_dir, "")

    def _wait_for_web(self, supervisor: Supervisor, url: str) -> None:
        # No proxy that the environment names can reach our own loopback address.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        deadline = time.monotonic() + WEB_SECONDS
        while time.monotonic() < deadline:
            supervisor.watch()
            try:
                opener.open(url, timeout=5).close()
                return
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.2)
        self._say(f"The web server does not answer at {url} yet. Its log ends:\n{supervisor.last_words('web')}")

    def _watch(self, supervisor: Supervisor, site: Site, url: str) -> None:
        try:
            run = begin_first_run(site)
        except PipelineConflict as error:
            self._say(str(error))
            run = None
        shown = RunView(-1, "", "")
        shown_at = 0.0
        while True:
            supervisor.watch()
            time.sleep(0.3)
            if run is None:
                continue
            view = view_run(run.pk)
            if view.outcome:
                self._say(f"{site.name}: {view.outcome} {url}")
                run = None
            elif view != shown and (view.stage != shown.stage or time.monotonic() - shown_at > LINE_SECONDS):
                self._say(view.line)
                shown, shown_at = view, time.monotonic()

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def web_command(port: int) -> tuple[str, ...]:
    """gunicorn on loopback: two processes of four threads, so that a slow page holds up nobody."""
    options = ("--workers", "2", "--threads", "4", "--bind", f"127.0.0.1:{port}", "--preload", "--no-control-socket")
    return (sys.executable, "-m", "gunicorn", "linkrec_site.wsgi:application", *options)


def _raise_on_stop_signals() -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        raise StopAsked(signal.Signals(number).name)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
