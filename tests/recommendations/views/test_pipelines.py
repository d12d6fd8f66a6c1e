"""Progress as people see it, and the buttons of admins. The queue itself is tested in tests/operations."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from crawler.models import Crawl
from recommendations.models import RecommendationRun
from tests.factories import make_pipeline, make_site

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def fragment(client: Client, run: RecommendationRun) -> tuple[str, str]:
    response = client.get(f"/sites/{run.site_id}/progress/", headers=HTMX)
    return response.content.decode(), response.get("HX-Trigger", "")


def test_a_running_stage_shows_how_far_it_is_and_asks_again(as_admin: Client) -> None:
    run = make_pipeline(make_site(), "running", "queued", "queued")
    Crawl.objects.update(progress_done=120, progress_total=540, progress_note="pages <b>read")
    body, trigger = fragment(as_admin, run)
    assert 'hx-trigger="every 2s"' in body
    assert 'value="120" max="540"' in body
    assert "pages &lt;b&gt;read" in body
    assert body.count("to come") == 2
    assert 'id="stop-button"' in body
    assert not trigger


def test_an_ended_run_stops_asking_and_freshens_the_figures(as_editor: Client) -> None:
    body, trigger = fragment(as_editor, make_pipeline(make_site(), "done", "done", "done"))
    assert "hx-trigger" not in body
    assert "pipeline-ended" in trigger
    assert "Up to date" in body
    assert "<button" not in body  # an editor looks, an admin acts


def test_a_failed_run_says_why(as_admin: Client) -> None:
    run = make_pipeline(make_site(), "failed", "stopped", "stopped")
    error = "https://down.example/ cannot be reached: connection refused."
    Crawl.objects.update(error=error)
    for row in (run, run.embedding_run):
        type(row).objects.filter(pk=row.pk).update(error=f"Not begun, because the crawl failed: {error}")
    body, trigger = fragment(as_admin, run)
    assert '{"status": "failed"}' in trigger
    assert "The last run failed" in body
    assert body.count("connection refused.") == 1
    assert body.count("not begun") == 2
    assert 'id="retry-button"' in body
    assert "connection refused" in as_admin.get("/").content.decode()


def test_a_stopping_run_is_still_active(as_admin: Client) -> None:
    run = make_pipeline(make_site(), "running", "stopped", "stopped")
    Crawl.objects.update(is_stop_requested=True)
    body, _ = fragment(as_admin, run)
    assert "Stopping" in body
    assert "every 2s" in body
    assert 'id="stop-button" disabled' in body


def test_a_worker_that_fell_silent_is_told(as_admin: Client) -> None:
    run = make_pipeline(make_site(), "running", "queued", "queued")
    Crawl.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=5))
    assert "another one takes over soon" in fragment(as_admin, run)[0]


def test_without_a_queue_it_says_so(as_admin: Client) -> None:
    run = make_pipeline(make_site(), "queued", "queued", "queued")
    assert "The queue cannot be reached" in fragment(as_admin, run)[0]


def test_a_site_that_was_never_read(as_admin: Client) -> None:
    body = as_admin.get(f"/sites/{make_site().pk}/").content.decode()
    assert "Never read" in body
    assert "Read the site" in body


def test_progress_without_htmx_is_the_page(as_editor: Client) -> None:
    site = make_site()
    assert as_editor.get(f"/sites/{site.pk}/progress/")["Location"] == f"/sites/{site.pk}/"


def test_pages_refresh_themselves_without_javascript_while_it_runs(as_editor: Client) -> None:
    run = make_pipeline(make_site(), "running", "queued", "queued")
    for path in ("/", f"/sites/{run.site_id}/"):
        assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in as_editor.get(path).content.decode()
    RecommendationRun.objects.update(status="done")
    Crawl.objects.update(status="done")
    run.embedding_run.status = "done"
    run.embedding_run.save()
    assert 'http-equiv="refresh"' not in as_editor.get("/").content.decode()


def test_recrawl_stop_and_retry(as_admin: Client) -> None:
    site = make_site()
    as_admin.post(f"/sites/{site.pk}/recrawl/")
    run = RecommendationRun.objects.get()
    assert run.crawl.status == "queued"
    again = as_admin.post(f"/sites/{site.pk}/recrawl/", follow=True)
    assert f"{site.name} is already being read." in again.content.decode()
    assert RecommendationRun.objects.count() == 1
    as_admin.post(f"/sites/{site.pk}/stop/")
    run.refresh_from_db()
    assert run.status == "stopped"
    as_admin.post(f"/sites/{site.pk}/retry/")
    run.refresh_from_db()
    assert run.status == "queued"


def test_what_cannot_be_done_is_told_on_the_page(as_admin: Client) -> None:
    site = make_site("Workshop")
    response = as_admin.post(f"/sites/{site.pk}/retry/", follow=True)
    assert "Workshop was never read." in response.content.decode()
    make_pipeline(site, "done", "done", "done")
    response = as_admin.post(f"/sites/{site.pk}/retry/", follow=True)
    assert "is finished" in response.content.decode()
