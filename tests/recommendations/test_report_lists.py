"""Each list of the report: what stands in it, what does not, and that every count is the length of its list."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crawler.models import Link, Page
from recommendations.models import ReportRow, SiteReport
from recommendations.report.sections import SECTIONS
from recommendations.report.storing import store_site_report
from recommendations.selectors_report_kept import site_report
from recommendations.selectors_report_lists import count_rows, count_section, list_rows, read_filter, shown_report
from tests.factories import make_recommendation, make_run, make_site
from tests.recommendations.report_site import ReportSite, build_report_site, names_of, rows_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(db: None) -> ReportSite:
    return build_report_site()


@pytest.fixture
def report(made: ReportSite) -> SiteReport:
    return made.store()


def by_page(rows: list[dict[str, Any]], column: str = "page") -> dict[str, dict[str, Any]]:
    return {row[column].rsplit("/", 1)[-1]: row for row in rows}


def test_orphans_by_kind(made: ReportSite, report: SiteReport) -> None:
    kinds = {name: row["kind"] for name, row in by_page(rows_of(report, "orphans")).items()}
    assert kinds == {
        "menu-only": "menus", "redirect-only": "redirect", "sitemap-only": "sitemap", "nowhere": "nowhere",
    }  # fmt: skip
    states = site_report(made.site)
    assert states is not None
    assert states.states[0].orphans == count_rows(report, SECTIONS["orphans"]) == 4
    assert sorted(names_of(report, "orphans-unlisted")) == ["nowhere", "redirect-only"]


def test_broken_links_by_kind_and_place(report: SiteReport) -> None:
    found = [(row["address"].rsplit("/", 1)[-1], row["kind"], row["place"]) for row in rows_of(report, "broken-links")]
    assert sorted(found) == [
        ("broken", "server", "content"), ("gone", "gone", "content"), ("gone", "gone", "menu"),
        ("refused", "client", "content"), ("silent", "unreachable", "content"), ("to-gone", "redirected", "content"),
    ]  # fmt: skip
    assert names_of(report, "broken-links", place="menu") == ["saws"]


def test_redirected_links_tell_where_they_end_and_over_how_many(report: SiteReport) -> None:
    rows = by_page(rows_of(report, "redirected-links"), "address")
    assert {name: (row["kind"], row["end"].rsplit("/", 1)[-1], row["hops"]) for name, row in rows.items()} == {
        "old-planes": ("one", "planes", 1),
        "older-planes": ("chain", "planes", 2),
        "moved": ("unread", "x", 1),
        "planes?print": ("duplicate", "planes", 0),
        "away": ("offsite", "", 1),
    }


def test_links_to_what_search_engines_leave_out(report: SiteReport) -> None:
    rows = rows_of(report, "unindexed-links")
    assert [(row["target"].rsplit("/", 1)[-1], row["kind"], row["canonical"]) for row in rows] == [
        ("hidden", "noindex", None),
        ("copy", "canonical", "https://bench.example/planes"),
    ]


def test_figures_of_pages(report: SiteReport) -> None:
    rows = by_page(rows_of(report, "page-rank"))
    planes, start = rows["planes"], rows[""]
    assert (planes["content_inlinks"], planes["content_outlinks"], planes["depth"]) == (2, 1, 1)
    assert (start["menu_outlinks"], rows["menu-only"]["menu_inlinks"], rows["nowhere"]["depth"]) == (3, 1, None)
    ranks = [row["page_rank"] for row in rows_of(report, "page-rank")]
    assert ranks == sorted(ranks, reverse=True)
    assert sum(ranks) == pytest.approx(len(ranks), abs=0.01), "1.0 is the average page"
    assert names_of(report, "page-links", kind="unreachable", sort="page") == ["nowhere", "sitemap-only"]
    assert set(names_of(report, "click-depth", kind="2")) == {"saws", "sägen", "redirect-only"}


def test_dead_ends(report: SiteReport) -> None:
    kinds = {name: row["kind"] for name, row in by_page(rows_of(report, "dead-ends")).items()}
    assert kinds == dict.fromkeys(("sägen", "menu-only", "redirect-only", "sitemap-only", "nowhere"), "none")


def test_anchor_texts_of_a_target(made: ReportSite, report: SiteReport) -> None:
    rows = by_page(rows_of(report, "anchors"))
    planes = rows["planes"]
    assert (planes["links"], planes["texts"], planes["most_used"], planes["generic"]) == (5, 2, "planes", 0)
    assert (planes["diversity"], planes["most_used_share"]) == (0.4, 0.8)
    assert (rows["chisels"]["generic"], rows["chisels"]["texts"]) == (1, 2)
    group = str(made.pages["planes"].pk)
    assert [(row["anchor"], row["links"]) for row in rows_of(report, "anchor-texts", group=group)] == [
        ("planes", 4),
        ("copy", 1),
    ]
    assert [row["anchor"] for row in rows_of(report, "anchor-texts", kind="generic")] == ["here"]


def test_one_text_with_several_targets(report: SiteReport) -> None:
    rows = rows_of(report, "ambiguous-anchors")
    assert [(row["anchor"].lower().split(), row["targets"], row["links"]) for row in rows] == [
        (["sharp", "tools"], 2, 2)
    ]
    assert sorted(names_of(report, "ambiguous-targets", "target", group="1")) == ["chisels", "saws"]


def test_duplicate_titles_of_one_language(report: SiteReport) -> None:
    assert names_of(report, "duplicate-titles") == ["chisels", "saws"]
    assert names_of(report, "duplicate-titles", group="1") == ["chisels", "saws"]


def test_hreflang_without_return(made: ReportSite) -> None:
    saws, german, planes = (made.pages[name] for name in ("saws", "sägen", "planes"))
    urls = {"en": saws.url, "de": german.url}
    for page, named in ((saws, urls), (german, urls), (planes, {"en": planes.url, "de": german.url})):
        page.hreflang = named
        page.save()
    made.pages["chisels"].hreflang = {"fr": "https://bench.example/never-seen", "de": made.pages["gone"].url}
    made.pages["chisels"].save()
    rows = rows_of(made.store(), "hreflang")
    assert [(row["page"], row["tag"], row["target"]) for row in rows] == [(planes.url, "de", german.url)]


def test_slow_pages_beside_the_median(report: SiteReport) -> None:
    rows = rows_of(report, "slow-pages")
    assert [(row["page"].rsplit("/", 1)[-1], row["seconds"], row["times_median"]) for row in rows] == [
        ("chisels", 2.4, 3.69)
    ]
    assert report.figures["median_seconds"] == 0.65


def test_every_count_is_the_length_of_its_list(made: ReportSite, report: SiteReport) -> None:
    filled = set()
    for key, section in SECTIONS.items():
        counted = count_section(report, section)
        assert counted.rows == list_rows(report, section).count(), key
        for kind, _, count in counted.kinds:
            assert list_rows(report, section, read_filter(section, {"kind": kind})).count() == count, (key, kind)
        for place, _, count in counted.places:
            assert list_rows(report, section, read_filter(section, {"place": place})).count() == count, (key, place)
        if counted.rows:
            filled.add(key)
            assert not counted.kinds or sum(count for *_, count in counted.kinds) == counted.rows, key
    of_clusters = {"clusters", "cluster-pages", "cluster-suggestions"}
    assert set(SECTIONS) - filled - of_clusters == {"hreflang", "inlinks", "outlinks"}
    for chart in report.figures["charts"]:
        for bar in chart["bars"]:
            if bar["section"]:
                section = SECTIONS[bar["section"]]
                listed = list_rows(report, section, read_filter(section, bar["query"])).count()
                assert listed == bar["count"], (chart["key"], bar)


def test_a_new_report_takes_the_place_of_the_old_one(made: ReportSite, report: SiteReport) -> None:
    half = SiteReport.objects.create(site=made.site)
    assert shown_report(made.site.pk) == report
    newer = made.store()
    assert shown_report(made.site.pk) == newer
    assert list(SiteReport.objects.all()) == [newer]
    assert not ReportRow.objects.exclude(report=newer).exists()
    assert newer.counts == report.counts
    assert half.pk < newer.pk


def test_a_lost_lease_leaves_the_old_report(made: ReportSite, report: SiteReport) -> None:
    calls = iter(range(100))

    def fence() -> None:
        if next(calls) > 3:
            raise RuntimeError("lost")

    with pytest.raises(RuntimeError, match="lost"):
        store_site_report(made.site.pk, model_name="word-count", fence=fence)
    assert shown_report(made.site.pk) == report


def test_a_site_without_pages_has_an_empty_report() -> None:
    site = make_site()
    report = store_site_report(site.pk, make_run(site).pk)
    assert all(count_rows(report, section) == 0 for section in SECTIONS.values())


def _blob(made: ReportSite, word: str, axis: int, count: int, language: str = "en") -> dict[str, list[float]]:
    vectors = {}
    for number in range(count):
        name = f"{word}-{number}"
        made.page(name, title=f"{word.capitalize()} part {number}", language=language)
        vector = [0.02 * ((number * 7 + place) % 5) for place in range(6)]
        vector[axis] += 1.0
        vectors[name] = vector
    return vectors


def test_clusters_their_hub_density_lone_pages_and_suggestions() -> None:
    site = make_site("Garden", start_url="https://garden.example/")
    made = ReportSite(site, make_run(site))
    vectors = _blob(made, "roses", 0, 6) | _blob(made, "ponds", 1, 5) | _blob(made, "rosen", 0, 4, "de")
    vectors |= _blob(made, "teiche", 1, 4, "de")
    made.page("odd")
    vectors["odd"] = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    made.embed(vectors)
    made.link("roses-1", "roses-0")
    made.link("roses-2", "roses-0")
    made.link("roses-0", "roses-3")
    made.link("roses-0", "ponds-1")
    made.link("roses-4", "roses-5", is_editorial=False)
    lone, four, three = (made.pages[f"roses-{number}"] for number in (5, 4, 3))
    waiting = make_recommendation(made.run, made.pages["roses-1"], lone, "words")
    make_recommendation(made.run, made.pages["roses-1"], three, "words", score=0.9)
    make_recommendation(made.run, made.pages["roses-1"], four, "words", status="rejected")
    make_recommendation(made.run, made.pages["roses-1"], made.pages["ponds-2"], "words")
    report = made.store()
    rows = rows_of(report, "clusters")
    assert [(row["language"], row["pages"]) for row in rows] == [("en", 6), ("en", 5), ("de", 4), ("de", 4)]
    roses = rows[0]
    assert "roses" in roses["name"].lower()
    assert (roses["hub"], roses["links"], roses["density"]) == (made.pages["roses-0"].url, 3, 0.1)
    assert (roses["lone"], roses["suggestions"], roses["connected"]) == (2, 2, 1)
    assert set(names_of(report, "cluster-pages", group="1", kind="lone")) == {"roses-4", "roses-5"}
    assert names_of(report, "cluster-pages", kind="none") == ["odd"]
    assert names_of(report, "cluster-suggestions", "target", group="1") == ["roses-5", "roses-3"]
    waiting.status = "accepted"
    waiting.save()
    section = SECTIONS["cluster-suggestions"]
    assert count_section(report, section).rows == list_rows(report, section).count() == 1
    with CaptureQueriesContext(connection) as captured:
        made.run.recommendations.all().delete()
    assert len(captured) == 1, "suggestions are deleted without being read"
    assert list_rows(report, section).count() == 0
    again = made.store()
    assert [row["pages"] for row in rows_of(again, "clusters")] == [6, 5, 4, 4], "the same every time"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads the plans of SQLite")
@pytest.mark.parametrize(
    ("query", "index"), [({}, "report_row_order"), ({"kind": "gone"}, "report_row_kind"), ({"group": "7"}, "_group")]
)
def test_a_list_is_read_in_order_from_an_index(report: SiteReport, query: dict[str, str], index: str) -> None:
    section = SECTIONS["broken-links"]
    plan = list_rows(report, section, read_filter(section, query))[:50].explain()
    assert index in plan
    assert "TEMP B-TREE" not in plan, plan


def test_thousands_of_pages_with_menus_take_no_more_queries_to_list(made: ReportSite) -> None:
    numbers = range(1_000)
    Page.objects.bulk_create(
        Page(site=made.site, url=f"https://bench.example/n{number}", status="read", is_target=True, title=f"N{number}")
        for number in numbers
    )
    pages = list(Page.objects.filter(site=made.site, title__startswith="N", status="read").exclude(language="en"))
    gone = made.pages["gone"]
    Link.objects.bulk_create(
        Link(page=page, ordinal=ordinal, target_url=target.url, target=target if target is not gone else None,
             anchor_text=f"to {target.title}", is_editorial=ordinal == 3)
        for number, page in enumerate(pages)
        for ordinal, target in enumerate((made.pages["start"], gone, pages[0], pages[number // 2]))
    )  # fmt: skip
    with CaptureQueriesContext(connection) as captured:
        report = made.store()
    assert len(captured) < 160, "rows are read and written by the thousand"
    section = SECTIONS["broken-links"]
    assert count_rows(report, section) == 1_000 + 6
    assert list_rows(report, section, read_filter(section, {"place": "menu"})).count() == 1_001
    assert count_rows(report, SECTIONS["page-rank"]) == 1_000 + 12
