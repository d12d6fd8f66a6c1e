"""Every URL can be looked up: what happened to it, when and why; a visit that changes nothing tells nothing."""

import time
from typing import Any

import pytest

from crawler.models import Crawl, Page, PageEvent
from crawler.services import crawl_site, get_or_create_site
from tests.crawler.loopback import Answer, Handler, LoopbackSite, page, serve
from tests.factories import make_crawl

pytestmark = pytest.mark.django_db


def crawl(site: LoopbackSite, **options: Any) -> Crawl:
    run = make_crawl(get_or_create_site(site.url))
    Crawl.objects.filter(pk=run.pk).update(**options)
    crawl_site(run.site_id, run.pk)
    return run


def history(site: LoopbackSite, path: str) -> list[tuple[str, str, int | None]]:
    events = PageEvent.objects.filter(page__url=site.at(path)).order_by("id")
    return list(events.values_list("status", "reason", "http_status"))


ORDINARY = ("a", "b", "c", "d", "e", "f", "g")


def answers() -> dict[str, Answer]:
    return {
        "/": page("Home", links={f"/{name}": name for name in (*ORDINARY, "old", "pic.png", "loop", "twin", "hint")}),
        **{f"/{name}": page(name) for name in ORDINARY},
        "/old": (301, {"Location": "/chain"}, ""),
        "/chain": (301, {"Location": "/a"}, ""),
        "/loop": (302, {"Location": "/loop2"}, ""),
        "/loop2": (302, {"Location": "/loop"}, ""),
        "/twin": page("Twin", links={"/twin/": "twin"}),
        "/twin/": page("Twin", links={"/twin/": "twin"}),
        "/hint": page("Hint", head='<link rel="canonical" href="/nowhere">'),
        "/x": page("X"),
    }


def test_each_url_has_a_history_and_an_unchanged_site_adds_nothing() -> None:
    with serve(answers()) as site:
        run = crawl(site)
        assert history(site, "/a") == [("read", "", 200)]
        assert history(site, "/old") == [("redirect", f"redirects: to {site.at('/chain')}", 301)]
        assert history(site, "/pic.png") == [("skipped", "not a web page: its name ends in .png", None)]
        assert history(site, "/nowhere") == [("gone", "HTTP 404", 404)]
        assert history(site, "/twin/") == [("redirect", f"the same text: as {site.at('/twin')}", 200)]
        assert [event[:2] for event in history(site, "/loop")][-1] == (
            "failed",
            "redirect loop: it leads back to itself",
        )
        told = PageEvent.objects.count()
        assert set(PageEvent.objects.values_list("page__url", flat=True)) == set(
            Page.objects.values_list("url", flat=True)
        )
        assert set(PageEvent.objects.values_list("crawl_id", flat=True)) == {run.pk}
        crawl(site)
        crawl(site, is_full_asked=True)
        assert PageEvent.objects.count() == told


def test_what_changes_is_told_once() -> None:
    with serve(answers()) as site:
        crawl(site)
        since = Page.objects.get(url=site.at("/a")).changed_at
        site.answers["/a"] = page("A", text="Something else is written here now. It is longer than it was.")
        site.answers["/b"] = (404, {}, "")
        site.answers["/old"] = (301, {"Location": "/b"}, "")
        site.answers["/twin"] = (500, {}, "")
        crawl(site)
        assert history(site, "/a")[1:] == [("read", "its text or links changed", 200)]
        assert history(site, "/b")[1:] == [("gone", "HTTP 404", 404)]
        assert history(site, "/old")[1:] == [("redirect", f"redirects: to {site.at('/b')}", 301)]
        assert history(site, "/twin")[1:] == [("read", "last visit failed: HTTP 500", 500)]
        row = Page.objects.get(url=site.at("/a"))
        assert since is not None
        assert row.changed_at is not None
        assert row.changed_at > since
        told = PageEvent.objects.count()
        site.answers["/twin"] = (502, {}, "")
        crawl(site)
        # Missed by a second complete crawl.
        assert PageEvent.objects.count() > told
        assert history(site, "/twin")[-1][0] == "gone"
        site.answers["/b"] = page("B")
        crawl(site)
        assert [event[0] for event in history(site, "/b")] == ["read", "gone", "read"]


def test_addresses_without_room_are_counted() -> None:
    links = {f"/p{n}": f"p {n}" for n in range(1_200)}
    with serve({"/": page("Home", links=links), "/p0": page("P")}) as site:
        run = make_crawl(get_or_create_site(site.url, max_pages=1))
        figures = crawl_site(run.site_id, run.pk)
        assert Page.objects.count() == 1_010
        assert any("191 or more were left out" in note for note in figures["notes"])
        run.refresh_from_db()
        assert run.is_complete is False


def slow(handler: Handler) -> None:
    time.sleep(0.3)
    handler.answer(200, {}, page("Slow").encode())


def test_how_long_an_answer_took_is_told_without_the_wait_before_it() -> None:
    with serve({"/": page("Home", links={"/slow": "slow", "/quick": "quick"}), "/slow": slow}) as site:
        site.answers["/quick"] = page("Quick")
        row = get_or_create_site(site.url)
        type(row).objects.update(seconds_between_requests=0.5)
        crawl(site)
        seconds = {found.url: found.response_seconds or 0.0 for found in Page.objects.all()}
        assert seconds[site.at("/slow")] >= 0.3
        assert 0 < seconds[site.at("/quick")] < seconds[site.at("/slow")]


def test_what_only_nofollow_links_name_is_noted_and_read_when_another_link_leads_there() -> None:
    home = page("Home", links={"/a": "a"}).replace("See also", '<a rel="nofollow" href="/hidden">no</a> See also')
    with serve({"/": home, "/a": page("A"), "/hidden": page("Hidden", links={"/a": "a"})}) as site:
        crawl(site)
        crawl(site)
        assert history(site, "/hidden") == [("skipped", "not followed: only nofollow links lead here", None)]
        assert "/hidden" not in site.paths()
        site.answers["/a"] = page("A", links={"/hidden": "at last"})
        crawl(site)
        assert history(site, "/hidden") == [("read", "", 200)]
        assert Page.objects.filter(url=site.at("/hidden")).count() == 1
