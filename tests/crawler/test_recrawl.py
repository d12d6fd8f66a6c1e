"""Second crawls and interrupted ones: what is unchanged stays as it is, and a kill loses and doubles nothing."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from crawler.errors import NothingToRead
from crawler.extraction.page import extract_page
from crawler.leases import LeaseLost
from crawler.models import Crawl, Link, Page, PageBody, Sentence
from crawler.services import crawl_site, get_or_create_site
from tests.crawler.loopback import Answer, Handler, LoopbackSite, page, serve
from tests.factories import make_crawl

pytestmark = pytest.mark.django_db


def new_crawl(site: LoopbackSite) -> Crawl:
    return make_crawl(get_or_create_site(site.url))


def crawl(site: LoopbackSite) -> dict[str, Any]:
    run = new_crawl(site)
    return crawl_site(run.site_id, run.pk)


def row_ids() -> list[list[int]]:
    return [sorted(model.objects.values_list("pk", flat=True)) for model in (Page, Sentence, Link, PageBody)]


def tagged(tags: dict[str, str], pages: dict[str, str]) -> Callable[[Handler], None]:
    """Pages with ETags: 304 for who holds the current one."""

    def answer(handler: Handler) -> None:
        body = pages.get(handler.path)
        if body is None:
            handler.answer(404, {}, b"")
        elif handler.headers.get("If-None-Match", "") == tags.get(handler.path):
            handler.answer(304, {}, b"")
        else:
            handler.answer(200, {"ETag": tags[handler.path]} if handler.path in tags else {}, body.encode())

    return answer


PAGES = {
    "/": page("Home", links={"/a": "a", "/b": "b", "/b/": "b too"}),
    "/a": page("A", links={"/c": "c"}),
    "/b": page("B"),
    "/b/": page("B"),
    "/c": page("C", links={"/a": "a"}),
}


@pytest.mark.parametrize("has_tags", [True, False])
def test_an_unchanged_site_keeps_its_rows(has_tags: bool) -> None:
    tags = {path: f'"{path}"' for path in PAGES} if has_tags else {}
    with serve(fallback=tagged(tags, PAGES)) as site:
        first = crawl(site)
        before = row_ids()
        second = crawl(site)
        assert row_ids() == before
        assert (first["read"], first["unchanged"]) == (4, 0)
        assert (second["read"], second["unchanged"]) == (4, 4)
        assert second["links"] == first["links"]
        if has_tags:
            asked = [headers.get("if-none-match") for path, headers in site.requests if path == "/c"]
            assert asked == [None, '"/c"']


def test_only_the_changed_page_is_written_again() -> None:
    pages = dict(PAGES)
    with serve(fallback=tagged({}, pages)) as site:
        crawl(site)
        others = set(Sentence.objects.exclude(page__url=site.at("/b")).values_list("pk", flat=True))
        pages["/b"] = page("B, revised", links={"/d": "d"})
        pages["/d"] = page("D")
        figures = crawl(site)
        assert figures["unchanged"] == 3
        assert others <= set(Sentence.objects.values_list("pk", flat=True))
        assert Page.objects.get(url=site.at("/b")).title == "B, revised"
        # /b/ was a twin of /b until now.
        assert Page.objects.get(url=site.at("/b/")).status == "read"
        assert Page.objects.get(url=site.at("/d")).depth == 2


def test_links_follow_a_page_that_moves_and_comes_back() -> None:
    pages: dict[str, Answer] = {"/": page("Home", links={"/a": "a"}), "/a": page("A"), "/new": page("New")}
    with serve(pages) as site:
        crawl(site)
        link = Link.objects.get()
        site.answers["/a"] = (301, {"Location": "/new"}, "")
        crawl(site)
        link.refresh_from_db()
        assert link.target is not None
        assert link.target.title == "New"
        assert not Page.objects.get(url=site.at("/a")).sentences.exists()
        site.answers["/a"] = pages["/a"] = page("A again")
        crawl(site)
        link.refresh_from_db()
        assert link.target.title == "A again"


def too_large(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.send_header("Content-Length", str(10**9))
    handler.end_headers()
    handler.close_connection = True


UNREADABLE: dict[str, Answer] = {
    "too large": too_large,
    "another type": (200, {"Content-Type": "application/pdf"}, "%PDF-1.4"),
    "junk": (200, {}, bytes(range(256)) * 40),
    "zeros": (200, {}, bytes(3000)),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_page_that_cannot_be_read_any_more_keeps_its_rows(kind: str) -> None:
    with serve(dict(PAGES)) as site:
        crawl(site)
        before = row_ids()
        site.answers["/a"] = UNREADABLE[kind]
        site.answers["/new"] = UNREADABLE[kind]
        site.answers["/b"] = page("B", links={"/new": "new"})
        figures = crawl(site)
        kept = Page.objects.get(url=site.at("/a"))
        assert (kept.status, kept.reason.partition(":")[0]) == ("read", "last visit failed")
        assert kept.is_target
        assert set(before[1]) & set(kept.sentences.values_list("pk", flat=True))
        assert kept.outlinks.count() == 1
        assert Page.objects.get(url=site.at("/new")).status == "skipped"
        assert figures["failed"] == {"last visit failed, what was read before is kept": 1}
        assert any(note.startswith("1 pages that were known could not be read again") for note in figures["notes"])
        site.answers["/a"] = PAGES["/a"]
        crawl(site)
        kept.refresh_from_db()
        assert (kept.status, kept.reason) == ("read", "")


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_that_is_gone_loses_its_rows(status: int) -> None:
    with serve(dict(PAGES)) as site:
        crawl(site)
        site.answers["/a"] = (status, {}, "")
        crawl(site)
        gone = Page.objects.get(url=site.at("/a"))
        assert (gone.status, gone.sentences.count()) == ("gone", 0)


@pytest.mark.parametrize("kind", ["junk", "zeros"])
def test_a_start_page_of_junk_changes_nothing(kind: str) -> None:
    with serve(dict(PAGES)) as site:
        crawl(site)
        before = row_ids()
        site.answers["/"] = UNREADABLE[kind]
        with pytest.raises(NothingToRead, match=f"{site.url} is not a page of text"):
            crawl(site)
        assert row_ids() == before
        assert set(Page.objects.values_list("reason", flat=True)) <= {"", f"the same text: as {site.at('/b')}"}


def many_pages() -> dict[str, Answer]:
    pages: dict[str, Answer] = {"/": page("Home", links={f"/{n}": f"to number {n}" for n in range(40)})}
    for number in range(120):
        links = {f"/{number * 2 + 1}": "next", f"/{number * 2 + 2}": "over next", "/": "home"}
        name = "".join("abcdefghij"[int(digit)] for digit in str(number))
        text = f"Of all {name} there are, {name} is {name}, as every {name} knows. It is short."
        pages[f"/{number}"] = page(f"Number {number}", text, links)
    pages["/7/"] = pages["/7"]
    pages["/9"] = (301, {"Location": "/8"}, "")
    return pages


def snapshot(site: LoopbackSite) -> list[Any]:
    """All rows without ids and times; pages and links in the order of their ids."""
    origin = site.url
    pages = Page.objects.order_by("id").values_list(
        "url", "status", "reason", "title", "depth", "is_target", "word_count"
    )
    links = Link.objects.order_by("page_id", "ordinal").values_list(
        "page__url", "target_url", "target__url", "anchor_text"
    )
    sentences = Sentence.objects.order_by("page_id", "ordinal").values_list("page__url", "text", "is_boilerplate")
    return [
        [tuple(str(value).replace(origin, "/") for value in row) for row in rows] for rows in (pages, links, sentences)
    ]


@pytest.fixture
def undisturbed() -> Iterator[list[Any]]:
    with serve(many_pages()) as site:
        crawl(site)
        rows = snapshot(site)
        get_or_create_site(site.url).delete()
        yield rows


@pytest.mark.parametrize("step", [1, 4])
def test_a_crawl_that_is_cut_off_again_and_again_ends_with_the_same_rows(undisturbed: list[Any], step: int) -> None:
    """Every write transaction is a place where a kill may strike; each attempt gets through `step` of them."""
    with serve(many_pages()) as site:
        run = new_crawl(site)
        attempts = 0
        while attempts < 200:
            attempts += 1
            left = step

            def fence() -> None:
                nonlocal left
                left -= 1
                if left < 0:
                    raise LeaseLost("killed")

            try:
                figures = crawl_site(run.site_id, run.pk, fence=fence)
                break
            except LeaseLost:
                step += 1
        assert attempts > 2
        assert snapshot(site) == undisturbed
        assert figures["read"] == sum(row[1] == "read" for row in undisturbed[0])


def test_progress_is_told_per_batch_and_may_stop_the_crawl() -> None:
    reports: list[tuple[int, int, str]] = []

    def progress(done: int, total: int, note: str) -> None:
        reports.append((done, total, note))
        if len(reports) > 2 and done > 30:
            raise LeaseLost("stopped")

    with serve(many_pages()) as site:
        run = new_crawl(site)
        with pytest.raises(LeaseLost):
            crawl_site(run.site_id, run.pk, progress=progress)
        assert all(0 <= done <= total for done, total, _ in reports)
        assert reports[-1][0] > 30
        assert 30 < Page.objects.filter(status="read").count() < 100


def test_what_has_not_changed_by_a_byte_is_not_taken_apart_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = dict(PAGES)
    taken_apart: list[str] = []

    def extract(body: bytes, url: str, headers: dict[str, str]) -> Any:
        taken_apart.append(url)
        return extract_page(body, url, headers)

    monkeypatch.setattr("crawler.sources.web.extract_page", extract)
    with serve(fallback=tagged({}, pages)) as site:
        crawl(site)
        taken_apart.clear()
        pages["/c"] = page("C, revised")
        figures = crawl(site)
        # A twin is compared with its original each time: that may have changed.
        assert taken_apart == [site.at("/b/"), site.at("/c")]
        assert figures["unchanged"] == 3
        taken_apart.clear()
        monkeypatch.setattr("crawler.raw_content._PREFIX", "another version:")
        monkeypatch.setattr("crawler.page_loop.raw_sha256", lambda answer: "another version: x")
        crawl(site)
        assert len(taken_apart) == len(PAGES)


def test_a_full_crawl_asks_without_conditions_and_reads_everything() -> None:
    tags = {path: f'"{path}"' for path in PAGES}
    with serve(fallback=tagged(tags, PAGES)) as site:
        crawl(site)
        before = row_ids()
        run = new_crawl(site)
        Crawl.objects.filter(pk=run.pk).update(is_full_asked=True)
        asked = len(site.requests)
        figures = crawl_site(run.site_id, run.pk)
        assert not any("if-none-match" in headers for _, headers in site.requests[asked:])
        assert row_ids() == before
        assert figures["unchanged"] == 4


def test_a_twin_stands_alone_again_when_its_original_changes() -> None:
    pages = dict(PAGES)
    tags = {path: f'"{path}"' for path in PAGES}
    with serve(fallback=tagged(tags, pages)) as site:
        crawl(site)
        pages["/b"], tags["/b"] = page("B, revised"), '"new"'
        crawl(site)
        assert Page.objects.get(url=site.at("/b/")).status == "read"
