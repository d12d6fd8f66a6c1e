"""The list of sites, one site's pages, adding a site."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crawler.models import Crawl, Site
from recommendations.models import RecommendationRun
from tests.factories import make_link, make_page, make_pipeline, make_recommendation, make_run, make_site
from tests.recommendations.conftest import Reviewed

pytestmark = pytest.mark.django_db


def queries_of(client: Client, path: str) -> int:
    client.get(path)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


def test_a_site_shows_its_figures(reviewed: Reviewed, as_editor: Client) -> None:
    make_link(reviewed.source, reviewed.target)
    make_link(reviewed.target, reviewed.source, is_editorial=False)
    make_page(reviewed.site, "broken", status="failed", reason="The server answered 500.")
    body = as_editor.get("/").content.decode()
    for label, figure in (("Pages read", 3), ("Pending", 2), ("Accepted", 0), ("Orphans", 2), ("Could not be read", 1)):
        cell = body.split(f'data-label="{label}"')[1].split("</td>")[0]
        assert f">{figure}<" in cell, (label, cell)
    assert "1 of them are linked from menus or footers alone" in body


def test_suggestions_of_a_run_that_is_being_written_are_not_shown(reviewed: Reviewed, as_editor: Client) -> None:
    half = make_run(reviewed.site, "running")
    for number in range(3):
        make_recommendation(half, reviewed.source, make_page(reviewed.site, f"n{number}"), "an hour")
    assert ">2<" in as_editor.get("/").content.decode().split('data-label="Pending"')[1].split("</td>")[0]
    page = as_editor.get(f"/sites/{reviewed.site.pk}/pages/{reviewed.source.pk}/")
    assert {card.row.run_id for card in page.context["cards"]} == {reviewed.run.pk}


def test_the_list_needs_the_same_queries_for_one_site_and_many(reviewed: Reviewed, as_editor: Client) -> None:
    few = queries_of(as_editor, "/")
    for number in range(8):
        site = make_site()
        run = make_pipeline(site, "done", "done", "done")
        source = make_page(site, "a", f"words{number} here")
        make_recommendation(run, source, make_page(site, "b"), f"words{number}")
    assert queries_of(as_editor, "/") == few
    assert few <= 12


def test_a_site_needs_the_same_queries_for_few_pages_and_many(reviewed: Reviewed, as_editor: Client) -> None:
    path = f"/sites/{reviewed.site.pk}/"
    few = queries_of(as_editor, path)
    for number in range(60):
        page = make_page(reviewed.site, f"more{number}", f"words{number} here")
        make_link(page, reviewed.target)
        make_recommendation(reviewed.run, page, reviewed.target, f"words{number}")
    assert queries_of(as_editor, path) == few
    assert few <= 22


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("", ["wheels", "spokes", "chains"]),
        ("q=WHEEL", ["wheels"]),
        ("q=/chains", ["chains"]),
        ("suggestions=pending", ["wheels"]),
        ("suggestions=accepted", []),
        ("suggestions=none", ["spokes", "chains"]),
        ("orphan=1", ["wheels", "chains"]),
        ("language=de", ["chains"]),
        ("status=failed", ["broken"]),
        ("status=all&sort=url", ["broken", "chains", "spokes", "wheels"]),
        ("sort=inlinks", ["wheels", "chains", "spokes"]),
        ("sort=title", ["chains", "spokes", "wheels"]),
        ("status=nonsense&sort=nonsense&page=99", ["wheels", "spokes", "chains"]),
    ],
)
def test_pages_are_searched_filtered_and_sorted(
    reviewed: Reviewed, as_editor: Client, query: str, paths: list[str]
) -> None:
    make_link(reviewed.source, reviewed.target)
    make_page(reviewed.site, "broken", status="failed", reason="The server answered 500.")
    chains = reviewed.second.target
    chains.language = "de"
    chains.save()
    response = as_editor.get(f"/sites/{reviewed.site.pk}/?{query}")
    assert [row.page.url.rsplit("/", 1)[1] for row in response.context["rows"]] == paths


def test_errors_and_addresses_are_written_for_people(as_editor: Client) -> None:
    site = make_site("Munich", start_url="https://xn--mnchen-3ya.example/")
    make_pipeline(site, "failed", "stopped", "stopped")
    long = "https://down.example/" + "a" * 300
    Crawl.objects.update(error=f"{long} could not be read: no connection ([Errno 111] Connection refused). Try again.")
    for path in ("/", f"/sites/{site.pk}/"):
        body = as_editor.get(path).content.decode()
        assert "https://xn--mnchen-3ya.example/ (münchen.example)" in body
        assert "aaa… could not" in body.replace("a" * 20 + " could", " could")
        assert "no connection (connection refused)" in body
        assert "Errno" not in body


def test_a_query_that_is_too_long_is_cut_and_says_so(reviewed: Reviewed, as_editor: Client) -> None:
    body = as_editor.get(f"/sites/{reviewed.site.pk}/?q={'w' * 5000}").content.decode()
    assert "Only the first 200 characters were searched for." in body
    assert 'value="' + "w" * 200 + '"' in body


def test_nothing_is_an_orphan_before_a_crawl_has_finished(as_editor: Client) -> None:
    site = make_site()
    run = make_pipeline(site, "running", "queued", "queued")
    page = make_page(site, "alone", "Words stand here.")
    assert ">–<" in as_editor.get("/").content.decode().split('data-label="Orphans"')[1].split("</td>")[0]
    body = as_editor.get(f"/sites/{site.pk}/").content.decode()
    assert "orphan</span>" not in body
    assert ">–</td>" in body.split('data-label="Inlinks"')[1]
    assert "0 inlinks" not in as_editor.get(f"/sites/{site.pk}/pages/{page.pk}/").content.decode()
    assert not as_editor.get(f"/sites/{site.pk}/?orphan=1").context["rows"]
    assert as_editor.get("/api/v1/sites").json()["sites"][0]["orphan_pages"] is None
    Crawl.objects.filter(pk=run.crawl_id).update(status="done")
    assert "orphan</span>" in as_editor.get(f"/sites/{site.pk}/").content.decode()


def test_pages_that_could_not_be_read_say_why(reviewed: Reviewed, as_editor: Client) -> None:
    make_page(reviewed.site, "broken", status="failed", reason="The server answered 500.", http_status=500, title="")
    body = as_editor.get(f"/sites/{reviewed.site.pk}/?status=failed").content.decode()
    assert "The server answered 500." in body


def test_long_lists_are_paged_and_the_filter_stays(reviewed: Reviewed, as_editor: Client) -> None:
    for number in range(60):
        make_page(reviewed.site, f"more{number}")
    first = as_editor.get(f"/sites/{reviewed.site.pk}/?q=more&sort=url")
    assert len(first.context["rows"]) == 50
    assert "?q=more&amp;sort=url&amp;page=2" in first.content.decode()
    assert len(as_editor.get(f"/sites/{reviewed.site.pk}/?q=more&sort=url&page=2").context["rows"]) == 10


def test_an_admin_adds_a_site_and_it_is_queued(as_admin: Client) -> None:
    response = as_admin.post("/sites/add/", {"url": "127.0.0.1:9/", "max_pages": "7"})
    site = Site.objects.get()
    assert response["Location"] == f"/sites/{site.pk}/"
    assert site.max_pages == 7
    assert RecommendationRun.objects.get().crawl.requested_by.username == "ada"
    body = as_admin.get(f"/sites/{site.pk}/").content.decode()
    assert "Waits for a worker" in body
    assert "The queue cannot be reached" in body


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("ftp://files.example/", "ftp"),
        ("http://192.168.0.7/", "192.168.0.7"),
        ("", "required"),
        ("https://user:secret@site.example/", "user"),
    ],
)
def test_a_site_that_cannot_be_is_refused_in_one_sentence(as_admin: Client, url: str, complaint: str) -> None:
    response = as_admin.post("/sites/add/", {"url": url})
    assert response.status_code == 422
    errors = response.context["form"].errors["url"]
    assert len(errors) == 1
    assert complaint in errors[0]
    assert not Site.objects.exists()
    assert not Crawl.objects.exists()


def test_hostile_names_and_addresses_are_text(as_editor: Client) -> None:
    site = make_site("<script>alert(1)</script>", start_url="javascript:alert(1)")
    page = make_page(site, "x", title="<img src=x onerror=alert(1)>")
    type(page).objects.filter(pk=page.pk).update(url="javascript:alert(2)")
    for path in ("/", f"/sites/{site.pk}/", f"/sites/{site.pk}/pages/{page.pk}/"):
        body = as_editor.get(path).content.decode()
        assert "<script>alert" not in body
        assert "<img" not in body
        assert 'href="javascript' not in body


@pytest.mark.parametrize(
    "path",
    [
        "/sites/99999999999999999999999999/",
        "/sites/{site}/pages/99999999999999999999999999/",
        "/sites/{site}/?q=%00&language=%00&page=-1",
        "/sites/{site}/?page=99999999999999999999999999",
        "/sites/{site}/pages/{page}/?focus=99999999999999999999999999&list=-5",
        "/recommendations/99999999999999999999999999/words/?back=%0d%0aX",
        "/api/v1/sites/99999999999999999999999999/recommendations",
    ],
)
def test_odd_addresses_are_answered(reviewed: Reviewed, as_editor: Client, path: str) -> None:
    response = as_editor.get(path.format(site=reviewed.site.pk, page=reviewed.source.pk))
    assert response.status_code in (200, 404)


def test_no_site_yet(as_editor: Client, as_admin: Client) -> None:
    assert "An admin adds sites" in as_editor.get("/").content.decode()
    assert 'name="url"' in as_admin.get("/").content.decode()


def test_csv_of_what_is_accepted(reviewed: Reviewed, as_editor: Client, editor: Any) -> None:
    from recommendations.decisions import accept

    accept(reviewed.row.pk, user=editor, expected_status="pending")
    response = as_editor.get(f"/sites/{reviewed.site.pk}/export.csv?status=accepted")
    lines = response.getvalue().decode("utf-8-sig").splitlines()
    response.close()
    assert lines[0].startswith("source,target,anchor_text")
    assert len(lines) == 2
    assert reviewed.target.url in lines[1]
    assert "workshop-accepted.csv" in response["Content-Disposition"]
    both = as_editor.get(f"/sites/{reviewed.site.pk}/export.csv")
    assert len(both.getvalue().splitlines()) == 3
    both.close()
    assert as_editor.get(f"/sites/{reviewed.site.pk}/export.csv?status=nonsense").status_code == 404
