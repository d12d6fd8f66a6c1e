"""What a crawl may take away: nothing before it ended well, pages after two complete crawls, and not many at once."""

import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from crawler.errors import CrawlHeld
from crawler.leases import LeaseLost
from crawler.models import Crawl, Page, PageEvent, PageStatus, Site
from crawler.services import crawl_site, get_or_create_site
from crawler.site_turns import take_site
from tests.crawler.loopback import Answer, LoopbackSite, page, serve, sitemap
from tests.factories import make_crawl

pytestmark = pytest.mark.django_db


def crawl(site: LoopbackSite, **options: Any) -> dict[str, Any]:
    run = make_crawl(get_or_create_site(site.url))
    Crawl.objects.filter(pk=run.pk).update(**options)
    return crawl_site(run.site_id, run.pk)


def numbered(count: int) -> dict[str, Answer]:
    """A home page that links to all others."""
    links = {f"/{n}": f"number {n}" for n in range(count - 1)}
    return {"/": page("Home", links=links), **{path: page(f"Number {path[1:]}") for path in links}}


def status_of(site: LoopbackSite, path: str) -> tuple[str, str]:
    row = Page.objects.get(url=site.at(path))
    return row.status, row.reason


def texts() -> dict[str, tuple[str, int]]:
    return {row.url: (row.status, row.sentences.count()) for row in Page.objects.all()}


MISSING: dict[str, Answer] = {
    "404": (404, {}, ""),
    "500": (500, {}, "oops"),
    "a redirect to one page": (302, {"Location": "/0"}, ""),
    "a redirect away": (302, {"Location": "https://elsewhere.example/"}, ""),
    "maintenance": page("We will be back soon", text="The site is being looked after. Please come back in an hour."),
    "no text": "<html><body></body></html>",
}


@pytest.mark.parametrize("kind", MISSING)
def test_a_crawl_that_lost_too_many_pages_is_held_and_changes_nothing(kind: str) -> None:
    with serve(numbered(20)) as site:
        crawl(site)
        before = texts()
        for number in range(3, 15):
            site.answers[f"/{number}"] = MISSING[kind]
        with pytest.raises(CrawlHeld) as raised:
            crawl(site)
        said = re.match(r"Only (\d+) of the 20 known pages were found again", str(raised.value))
        assert said
        # A page that others are sent to stands for one of them.
        assert int(said[1]) == 8 + (kind == "a redirect to one page")
        assert "Confirm on the site's page" in str(raised.value)
        held = Crawl.objects.latest("pk")
        assert (held.is_held, held.is_complete) == (True, None)
        assert texts() == before
        # The site is well again: nothing is left of it.
        site.answers |= numbered(20)
        crawl(site)
        assert texts() == before
        assert not Page.objects.exclude(pending_status="", reason="").exists()
        assert Crawl.objects.latest("pk").is_complete


def test_a_confirmed_crawl_goes_on_to_its_end() -> None:
    with serve(numbered(20)) as site:
        crawl(site)
        for number in range(10):
            site.answers[f"/{number}"] = (410, {}, "")
        run = make_crawl(get_or_create_site(site.url))
        for _ in range(2):
            with pytest.raises(CrawlHeld):
                crawl_site(run.site_id, run.pk)
        assert Page.objects.filter(pending_status=PageStatus.GONE).count() == 10
        asked = len(site.requests)
        Crawl.objects.filter(pk=run.pk).update(are_losses_confirmed=True)
        figures = crawl_site(run.site_id, run.pk)
        assert figures["gone"] == 10
        run.refresh_from_db()
        assert (run.is_held, run.is_complete) == (False, True)
        assert status_of(site, "/4") == ("gone", "HTTP 410")
        assert PageEvent.objects.filter(crawl=run, status=PageStatus.GONE).count() == 10
        assert not any(path[1:].isdigit() for path in site.paths()[asked:])


def test_who_starts_anew_after_a_held_crawl_reads_the_site_again() -> None:
    with serve(numbered(20)) as site:
        crawl(site)
        Crawl.objects.update(status="done")
        row = get_or_create_site(site.url)
        for number in range(10):
            site.answers[f"/{number}"] = (410, {}, "")
        held = make_crawl(row)
        with pytest.raises(CrawlHeld):
            crawl_site(row.pk, held.pk)
        held.refresh_from_db()
        held.status, held.finished_at = "failed", held.created_at
        held.save()
        assert take_site(row.pk, Crawl).pk != held.pk
        Crawl.objects.exclude(pk=held.pk).delete()
        Crawl.objects.filter(pk=held.pk).update(are_losses_confirmed=True)
        assert take_site(row.pk, Crawl).pk == held.pk


@pytest.mark.parametrize(("lost", "is_held"), [(4, False), (5, True)])
def test_four_of_five_are_enough(lost: int, is_held: bool) -> None:
    with serve(numbered(20)) as site:
        crawl(site)
        for number in range(lost):
            site.answers[f"/{number}"] = (404, {}, "")
        if is_held:
            with pytest.raises(CrawlHeld, match="Only 15 of the 20"):
                crawl(site)
        else:
            assert crawl(site)["gone"] == 4


def test_pages_that_moved_or_are_said_twice_are_found() -> None:
    with serve(numbered(20)) as site:
        crawl(site)
        for number in range(8):
            site.answers[f"/{number}"] = (301, {"Location": f"/new/{number}"}, "")
            site.answers[f"/new/{number}"] = page(f"Number {number}")
        figures = crawl(site)
        assert (figures["redirects"], figures["read"]) == (8, 20)
        assert status_of(site, "/3")[0] == "redirect"
        assert not Page.objects.get(url=site.at("/3")).sentences.exists()


def test_a_page_that_moves_to_its_other_spelling_is_no_twin_of_itself() -> None:
    with serve({"/": page("Home", links={"/a": "a"}), "/a": page("A", links={"/b": "b"}), "/b": page("B")}) as site:
        crawl(site)
        site.answers["/a"] = (301, {"Location": "/a/"}, "")
        site.answers["/a/"] = page("A", links={"/b": "b"})
        crawl(site)
        assert status_of(site, "/a/") == ("read", "")
        assert status_of(site, "/a")[0] == "redirect"


def test_a_page_is_gone_when_two_complete_crawls_in_a_row_missed_it() -> None:
    with serve(numbered(10)) as site:
        crawl(site)
        fine = site.answers["/3"]
        bad: tuple[Answer, Answer] = ((500, {}, ""), (503, {}, ""))
        for answer in (bad[0], fine, bad[0], fine, bad[1]):
            site.answers["/3"] = answer
            crawl(site)
        row = Page.objects.get(url=site.at("/3"))
        assert (row.status, row.reason, row.missed_crawls) == ("read", "last visit failed: HTTP 503", 1)
        assert row.sentences.exists()
        crawl(site)
        assert status_of(site, "/3") == ("gone", "missed in two complete crawls in a row: HTTP 503")
        assert not Page.objects.get(url=site.at("/3")).sentences.exists()
        site.answers["/3"] = fine
        crawl(site)
        assert status_of(site, "/3") == ("read", "")


def test_a_crawl_that_was_cut_off_at_its_end_counts_a_miss_once() -> None:
    with serve(numbered(10)) as site:
        crawl(site)
        site.answers["/3"] = (500, {}, "")
        run = make_crawl(get_or_create_site(site.url))
        for _ in range(200):
            left = 6

            def fence() -> None:
                nonlocal left
                left -= 1
                if left < 0:
                    raise LeaseLost("killed")

            try:
                crawl_site(run.site_id, run.pk, fence=fence)
            except LeaseLost:
                continue
            break
        assert Page.objects.get(url=site.at("/3")).missed_crawls == 1


def test_a_crawl_that_the_limit_ended_misses_nothing() -> None:
    with serve(numbered(20)) as site:
        row = get_or_create_site(site.url)
        crawl(site)
        type(row).objects.update(max_pages=5)
        site.answers["/1"] = (500, {}, "")
        for _ in range(3):
            figures = crawl(site)
        assert figures["read"] == 5
        assert Page.objects.filter(status="read").count() == 20
        assert Crawl.objects.latest("pk").is_complete is False
        assert Page.objects.get(url=site.at("/1")).missed_crawls == 0


def test_robots_that_forbid_most_of_a_site_are_an_accident_until_confirmed() -> None:
    with serve(numbered(20)) as site:
        crawl(site)
        site.answers["/robots.txt"] = (200, {"Content-Type": "text/plain"}, "User-agent: *\nDisallow: /1\n")
        with pytest.raises(CrawlHeld, match="Only 10 of the 20"):
            crawl(site)
        crawl_again = Crawl.objects.latest("pk")
        Crawl.objects.filter(pk=crawl_again.pk).update(are_losses_confirmed=True)
        crawl_site(crawl_again.site_id, crawl_again.pk)
        assert status_of(site, "/11") == ("skipped", "blocked by robots.txt")


def test_pages_that_always_said_the_same_may_change_together() -> None:
    same = "The price list of the season is being prepared. It will be here within a few days."
    with serve(numbered(12)) as site:
        for number in range(6):
            site.answers[f"/{number}"] = page("List", text=same)
        crawl(site)
        for number in range(6):
            site.answers[f"/{number}"] = page("List", text="Here it is at last. Everything costs three crowns.")
        crawl(site)
        assert set(Page.objects.filter(title="List").values_list("status", "reason")) == {("read", "")}
        assert Page.objects.get(url=site.at("/4")).sentences.filter(text__contains="three crowns").exists()


def test_pages_of_one_text_may_get_another_menu() -> None:
    with serve(numbered(12)) as site:
        for number in range(6):
            site.answers[f"/{number}"] = page(f"Tag {number}", text="Nothing was written about it yet, alas.")
            site.answers[f"/{number}"] = str(site.answers[f"/{number}"]).replace(f"<h1>Tag {number}</h1>", "")
        crawl(site)
        assert Page.objects.filter(title__startswith="Tag", status="read").count() == 6
        for number in range(6):
            site.answers[f"/{number}"] = str(site.answers[f"/{number}"]).replace(
                "See also", '<a href="/7">See</a> also'
            )
        crawl(site)
        assert not Page.objects.exclude(reason="").exists()
        assert Page.objects.get(url=site.at("/4")).outlinks.count() == 1


def test_a_text_that_went_is_believed_the_second_time() -> None:
    with serve(numbered(10)) as site:
        crawl(site)
        site.answers["/3"] = MISSING["no text"]
        crawl(site)
        assert status_of(site, "/3") == ("read", "last visit failed: no text was found on it")
        crawl(site)
        assert status_of(site, "/3") == ("read", "no text")
        assert not Page.objects.get(url=site.at("/3")).sentences.exists()


def test_a_site_that_sends_every_address_home_has_lost_its_pages() -> None:
    with serve(numbered(20)) as site:
        site.answers["/sitemap.xml"] = sitemap(*(site.at(f"/{n}") for n in range(19)))
        crawl(site)
        for number in range(19):
            site.answers[f"/{number}"] = (302, {"Location": "/"}, "")
        with pytest.raises(CrawlHeld, match="Only 2 of the 20"):
            crawl(site)


def test_a_pattern_that_shuts_out_most_of_a_site_waits_until_confirmed() -> None:
    with serve(numbered(20)) as site:
        crawl(site)
        Site.objects.update(exclude_patterns="/1*")
        site.answers["/2"] = (404, {}, "")
        with pytest.raises(CrawlHeld, match=r"Only 9 of the 20 .*\(10 are not to be read by the site's settings\)"):
            crawl(site)
        assert status_of(site, "/15")[0] == "read"
        held = Crawl.objects.latest("pk")
        Crawl.objects.filter(pk=held.pk).update(are_losses_confirmed=True)
        figures = crawl_site(held.site_id, held.pk)
        assert (figures["read"], figures["gone"]) == (9, 1)
        assert status_of(site, "/15")[0] == "skipped"
        assert "the site's settings leave out /1*" in status_of(site, "/15")[1]
        assert not Page.objects.get(url=site.at("/15")).sentences.exists()


def test_a_page_that_says_not_found_with_http_200_is_missed() -> None:
    with serve(numbered(10)) as site:
        crawl(site)
        site.answers["/3"] = page("Page not found", text="Sorry, the page that you asked for could not be found.")
        crawl(site)
        assert status_of(site, "/3") == ("read", "last visit failed: says that the page was not found")
        assert Page.objects.get(url=site.at("/3")).title == "Number 3"
        crawl(site)
        assert status_of(site, "/3")[0] == "gone"


@pytest.mark.django_db(transaction=True)
def test_a_command_may_confirm_losses(capsys: pytest.CaptureFixture[str]) -> None:
    with serve(numbered(20)) as site:
        call_command("crawl_site", site.url)
        for number in range(10):
            site.answers[f"/{number}"] = (404, {}, "")
        with pytest.raises(CommandError, match="--confirm-losses"):
            call_command("crawl_site", site.url)
        asked = len(site.requests)
        call_command("crawl_site", site.url, "--confirm-losses")
        assert "/3" not in site.paths()[asked:]
        assert Page.objects.filter(status=PageStatus.GONE).count() == 10
        assert Crawl.objects.count() == 2
        capsys.readouterr()
