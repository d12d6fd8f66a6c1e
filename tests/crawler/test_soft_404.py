"""Sites that answer 200 where there is no page."""

from collections.abc import Callable

import pytest

from crawler.models import Page
from crawler.services import crawl_site, get_or_create_site
from crawler.soft_404 import address_without_page
from tests.crawler.loopback import Answer, Handler, LoopbackSite, page, serve
from tests.factories import make_crawl

pytestmark = pytest.mark.django_db
KIND = "says that the page was not found"
#: Words that no list of phrases holds.
LOST = "Esta dirección se ha perdido entre las montañas. Vuelva al comienzo y pruebe otra vez con calma y con mate."


def crawl(site: LoopbackSite) -> None:
    row = get_or_create_site(site.url)
    crawl_site(row.pk, make_crawl(row).pk)


def not_targets(site: LoopbackSite) -> set[str]:
    pages = Page.objects.filter(reason__startswith=KIND, is_target=False)
    return {url.removeprefix(site.url) for url in pages.values_list("url", flat=True)}


def lost(handler: Handler) -> None:
    """The answer to any address, with that address in it."""
    handler.answer(200, {}, page("Perdido", f"{LOST} ({handler.path})").encode())


def home(*names: str) -> str:
    return page("Home", "Tea, coffee and all that is drunk hot, from every land.", {f"/{name}": name for name in names})


def test_several_pages_like_the_answer_to_nothing_are_no_targets() -> None:
    answers: dict[str, Answer] = {"/": home("tea", "x1", "x2", "x3"), "/tea": page("Tea")}
    with serve(answers, fallback=lost) as site:
        crawl(site)
        assert not_targets(site) == {"x1", "x2", "x3"}
        assert Page.objects.get(url=site.at("/tea")).is_target
        asked = [path for path in site.paths() if path == address_without_page(site.url).removeprefix(site.url[:-1])]
        assert len(asked) == 1


def test_a_single_one_is_a_page_that_the_site_likes_to_show() -> None:
    answers: dict[str, Answer] = {"/": home("tea", "x1"), "/tea": page("Tea")}
    with serve(answers, fallback=lost) as site:
        crawl(site)
        assert not_targets(site) == set()
        assert Page.objects.get(url=site.at("/x1")).is_target


def test_an_application_that_answers_everything_with_its_start_page_is_left_alone() -> None:
    def same(handler: Handler) -> None:
        handler.answer(200, {}, home("tea", "x1", "x2", "x3").encode())

    with serve(fallback=same) as site:
        crawl(site)
        assert not_targets(site) == set()


@pytest.mark.parametrize("fallback", [(404, {}, "gone"), (302, {"Location": "/"}, "")])
def test_sites_that_say_it_by_status_have_no_such_pages(fallback: Answer) -> None:
    with serve({"/": home("tea", "x1", "x2", "x3"), "/tea": page("Tea")}, fallback=fallback) as site:
        crawl(site)
        assert not_targets(site) == set()


def test_robots_txt_is_obeyed() -> None:
    robots: Callable[[str], Answer] = lambda rule: f"User-agent: *\n{rule}\n"  # noqa: E731
    answers: dict[str, Answer] = {"/": home("tea"), "/tea": page("Tea")}
    with serve(answers | {"/robots.txt": robots("Disallow: /\nAllow: /$\nAllow: /tea")}, fallback=lost) as site:
        crawl(site)
        assert not {path for path in site.paths() if "-" in path}
        assert Page.objects.filter(status="read").count() == 2
