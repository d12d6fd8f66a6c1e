"""An admin in a real Chromium: a site added by upload, its run stopped and gone on with, a held crawl confirmed."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from accounts.models import Notice
from crawler.credentials import read_credentials
from crawler.errors import CrawlHeld
from crawler.jobs import run_crawl
from crawler.models import Crawl, Page, Site
from crawler.services import get_or_create_site
from embeddings.models import EmbeddingRun
from recommendations.models import RecommendationRun
from recommendations.pipeline import requeue_lost, start_pipeline
from tests.browser.chromium import open_window
from tests.crawler.loopback import page, serve
from tests.factories import PASSWORD, make_site, make_user

pytestmark = pytest.mark.django_db(transaction=True)
EXPORT = b"""<?xml version="1.0"?><rss xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"><channel>
<wp:base_blog_url>http://127.0.0.1:81</wp:base_blog_url></channel></rss>"""
WAYS = pytest.mark.parametrize("with_javascript", [True, False], ids=["", "without javascript"])


@pytest.fixture
def make_window(live_server: Any, browser: Any) -> Iterator[Any]:
    """A window where an admin is logged in; fails at the end for any fault it had."""
    opened = []

    def make(**options: Any) -> Any:
        make_user("ada", is_admin=True)
        window, faults = open_window(browser, live_server.url, **options)
        window.goto("/login/")
        window.get_by_label("Name").fill("ada")
        window.get_by_label("Password").fill(PASSWORD)
        window.get_by_role("button", name="Log in").click()
        opened.append((window, faults))
        return window

    yield make
    for window, faults in opened:
        window.context.close()
        assert [fault for fault in faults if "422" not in fault] == []


@WAYS
def test_a_site_is_added_by_its_export_stopped_and_gone_on_with(make_window: Any, with_javascript: bool) -> None:
    window = make_window(java_script_enabled=with_javascript)
    window.goto("/sites/add/")
    assert not window.get_by_label("File", exact=True).is_visible()
    window.get_by_text("A WXR file").click()
    assert not window.get_by_label("Password", exact=True).is_visible()
    window.get_by_role("button", name="Add and read it").click()
    window.get_by_text("Choose the file that the pages are read from.").wait_for()
    export = {"name": "export.xml", "mimeType": "text/xml", "buffer": EXPORT}
    window.get_by_label("File", exact=True).set_input_files(export)
    window.get_by_role("button", name="Add and read it").click()
    window.get_by_role("heading", name="Waits for a worker").wait_for()
    site = Site.objects.get()
    assert (site.source_kind, site.start_url) == ("wxr", "http://127.0.0.1:81/")
    window.get_by_role("button", name="Stop").click()
    window.get_by_role("heading", name="The last run was stopped").wait_for()
    window.get_by_role("button", name="Go on").click()
    window.get_by_role("heading", name="Waits for a worker").wait_for()
    assert RecommendationRun.objects.get().status == "queued"


def test_a_list_of_addresses_is_uploaded_and_read(make_window: Any) -> None:
    window = make_window()
    pages = {path: page(f"Page {path[1:]}", links={"/c": "c"}) for path in ("/", "/a", "/b", "/c")}
    with serve(pages) as served:
        window.goto("/sites/add/")
        window.get_by_text("A list of addresses").click()
        body = f"address,note\n{served.at('/a')},one\n{served.at('/b')},two\nno address at all,x\n".encode()
        window.get_by_label("File", exact=True).set_input_files(
            {"name": "pages.csv", "mimeType": "text/csv", "buffer": body}
        )
        window.get_by_role("button", name="Add and read it").click()
        window.get_by_role("heading", name="Waits for a worker").wait_for()
        _crawl(RecommendationRun.objects.get())
    assert set(Page.objects.filter(status="read").values_list("url", flat=True)) >= {served.at("/a"), served.at("/b")}
    assert not Page.objects.filter(status="read", url=served.at("/c")).exists()
    window.goto(f"/sites/{Site.objects.get().pk}/")
    window.get_by_text("no address at all").wait_for()


def test_settings_are_kept_and_secrets_stay_inside(make_window: Any) -> None:
    site = make_site("Staging")
    window = make_window()
    window.goto(f"/sites/{site.pk}/")
    window.get_by_role("link", name="Settings", exact=True).click()
    window.get_by_label("User name", exact=True).fill("staging")
    window.get_by_label("Password", exact=True).fill("hunter2")
    window.get_by_label("Read only").fill("blog")
    window.get_by_label("Read it again").select_option("weekly")
    window.get_by_role("button", name="Keep these settings").click()
    window.get_by_text("'blog' is no pattern").wait_for()
    assert window.get_by_label("Password", exact=True).input_value() == ""
    window.get_by_label("Password", exact=True).fill("hunter2")
    window.get_by_label("Read only").fill("/blog/*")
    window.get_by_role("button", name="Keep these settings").click()
    window.get_by_text("Read again every Monday at 03:00").wait_for()
    site.refresh_from_db()
    assert (site.include_patterns, read_credentials(site).password) == ("/blog/*", "hunter2")


@WAYS
def test_notices_are_read_and_the_bell_follows(make_window: Any, with_javascript: bool) -> None:
    window = make_window(java_script_enabled=with_javascript)
    person, site = get_user_model().objects.get(), make_site("Workshop")
    for number in range(2):
        Notice.objects.create(person=person, site=site, kind="done", text=f"It was read {number}.")
    window.goto("/")
    window.get_by_role("link", name="Notices: 2 unread").click()
    for left in (1, 0):
        window.get_by_role("button", name="Mark as read").first.click()
        window.get_by_role("link", name=f"Notices: {left} unread" if left else "Notices", exact=True).wait_for()
    window.get_by_role("button", name="Mark as unread").first.click()
    window.get_by_role("link", name="Notices: 1 unread").wait_for()
    assert window.locator("#bell").count() == 1
    assert Notice.objects.filter(is_read=False).count() == 1


@WAYS
def test_a_held_crawl_is_looked_at_and_confirmed(make_window: Any, with_javascript: bool) -> None:
    window = make_window(java_script_enabled=with_javascript)
    paths = [f"/guide/{number}" for number in range(10)]
    answers = {path: page(f"Guide {path[-1]}") for path in paths}
    start = page("Home", links={path: path for path in paths})
    with serve({"/": start, **answers}) as served:
        site = get_or_create_site(served.url)
        _crawl(start_pipeline(site.pk))
        for model in (EmbeddingRun, RecommendationRun):
            model.objects.update(status="done")
        for path in paths[2:]:
            del served.answers[path]
        window.goto(f"/sites/{site.pk}/")
        window.get_by_role("button", name="Read the site again").click()
        with pytest.raises(CrawlHeld):
            _crawl(RecommendationRun.objects.latest("pk"))
        requeue_lost()
        window.goto(f"/sites/{site.pk}/")
        window.get_by_role("heading", name="Many pages are missing").wait_for()
        window.get_by_text("of the 11 known pages were found again").wait_for()
        assert Page.objects.filter(status="read").count() == 11
        window.get_by_role("link", name="Guide 7").first.click()
        window.get_by_text("to become “gone”: HTTP 404").wait_for()
        window.go_back()
        window.get_by_role("button", name="They are really gone").click()
        window.get_by_text("the run goes on").wait_for()
        _crawl(RecommendationRun.objects.latest("pk"))
    assert Page.objects.filter(status="gone").count() == 8
    assert not Crawl.objects.latest("pk").is_held


def _crawl(run: RecommendationRun) -> None:
    assert run.crawl_id is not None
    run_crawl(run.crawl_id)
