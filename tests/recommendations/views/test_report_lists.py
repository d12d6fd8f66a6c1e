"""The lists of the report in the browser, as CSV, as JSON and by the command: one definition, one count."""

import csv
import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from lxml import html

from recommendations import selectors_report_kept
from recommendations.models import ReportRow, SiteReport
from recommendations.report.sections import SECTIONS, chapters
from tests.factories import make_recommendation, make_run, make_site
from tests.recommendations.report_site import ReportSite, build_report_site

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(db: None) -> ReportSite:
    made = build_report_site()
    made.store()
    return made


def body_of(response: Any) -> str:
    return b"".join(response.streaming_content).decode("utf-8-sig")


def test_every_number_on_the_overview_opens_a_list_of_as_many_rows(made: ReportSite, as_editor: Client) -> None:
    page = html.fromstring(as_editor.get(f"/sites/{made.site.pk}/report/").content)
    links = page.xpath("//table[contains(@class, 'findings')]//td//a | //*[contains(@class, 'chart')]//td//a")
    opened = 0
    for link in links:
        number = int(link.text_content().split()[-1].replace(",", ""))
        response = as_editor.get(link.get("href"))
        assert response.status_code == 200
        assert response.context["shown"].paginator.count == number, link.get("href")
        opened += 1
    assert opened > 40


def test_numbers_in_lists_open_lists_too(made: ReportSite, as_editor: Client) -> None:
    for key, column in (("anchors", "links"), ("anchors", "generic"), ("ambiguous-anchors", "targets")):
        page = html.fromstring(as_editor.get(f"/sites/{made.site.pk}/report/{key}/").content)
        label = next(c.label for c in SECTIONS[key].columns if c.key == column)
        links = page.xpath(f"//td[@data-label='{label}:']/a")
        assert links
        for link in links:
            opened = as_editor.get(link.get("href")).context["shown"].paginator
            assert int(link.text) in (sum(_values(as_editor, link, "links")), opened.count)


def test_counts_of_links_open_the_pages_that_link(made: ReportSite, as_editor: Client) -> None:
    page = html.fromstring(as_editor.get(f"/sites/{made.site.pk}/report/page-links/").content)
    links = page.xpath("//td[contains(@data-label, 'nlinks') or contains(@data-label, 'utlinks')]/a")
    for link in links:
        assert as_editor.get(link.get("href")).context["shown"].paginator.count == int(link.text), link.get("href")
    assert len(links) >= 10
    group = made.pages["planes"].pk
    answer = as_editor.get(f"/api/v1/sites/{made.site.pk}/report/inlinks?group={group}").json()
    assert [(row["page"], row["place"], row["anchor"]) for row in answer["rows"]] == [
        ("https://bench.example/", "content", "Planes · planes "),
        ("https://bench.example/saws", "content", "planes · copy · print"),
    ]
    assert as_editor.get(f"/api/v1/sites/{made.site.pk}/report/inlinks").json()["total"] == 0


def test_of_a_large_site_the_first_table_is_what_was_counted_last(
    made: ReportSite, as_editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/v1/sites/{made.site.pk}/report"
    before = as_editor.get(path).json()
    assert before["counted_at"] is None
    monkeypatch.setattr(selectors_report_kept, "FEW_LINKS", 0)
    assert as_editor.get(path).json() == before, "nothing was decided since"
    make_recommendation(made.run, made.pages["start"], made.pages["nowhere"], "Some words")
    later = as_editor.get(path).json()
    assert later["counted_at"] is not None
    assert later["states"] == before["states"]
    assert "counts from the next run on" in as_editor.get(f"/sites/{made.site.pk}/report/").content.decode()
    monkeypatch.setattr(selectors_report_kept, "FEW_LINKS", 1000)
    anew = as_editor.get(path).json()
    assert anew["counted_at"] is None
    assert [state["orphan_pages"] for state in anew["states"]] == [4, 4, 3]


def _values(client: Client, link: Any, column: str) -> list[int]:
    rows = client.get(link.get("href")).context["rows"]
    return [value for cells in rows for cell, value, _ in cells if cell.key == column]


@pytest.mark.parametrize("key", SECTIONS)
def test_page_csv_and_json_tell_the_same_rows(made: ReportSite, as_editor: Client, key: str) -> None:
    site = made.site.pk
    shown = as_editor.get(f"/sites/{site}/report/{key}/").context["shown"].paginator.count
    lines = list(csv.reader(io.StringIO(body_of(as_editor.get(f"/sites/{site}/report/{key}.csv")))))
    answer = as_editor.get(f"/api/v1/sites/{site}/report/{key}?per_page=100").json()
    assert shown == len(lines) - 1 == answer["total"] == len(answer["rows"])
    if answer["rows"]:
        assert lines[0] == [name for name in answer["rows"][0] if name != "group"]


def test_search_sort_and_paging(made: ReportSite, as_editor: Client) -> None:
    report = SiteReport.objects.get()
    page = {"id": 1, "url": "https://bench.example/x", "name": "X"}
    ReportRow.objects.filter(section="anchor-texts").delete()
    ReportRow.objects.bulk_create(
        ReportRow(report=report, section="anchor-texts", ordinal=number, kind="telling", text=f"text {number} ünder",
                  cells={"target": page, "anchor": f"text {number}", "links": number % 7})
        for number in range(500)
    )  # fmt: skip
    report.counts["anchor-texts"] = {"rows": 500, "kinds": {"telling": 500}, "places": {}}
    report.save()
    path = f"/sites/{made.site.pk}/report/anchor-texts/"
    assert as_editor.get(f"{path}?page=10").context["shown"].number == 10
    assert as_editor.get(f"{path}?page=99").context["shown"].number == 10
    assert as_editor.get(f"{path}?q=TEXT+49+%C3%9CNDER").context["shown"].paginator.count == 1
    rows = as_editor.get(f"{path}?sort=-links").context["rows"]
    assert [value for cells in rows for column, value, _ in cells if column.key == "links"] == [6] * 50
    seen = []
    address: str | None = f"/api/v1/sites/{made.site.pk}/report/anchor-texts?per_page=100&sort=links&of=links&from=3"
    while address:
        answer = as_editor.get(address).json()
        seen += [row["links"] for row in answer["rows"]]
        address = answer["next"]
    assert seen == sorted(seen)
    assert len(seen) == answer["total"] == sum(number % 7 >= 3 for number in range(500))


@pytest.mark.parametrize(
    "query", ["?kind=odd", "?place=roof", "?sort=colour", "?of=anchor", "?group=x", "?of=http_status&from=x"]
)
def test_wrong_filters_are_told(made: ReportSite, as_editor: Client, query: str) -> None:
    assert as_editor.get(f"/sites/{made.site.pk}/report/broken-links/{query}").status_code == 404
    answer = as_editor.get(f"/api/v1/sites/{made.site.pk}/report/broken-links{query}")
    assert answer.status_code == 400
    assert answer.json()["detail"].endswith(".")


def test_unknown_lists_and_sites_without_a_report(made: ReportSite, as_editor: Client) -> None:
    other = make_site()
    make_run(other)
    assert as_editor.get(f"/sites/{made.site.pk}/report/odd/").status_code == 404
    assert "broken-links" in as_editor.get(f"/api/v1/sites/{made.site.pk}/report/odd").json()["detail"]
    assert as_editor.get(f"/sites/{other.pk}/report/orphans/").status_code == 404
    assert as_editor.get(f"/api/v1/sites/{other.pk}/report/orphans").status_code == 404
    assert "made at the end of a run" in as_editor.get(f"/sites/{other.pk}/report/").content.decode()


def test_what_others_wrote_is_harmless(as_editor: Client) -> None:
    made = build_report_site()
    made.pages["planes"].title = "=HYPERLINK(1)"
    made.pages["planes"].save()
    made.link("planes", "gone", "<script>alert(1)</script>")
    made.link("planes", "gone", "-1+cmd")
    made.store()
    body = as_editor.get(f"/sites/{made.site.pk}/report/broken-links/").content.decode()
    assert "<script>alert" not in body
    assert "&lt;script&gt;alert(1)" in body
    text = body_of(as_editor.get(f"/sites/{made.site.pk}/report/broken-links.csv"))
    assert "'=HYPERLINK(1)" in text
    assert ",'-1+cmd," in text


def test_queries_do_not_grow_with_the_rows(made: ReportSite, as_editor: Client) -> None:
    def count(path: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert as_editor.get(path).status_code == 200
        return len(captured)

    overview, listed = f"/sites/{made.site.pk}/report/", f"/sites/{made.site.pk}/report/page-rank/"
    before = count(overview), count(listed)
    for number in range(30):
        made.page(f"more-{number}")
        made.link("start", f"more-{number}", "more")
    made.store()
    assert (count(overview), count(listed)) == before
    assert before[1] <= 8


def test_the_command_writes_lists(made: ReportSite, as_editor: Client, capsys: Any) -> None:
    site = str(made.site.pk)
    call_command("link_report", site, "--section", "broken-links", "--format", "json", "--kind", "gone")
    answer = json.loads(capsys.readouterr().out)
    assert [row["kind"] for row in answer["rows"]] == ["gone", "gone"]
    call_command("link_report", site, "--section", "broken-links")
    written = capsys.readouterr().out
    assert written.replace("\r\n", "\n") == body_of(as_editor.get(f"/sites/{site}/report/broken-links.csv")).replace(
        "\r\n", "\n"
    )
    made.link("planes", "gone", "again")
    call_command("link_report", site, "--section", "broken-links", "--refresh")
    assert len(capsys.readouterr().out.splitlines()) == len(written.splitlines()) + 1
    with pytest.raises(CommandError, match="unknown here"):
        call_command("link_report", site, "--section", "broken-links", "--kind", "odd")
    with pytest.raises(CommandError, match="Name it with --section"):
        call_command("link_report", site, "--format", "csv")


def test_the_command_says_when_there_are_no_lists() -> None:
    site = make_site()
    make_run(site)
    with pytest.raises(CommandError, match="with --refresh"):
        call_command("link_report", str(site.pk), "--section", "orphans")


def test_a_site_with_lists_can_be_removed(made: ReportSite, as_admin: Client) -> None:
    make_recommendation(made.run, made.pages["start"], made.pages["nowhere"], "Some words")
    made.store()
    name = made.site.name
    response = as_admin.post(f"/sites/{made.site.pk}/remove/", {"name": name}, follow=True)
    assert response.status_code == 200
    assert not SiteReport.objects.exists()
    assert not ReportRow.objects.exists()


def test_every_list_is_reached_from_the_overview_or_another_list() -> None:
    on_overview = {section.key for sections in chapters().values() for section in sections}
    opened = {column.opens.split("?")[0] for section in SECTIONS.values() for column in section.columns}
    assert set(SECTIONS) == on_overview | (opened - {""})
