"""What happened to an address: seen, redirected, skipped, off the site, never seen."""

import pytest
from django.test import Client

from crawler.models import Crawl, Page, PageEvent, Site
from tests.factories import make_link, make_page, make_site

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(db: None) -> Site:
    site = make_site(
        "Workshop", start_url="https://workshop.example/", dropped_parameters="ref\nsort_*", exclude_patterns="/print/"
    )
    site.crawls.create(status="done")
    return site


def body_of(client: Client, site: Site, asked: str) -> str:
    response = client.get(f"/sites/{site.pk}/lookup/", {"url": asked})
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize(
    "asked",
    [
        "https://workshop.example/wheels",
        "http://www.workshop.example/wheels?utm_source=x&ref=y#top",
        "/wheels",
        " workshop.example/wheels ",
        "HTTPS://WORKSHOP.EXAMPLE:443/./wheels?sort_by=price",
    ],
)
def test_every_spelling_leads_to_the_page(as_editor: Client, site: Site, asked: str) -> None:
    page = make_page(site, "wheels", is_in_sitemap=True, http_status=200, canonical_url="https://workshop.example/w")
    crawl = Crawl.objects.get()
    PageEvent.objects.create(page=page, crawl=crawl, status="failed", reason="timed out: after 30 s", http_status=None)
    PageEvent.objects.create(page=page, crawl=crawl, status="read", reason="", http_status=200)
    source = make_page(site, "start", title="Where it is linked")
    make_link(source, page, anchor_text="about wheels")
    body = body_of(as_editor, site, asked)
    for text in ("stands in it", "timed out: after 30 s", "Where it is linked", "about wheels", "workshop.example/w<"):
        assert text in body, text
    assert body.index("timed out") > body.index("Became")


def test_dropped_parameters_are_named(as_editor: Client, site: Site) -> None:
    make_page(site, "wheels")
    body = body_of(as_editor, site, "/wheels?utm_source=x&ref=y")
    assert "without the parameters <code>utm_source</code>, <code>ref</code>" in body


def test_what_was_not_read_says_why_and_who_links_to_it(as_editor: Client, site: Site) -> None:
    make_page(site, "file.pdf", status="skipped", reason="not a web page: its name ends in .pdf", title="")
    make_page(site, "old", status="redirect", redirect_url="https://workshop.example/new", title="", http_status=301)
    source = make_page(site, "start", title="The linking page")
    make_link(source, None, target_url="https://workshop.example/file.pdf", is_editorial=False)
    body = body_of(as_editor, site, "/file.pdf")
    assert "its name ends in .pdf" in body
    assert "The linking page" in body
    assert "menu or template" in body
    assert "https://workshop.example/new" in body_of(as_editor, site, "/old")


def test_a_loss_that_waits_is_told(as_editor: Client, site: Site) -> None:
    make_page(site, "wheels", pending_status="gone", pending_reason="HTTP 404", missed_crawls=1)
    body = body_of(as_editor, site, "/wheels")
    assert "to become “gone”: HTTP 404" in body
    assert "by the last complete crawl<" in body


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("/never", "No crawl has seen this address"),
        ("/print/1", "the site&#x27;s settings leave out /print/"),
        ("/logo.png", "its name ends in .png"),
        ("https://elsewhere.example/wheels", "elsewhere.example is another site than workshop.example"),
        ("https://blog.workshop.example/x", "blog.workshop.example is a subdomain"),
        ("ftp://workshop.example/x", "is no address of a web page"),
        ("http://[", "is no address of a web page"),
        ("//[", "is no address of a web page"),
        ("http://a]b/", "is no address of a web page"),
        ("http://\u2100/", "is no address of a web page"),
        (
            "https://workshop.example:8443/x",
            "https://workshop.example:8443 is another site than https://workshop.example:",
        ),
        ("<script>alert(1)</script>", "holds “&lt;script&gt;"),
    ],
)
def test_what_was_never_seen_gets_an_honest_answer(as_editor: Client, site: Site, asked: str, answer: str) -> None:
    body = body_of(as_editor, site, asked)
    assert answer in body
    assert "<script>alert" not in body


def test_a_part_of_an_address_lists_what_holds_it(as_editor: Client, site: Site) -> None:
    for number in range(60):
        make_page(site, f"guides/{number}")
    make_page(make_site(), "guides/elsewhere")
    body = body_of(as_editor, site, "guides/")
    assert "The first 50 addresses like it" in body
    assert "guides/elsewhere" not in body
    one = body_of(as_editor, site, "/guides/7/")
    assert "No crawl has seen this address" in one
    assert "1 address like it" in one


def test_a_site_that_was_never_read(as_editor: Client) -> None:
    assert "never read" in body_of(as_editor, make_site(), "/x")


def test_at_most_fifty_links_are_shown(as_editor: Client, site: Site) -> None:
    page = make_page(site, "wheels")
    for number in range(55):
        make_link(make_page(site, f"from/{number}"), page)
    body = body_of(as_editor, site, "/wheels")
    assert "The first 50 links" in body
    assert body.count('data-label="Anchor text"') == 50


def test_the_same_over_the_api(as_editor: Client, site: Site) -> None:
    page = make_page(site, "wheels")
    PageEvent.objects.create(page=page, crawl=None, status="read", http_status=200)
    make_link(make_page(site, "start"), page, anchor_text="wheels")
    found = as_editor.get(f"/api/v1/sites/{site.pk}/lookup", {"url": "/wheels?ref=x"}).json()
    assert found["page"]["status"] == "read"
    assert found["dropped_parameters"] == ["ref"]
    assert found["history"][0]["http_status"] == 200
    assert found["linked_from"] == [
        {"url": "https://workshop.example/start", "anchor_text": "wheels", "is_editorial": True}
    ]
    assert as_editor.get(f"/api/v1/sites/{site.pk}/lookup", {"url": "/no"}).json()["page"] is None
    for query in ("", "?url=%20", "?url=/x&page=1"):
        answer = as_editor.get(f"/api/v1/sites/{site.pk}/lookup{query}")
        assert answer.status_code == 400
        assert answer.json()["detail"]
    assert as_editor.get("/api/v1/sites/999/lookup?url=/x").status_code == 404
    assert Client().get(f"/api/v1/sites/{site.pk}/lookup?url=/x").status_code == 401
    assert Page.objects.count() == 2
