"""Addresses without end, against real servers that have them; and sites that only look as if they had."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from crawler.models import Page
from crawler.services import crawl_site, get_or_create_site
from crawler.traps import TrapWatch, kinds_of
from tests.crawler.loopback import Handler, LoopbackSite, page, serve
from tests.factories import make_crawl

pytestmark = pytest.mark.django_db
Server = Callable[[str, dict[str, str]], str | None]
TRAP = "looks like a crawler trap"
_SYLLABLES = ("ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu")


def name_of(number: int) -> str:
    """A word of its own for each number."""
    return "".join(_SYLLABLES[int(digit)] for digit in str(number))


def answering(server: Server) -> Callable[[Handler], None]:
    def answer(handler: Handler) -> None:
        parts = urlsplit(handler.path)
        body = server(parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()})
        handler.answer(200 if body is not None else 404, {}, (body or "").encode())

    return answer


def crawl(site: LoopbackSite, *, is_full: bool = False, max_pages: int = 600) -> dict[str, Any]:
    row = get_or_create_site(site.url, max_pages=max_pages)
    row.seconds_between_requests = 0
    row.save()
    run = make_crawl(row)
    run.is_full_asked = is_full
    run.save()
    return crawl_site(row.pk, run.pk)


def read(prefix: str = "/") -> int:
    paths = Page.objects.filter(status="read").values_list("url", flat=True)
    return sum(("/" + url.split("/", 3)[3]).startswith(prefix) for url in paths)


def trapped() -> int:
    return Page.objects.filter(status="skipped", reason__startswith=TRAP).count()


def calendar(path: str, query: dict[str, str]) -> str | None:
    """Any month there ever will be, each leading to the next; events in the first five."""
    if path == "/":
        return page("Home", links={"/events/2026/05/": "events", "/about": "about us"})
    if path == "/about":
        return page("About us")
    parts = path.strip("/").split("/")
    if len(parts) != 3 or parts[0] != "events":
        return None
    year, month = int(parts[1]), int(parts[2])
    after = f"/events/{year + month // 12}/{month % 12 + 1:02}/"
    before = f"/events/{year - (month == 1)}/{(month - 2) % 12 + 1:02}/"
    event = f"The {name_of(month)} of {name_of(month + 20)} meets at {name_of(month + 40)}." if year == 2026 else ""
    return page(f"Events in {month}/{year}", f"{event} No more events in month {month} of {year}.",
                {after: "next month", before: "month before"})  # fmt: skip


def filters(path: str, query: dict[str, str]) -> str | None:
    """Twelve products; six filters of three values that combine, in 4,096 ways."""
    products = [f"The {name_of(n)} {name_of(n + 30)} is made of {name_of(n + 60)}." for n in range(100, 112)]
    if path != "/shop":
        return page("Home", links={"/shop": "shop"}) if path == "/" else None
    names = ("color", "size", "brand", "sort", "view", "price")
    wanted = sum(map(len, query)) % 5
    choices = [query | {name: str(value)} for name in names for value in (1, 2, 3)]
    links = {"/shop?" + "&".join(f"{key}={value}" for key, value in sorted(choice.items())): str(choice)
             for choice in choices}  # fmt: skip
    return page("Shop", " ".join(products[wanted:] + products[:wanted]), links)


def sessions(path: str, query: dict[str, str], count: list[int] = [0]) -> str | None:  # noqa: B006
    """Each answer puts a new session into its links."""
    name = path.rstrip("/").rpartition("/")[2]
    if name not in ("", "tea", "coffee", "milk"):
        return None
    count[0] += 1
    token = f"a{count[0]:07}b{count[0]:08}c"
    return page(name or "Home", links={f"/{token}/{drink}": drink for drink in ("tea", "coffee", "milk")})


def empty_lists(path: str, query: dict[str, str]) -> str | None:
    """A list that has a next page for ever; eight of its pages list something."""
    if path == "/":
        return page("Home", links={"/news?page=1": "news"})
    if path != "/news":
        return None
    number = int(query["page"])
    said = f"{name_of(number + 70)} has met {name_of(number + 300)}." if number <= 8 else "Nothing was found."
    return page("News", said, {f"/news?page={number + 1}": "older"})


def relative_links(path: str, query: dict[str, str]) -> str | None:
    """Links without a leading slash, below folders: any path answers with one of five pages, and leads deeper."""
    names = ("tea", "milk", "rum", "gin", "ale")
    links = {f"{path.rstrip('/')}/{name}/": name for name in names}
    return page(path.rstrip("/").rpartition("/")[2] or "Home", links=links)


@pytest.mark.parametrize(
    ("server", "prefix", "good"),
    [
        pytest.param(calendar, "/events/", 12, id="a calendar"),
        pytest.param(filters, "/shop", 1, id="filters that combine"),
        pytest.param(sessions, "/a0", 3, id="sessions in paths"),
        pytest.param(empty_lists, "/news", 8, id="a list without end"),
    ],
)
def test_a_trap_is_left_after_some_pages_and_each_refused_address_has_its_reason(
    server: Server, prefix: str, good: int
) -> None:
    with serve(fallback=answering(server)) as site:
        figures = crawl(site)
        assert good <= read(prefix) <= 130
        assert trapped() >= 1
        assert not Page.objects.filter(status="new").exists()
        assert figures["skipped"][TRAP] == trapped()
        first, requests = read(), len(site.requests)
        crawl(site)
        # A later crawl neither goes further into it nor takes away what was read.
        assert read() == first
        assert len(site.requests) - requests <= first + 8


def test_a_trap_of_relative_links_ends() -> None:
    with serve(fallback=answering(relative_links)) as site:
        crawl(site, max_pages=300)
        assert trapped() >= 1
        longest = max(url.count("/") for url in Page.objects.filter(status="read").values_list("url", flat=True))
        assert longest < 20


def test_a_full_crawl_judges_anew() -> None:
    with serve(fallback=answering(calendar)) as site:
        crawl(site)
        assert trapped() >= 1
        before = read()
        crawl(site, is_full=True)
        assert read() > before


def blog(path: str, query: dict[str, str]) -> str | None:
    """Posts by date, archives by month, a list in pages; every archive page shows what its posts begin with."""
    if path == "/":
        months = {f"/{2014 + n // 12}/{n % 12 + 1:02}/": f"month {n}" for n in range(60)}
        return page("Home", links={**months, "/blog?page=1": "all posts"})
    parts = path.strip("/").split("/")
    if path == "/blog":
        number = int(query["page"])
        told = " ".join(f"{name_of(number * 4 + n)} writes of {name_of(number * 9 + n)} here." for n in range(4))
        return page("All posts", told, {f"/blog?page={number + 1}": "older"} if number < 70 else {})
    if len(parts) == 2:
        month = (int(parts[0]) - 2014) * 12 + int(parts[1])
        said = f"{name_of(month)} went to {name_of(month + 100)} and saw {name_of(month + 500)}."
        return page(f"Archive of {path}", said, {f"{path}{name_of(month)}/": "read on"})
    if len(parts) == 3:
        return page(parts[2], f"All of {parts[2]} is told in this post of {parts[2]}, and why {parts[2]} matters.")
    return None


def shop(path: str, query: dict[str, str]) -> str | None:
    """Ninety pages of products by number, thin as products are, under one path, with an order each."""
    if path == "/":
        return page("Home", links={"/shop?page=1&sort=new": "shop"})
    if path == "/shop":
        number = int(query.get("page", "1"))
        products = {f"/product/{number * 10 + n}": f"{name_of(number * 10 + n)} bowl" for n in range(2)}
        following = {f"/shop?page={number + 1}&sort=new": "next"} if number < 90 else {}
        return page("Shop", "Bowls of every kind are sold in this shop, by the piece.", products | following)
    if path.startswith("/product/"):
        number = int(path.rpartition("/")[2])
        other = {f"/product/{number + 1}": "the next bowl"} if number % 10 == 0 else {}
        said = (
            f"The {name_of(number)} bowl of {name_of(number * 7)}. Sent within three days. Send it back within thirty."
        )
        return page(f"{name_of(number)} bowl", said, other)
    return None


@pytest.mark.parametrize(("server", "pages"), [(blog, 1 + 60 + 60 + 70), (shop, 1 + 90 + 180)])
def test_what_is_no_trap_is_read_to_its_end(server: Server, pages: int) -> None:
    with serve(fallback=answering(server)) as site:
        figures = crawl(site)
        assert trapped() == 0
        assert figures["read"] == pages


def test_what_the_sitemap_names_is_never_refused() -> None:
    def server(path: str, query: dict[str, str]) -> str | None:
        if path == "/":
            return page("Home")
        number = path.removeprefix("/page/")
        return page(f"Number {number}", links={f"/page/{int(number) + 1}": "next"}) if number.isdigit() else None

    with serve(fallback=answering(server)) as site:
        urls = "".join(f"<url><loc>{site.at(f'/page/{n}')}</loc></url>" for n in range(90))
        site.answers["/sitemap.xml"] = (200, {"Content-Type": "text/xml"}, f"<urlset>{urls}</urlset>")
        crawl(site)
        assert set(Page.objects.filter(is_in_sitemap=True).values_list("status", flat=True)) == {"read"}
        assert read() < 140
        assert trapped() == 1


def test_kinds_of_addresses() -> None:
    assert kinds_of("https://h/about-us/team") == ()
    assert kinds_of("https://h/2024/05/", "h") == ("/#/#/",)
    assert kinds_of("https://h/shop?b=1&a=2", "h") == ("/shop?*", "/**?a&b")
    assert kinds_of("https://h/4f3a9c21bb07de11/tea", "h") == ("/~/tea",)
    assert kinds_of("https://sub.h/news/page/7", "h") == ("sub.h/news/page/#",)
    # What is only numbered ends where the site ends, however alike its pages are.
    assert kinds_of("https://h/product/1234", "h") == ()
    assert kinds_of("https://h/topic?id=1234", "h") == ("/**?id",)
    assert kinds_of("https://h/a/b/c/d/e/f/g/h", "h") == ("/a/**",)


def test_the_verdict_depends_on_the_order_of_pages_alone() -> None:
    pages = [(f"https://h/e/page/{n}", ["Events", f"No event on day {n} of the year"]) for n in range(60)]
    verdicts = []
    for _ in range(2):
        watch, refused = TrapWatch("h"), []
        for url, texts in pages:
            if watch.reason_to_skip(url):
                refused.append(url)
            else:
                watch.note(url, texts, lambda: ["https://h/e/page/1000"])
        verdicts.append(refused)
    assert verdicts[0] == verdicts[1] == [url for url, _ in pages[40:]]
    recalled = TrapWatch("h")
    recalled.recall_refused([watch.reason_to_skip("https://h/e/page/99")])
    assert recalled.reason_to_skip("https://h/e/page/99") == watch.reason_to_skip("https://h/e/page/99")
