"""The report of a site, its lists, its command and its JSON, and the marks of important pages."""

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crawler.models import Link, Page
from recommendations.selectors_report import SiteReport
from recommendations.selectors_report_kept import site_report
from recommendations.selectors_sites import site_figures
from tests.factories import make_link, make_page, make_recommendation, make_run, make_site
from tests.recommendations.conftest import Reviewed

pytestmark = pytest.mark.django_db


class Shop:
    """start -> a -> b; a menu on the start page leads to c, nothing to d, e and f. Suggested: a to c, d and e."""

    def __init__(self) -> None:
        self.site = make_site("Shop", start_url="https://shop.example/")
        self.run = make_run(self.site)
        self.start = make_page(self.site, "/", "Welcome to lamps.", depth=0)
        self.a = make_page(self.site, "a", "Lamps and racks, bells and pumps.", depth=1)
        self.b = make_page(self.site, "b", depth=2)
        self.c = make_page(self.site, "c", depth=1)
        self.d, self.e, self.f = (make_page(self.site, name) for name in "def")
        make_page(self.site, "login", is_target=False)
        make_page(self.site, "broken", status="failed")
        make_link(self.start, self.a)
        make_link(self.a, self.b)
        make_link(self.start, self.c, is_editorial=False)
        make_link(self.d, self.d)
        make_recommendation(self.run, self.a, self.d, "racks", status="accepted")
        make_recommendation(self.run, self.a, self.c, "bells")
        make_recommendation(self.run, self.a, self.e, "pumps")
        make_recommendation(self.run, self.a, self.f, "Lamps", status="rejected")

    def report(self) -> SiteReport:
        report = site_report(self.site)
        assert report is not None
        return report


@pytest.fixture
def shop(db: None) -> Shop:
    return Shop()


def test_figures_before_and_after(shop: Shop) -> None:
    report = shop.report()
    assert report.pages == 7
    assert [state.added for state in report.states] == [0, 1, 3]
    assert [state.orphans for state in report.states] == [4, 3, 1]
    assert [state.orphans_in_menus for state in report.states] == [1, 1, 0]
    assert [state.orphans_without_links for state in report.states] == [3, 2, 1]
    assert [state.unreachable for state in report.states] == [3, 2, 1]
    # Now 0, 1, 2 and 1 clicks; then d and e come within reach, two clicks away.
    assert [state.mean_depth for state in report.states] == [1.0, 1.2, pytest.approx(8 / 6)]


def test_the_report_and_the_list_of_sites_count_the_same_orphans(shop: Shop) -> None:
    figures = site_figures(type(shop.site).objects.filter(pk=shop.site.pk))[0]
    now = shop.report().states[0]
    assert (figures.orphans, figures.orphans_in_menus) == (now.orphans, now.orphans_in_menus)


def test_every_number_of_pages_opens_a_list_of_as_many(shop: Shop, as_editor: Client) -> None:
    opened = 0
    for row in shop.report().rows:
        for cell in row["cells"]:
            if cell["query"]:
                listed = as_editor.get(f"/sites/{shop.site.pk}/?{cell['query']}").context["shown"].paginator.count
                assert listed == cell["value"], (row["name"], cell)
                opened += 1
    assert opened == 6


def test_orphans_that_suggestions_lead_to_are_listed_by_themselves(shop: Shop, as_editor: Client) -> None:
    rows = as_editor.get(f"/sites/{shop.site.pk}/?orphan=reached&sort=url").context["rows"]
    assert [row.page for row in rows] == [shop.c, shop.d, shop.e]


def test_important_pages_have_their_rank_in_every_state(shop: Shop) -> None:
    Page.objects.filter(pk__in=(shop.d.pk, shop.b.pk)).update(is_important=True)
    Page.objects.filter(url__endswith="broken").update(is_important=True)
    report = shop.report()
    assert [row.page for row in report.important] == [shop.b, shop.d]
    assert [row.inlinks for row in report.important] == [[1, 1, 1], [0, 1, 1]]
    b, d = (row.page_ranks for row in report.important)
    assert d[0] < d[1]
    assert b[0] > b[1] > b[2], "what page a passes on is shared with more pages"
    assert (report.important_count, report.marked_unread) == (2, 1)


def test_a_site_of_one_page_or_none_has_a_report(as_editor: Client) -> None:
    for pages in (0, 1):
        site = make_site()
        make_run(site)
        if pages:
            make_page(site, "/", depth=0, is_important=True)
        response = as_editor.get(f"/sites/{site.pk}/report/")
        assert response.status_code == 200
        assert [state.orphans for state in response.context["report"].states] == [0, 0, 0]


def test_before_a_crawl_has_finished_nothing_is_claimed(as_editor: Client) -> None:
    site = make_site()
    make_page(site, "a")
    body = as_editor.get(f"/sites/{site.pk}/report/").content.decode()
    assert "known when a crawl of this site has finished" in body
    assert "Orphan pages" not in body
    response = as_editor.get(f"/api/v1/sites/{site.pk}/report")
    assert response.status_code == 404
    assert response.json()["detail"].startswith("No crawl of this site has finished yet")
    assert "/report/" not in as_editor.get(f"/sites/{site.pk}/").content.decode()
    with pytest.raises(CommandError, match="are not known yet"):
        call_command("link_report", str(site.pk))


def test_the_number_of_queries_does_not_grow(shop: Shop, as_editor: Client) -> None:
    def count() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert as_editor.get(f"/sites/{shop.site.pk}/report/").status_code == 200
        return len(queries)

    few = count()
    for number in range(30):
        page = make_page(shop.site, f"more{number}", "words", is_important=True)
        make_link(page, shop.a)
        make_recommendation(shop.run, page, shop.b, "words")
    assert count() == few


def test_the_page_says_everything_and_leads_on(shop: Shop, as_editor: Client) -> None:
    Page.objects.filter(pk=shop.b.pk).update(is_important=True, title="<b>Bells</b> & more")
    body = as_editor.get(f"/sites/{shop.site.pk}/report/").content.decode()
    for piece in ("Orphan pages", "of these, in menus", "Mean click depth", "orphan=menus", "&lt;b&gt;Bells&lt;/b&gt;"):
        assert piece in body
    assert "/report/" in as_editor.get(f"/sites/{shop.site.pk}/").content.decode()


def test_json_and_command_agree_with_the_page(shop: Shop, as_editor: Client, capsys: Any) -> None:
    Page.objects.filter(pk=shop.d.pk).update(is_important=True)
    answer = as_editor.get(f"/api/v1/sites/{shop.site.pk}/report").json()
    assert [state["orphan_pages"] for state in answer["states"]] == [4, 3, 1]
    assert answer["important_pages"][0]["content_inlinks"] == {"now": 0, "accepted": 1, "pending": 1}
    call_command("link_report", str(shop.site.pk), "--format", "json")
    assert json.loads(capsys.readouterr().out) == answer
    call_command("link_report", str(shop.site.pk))
    lines = capsys.readouterr().out.splitlines()
    assert next(line for line in lines if line.startswith("Orphan pages")).split()[2:] == ["4", "3", "1"]
    assert lines[-1].endswith(shop.d.url)
    assert as_editor.get(f"/api/v1/sites/{shop.site.pk}/report?x=1").status_code == 400


def test_an_admin_marks_a_page_and_takes_the_mark_away(reviewed: Reviewed, as_admin: Client) -> None:
    path = f"/sites/{reviewed.site.pk}/pages/{reviewed.target.pk}/"
    assert "Mark as important" in as_admin.get(path).content.decode()
    body = as_admin.post(f"{path}important/", {"is_important": "1"}, follow=True).content.decode()
    assert "This page is marked as important" in body
    assert "No longer important" in body
    listed = as_admin.get(f"/sites/{reviewed.site.pk}/?important=1")
    assert [row.page for row in listed.context["rows"]] == [reviewed.target]
    response = as_admin.post(f"{path}important/", {"is_important": "0", "tab": "in"})
    assert response["Location"] == f"{path}inlinks/"
    assert not Page.objects.filter(is_important=True).exists()
    assert "filter-important" not in as_admin.get(f"/sites/{reviewed.site.pk}/").content.decode()


def test_editors_see_marks_and_strangers_nothing(reviewed: Reviewed, as_editor: Client) -> None:
    Page.objects.filter(pk=reviewed.target.pk).update(is_important=True)
    path = f"/sites/{reviewed.site.pk}/pages/{reviewed.target.pk}/"
    body = as_editor.get(path).content.decode()
    assert ">important</span>" in body
    assert "No longer important" not in body
    assert as_editor.post(f"{path}important/", {"is_important": "0"}).status_code == 403
    assert Client().post(f"{path}important/", {"is_important": "0"}).status_code == 302
    assert Page.objects.get(is_important=True) == reviewed.target


def test_a_page_is_marked_on_its_own_site_alone(reviewed: Reviewed, as_admin: Client) -> None:
    other = make_site("Other")
    assert (
        as_admin.post(f"/sites/{other.pk}/pages/{reviewed.target.pk}/important/", {"is_important": "1"}).status_code
        == 404
    )
    assert not Page.objects.filter(is_important=True).exists()


def test_without_a_start_page_nothing_is_claimed_of_ways_from_it(shop: Shop, as_editor: Client) -> None:
    Page.objects.update(depth=None)
    states = shop.report().states
    assert [(state.unreachable, state.mean_depth) for state in states] == [(None, None)] * 3
    body = as_editor.get(f"/sites/{shop.site.pk}/report/").content.decode()
    assert body.count('title="The start page was not read">–<') == 6


def test_links_that_lead_off_the_read_pages_count_for_nothing(shop: Shop) -> None:
    before = shop.report().states
    make_link(shop.start, Page.objects.get(url__endswith="broken"))
    make_link(shop.start, None)
    assert Link.objects.count() == 6
    assert shop.report().states == before
