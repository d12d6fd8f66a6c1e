"""A crawl in counts while it runs and when it has ended; a full run; a held crawl and the word of an admin."""

from typing import Any

import pytest
from django.test import Client

from crawler.models import Crawl
from recommendations.models import RecommendationRun
from tests.factories import make_page, make_pipeline, make_site

pytestmark = pytest.mark.django_db
SENTENCE = "Only 2 of the 10 known pages were found again, so nothing was taken away."


@pytest.fixture
def held(db: None) -> RecommendationRun:
    """A crawl that found two of ten known pages."""
    run = make_pipeline(make_site("Workshop"), "failed", "stopped", "stopped")
    Crawl.objects.update(is_held=True, error=SENTENCE, figures={"so_far": {"known": 10}})
    for number in range(10):
        values: dict[str, Any] = {"pending_status": "gone", "pending_reason": "HTTP 404"} if number > 1 else {}
        make_page(run.site, f"page/{number}", title=f"Page {number}", last_crawl=run.crawl, **values)
    return run


def panel(client: Client, run: RecommendationRun) -> str:
    return client.get(f"/sites/{run.site_id}/progress/", headers={"HX-Request": "true"}).content.decode()


def test_a_running_crawl_is_told_in_counts(as_editor: Client) -> None:
    run = make_pipeline(make_site(), "running", "queued", "queued")
    live = {"found": 5310, "fetched": 1204, "read": 1190, "unchanged": 0, "waiting": 4000, "pages_per_second": 12.345,
            "seconds_left": 330, "skipped": {"blocked by robots.txt": 12}, "failed": {"HTTP 500": 3}}  # fmt: skip
    Crawl.objects.update(live=live)
    body = panel(as_editor, run)
    assert "12.3 pages a second, about 5 min 30 s left" in body
    assert f'href="/sites/{run.site_id}/?status=skipped&amp;reason=blocked+by+robots.txt">12 blocked by' in body
    assert "3 HTTP 500" in body
    assert "5,310 found" in body


def test_an_ended_crawl_leads_to_the_lists_behind_its_figures(as_editor: Client) -> None:
    run = make_pipeline(make_site(), "done", "done", "done")
    Crawl.objects.update(
        figures={"found": 4, "read": 1, "skipped": {"noindex": 2}, "failed": {}, "notes": ["Mind you."]}
    )
    RecommendationRun.objects.update(figures={"ranked": 10, "kept": 990, "why": "10 of 1,000 pages changed."})
    for path, reason in (("a", "noindex"), ("b", "noindex: by its header"), ("c", "noindexed otherwise")):
        make_page(run.site, path, status="skipped", reason=reason)
    body = panel(as_editor, run)
    assert "Mind you." in body
    assert "10 pages were ranked, 990 kept their suggestions." in body
    assert "10 of 1,000 pages changed." in body
    listed = as_editor.get(f"/sites/{run.site_id}/?status=skipped&reason=noindex")
    assert [row.page.url.rsplit("/", 1)[1] for row in listed.context["rows"]] == ["a", "b"]
    assert "because of “<bdi>noindex</bdi>”" in listed.content.decode()


def test_a_crawl_that_was_stopped_tells_how_far_it_came(as_editor: Client) -> None:
    run = make_pipeline(make_site(), "stopped", "stopped", "stopped")
    Crawl.objects.update(live={"found": 70, "failed": {"HTTP 500": 3}, "pages_per_second": 9}, figures={"so_far": {}})
    body = panel(as_editor, run)
    assert "70 found" in body
    assert "3 HTTP 500" in body
    assert "pages a second" not in body


def test_a_full_run_is_asked_for(as_admin: Client) -> None:
    run = make_pipeline(make_site(), "done", "done", "done")
    assert 'id="full-button"' in panel(as_admin, run)
    as_admin.post(f"/sites/{run.site_id}/recrawl/", {"full": "1"})
    full = RecommendationRun.objects.first()
    assert full.options == {"full": True}
    assert full.crawl.is_full_asked
    again = as_admin.post(f"/sites/{run.site_id}/recrawl/", {"full": "1"}, follow=True).content.decode()
    assert "Ask for the full run again when it has ended." in again


def test_a_stopped_run_goes_on(as_admin: Client) -> None:
    run = make_pipeline(make_site(), "stopped", "stopped", "stopped")
    assert ">Go on</button>" in panel(as_admin, run)


def test_a_held_crawl_shows_what_is_missing(as_admin: Client, as_editor: Client, held: RecommendationRun) -> None:
    body = panel(as_admin, held)
    assert "Many pages are missing" in body
    assert body.count(SENTENCE) == 1
    assert "HTTP 404" in body
    assert "Page 5" in body
    assert 'id="confirm-button"' in body
    assert 'id="retry-button"' not in body
    assert "confirm-button" not in panel(as_editor, held)
    pages = as_editor.get(f"/sites/{held.site_id}/missing-pages/")
    assert "found 2 of 10 known pages again" in pages.content.decode()
    assert len(pages.context["shown"].object_list) == 8
    (site,) = as_editor.get("/api/v1/sites").json()["sites"]
    assert site["held_crawl"] == {"known_pages": 10, "found_pages": 2, "missing_pages": 8, "sentence": SENTENCE}


def test_an_admin_confirms_and_the_run_goes_on(as_admin: Client, as_editor: Client, held: RecommendationRun) -> None:
    path = f"/sites/{held.site_id}/confirm-losses/"
    assert as_editor.post(path).status_code == 403
    assert not Crawl.objects.get().are_losses_confirmed
    assert "the run goes on" in as_admin.post(path, follow=True).content.decode()
    crawl = Crawl.objects.get()
    assert (crawl.are_losses_confirmed, crawl.status) == (True, "queued")
    held.refresh_from_db()
    assert held.status == "queued"
    assert "is under way" in as_admin.post(path, follow=True).content.decode()


def test_what_is_not_held_is_not_confirmed(as_admin: Client) -> None:
    run = make_pipeline(make_site(), "failed", "stopped", "stopped")
    body = as_admin.post(f"/sites/{run.site_id}/confirm-losses/", follow=True).content.decode()
    assert "waits for no confirmation" in body
    assert not Crawl.objects.get().are_losses_confirmed
    assert "No reading of this site waits" in as_admin.get(f"/sites/{run.site_id}/missing-pages/").content.decode()
