"""Numbers that lie: orphans that are none, work that is called done with nothing saved, pages that were never gone."""

from collections.abc import Iterator
from typing import Any

import pytest

from crawler.errors import CrawlHeld
from crawler.leases import LeaseLost, RunStatus
from crawler.models import Page, PageBody, Site
from crawler.services import crawl_site, get_or_create_site
from embeddings.services import embed_site
from recommendations.models import Recommendation, RecommendationRun
from recommendations.selectors_sites import SiteFigures, site_figures
from recommendations.services import recommend_site
from tests.bad_suggestions.pages import filler, goods, page, target_page
from tests.crawler.loopback import LoopbackSite, serve, sitemap
from tests.factories import make_crawl, make_page, make_site
from tests.recommendations.engine.small_site import WordCountEncoder

pytestmark = pytest.mark.django_db

_NAMES = ("copper-kettle", "willow-basket", "brass-lantern", "oak-ladder", "tin-whistle", "stone-mortar")


def _site() -> dict[str, str]:
    """A menu leads to all pages but the last, the start page's text to the first, nothing to the last."""
    menu = "<nav><ul>" + "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in _NAMES[:-1]) + "</ul></nav>"
    told = f"<p>We all began with a <a href='/{_NAMES[0]}'>kettle</a> made long ago.</p>{filler('a start')}"
    site = {"/": page("Start", told, around=menu)}
    for name in _NAMES:
        site[f"/{name}"] = page(name.replace("-", " ").capitalize(), filler(f"a {name}"), around=menu)
    return site


@pytest.fixture
def served() -> Iterator[LoopbackSite]:
    with serve(_site()) as site:
        site.answers["/sitemap.xml"] = sitemap(*(site.at(f"/{name}") for name in _NAMES))
        yield site


def _crawl(served: LoopbackSite) -> Site:
    site = get_or_create_site(served.url)
    run = make_crawl(site)
    crawl_site(site.pk, run.pk)
    type(run).objects.filter(pk=run.pk).update(status=RunStatus.DONE)
    return site


def _figures(site: Site) -> SiteFigures:
    return site_figures(Site.objects.filter(pk=site.pk))[0]


def _statuses() -> dict[str, str]:
    return {url.rsplit("/", 1)[1]: status for url, status in Page.objects.values_list("url", "status")}


def test_orphans_are_counted_by_links_in_text_and_those_in_menus_are_told_apart(served: LoopbackSite) -> None:
    figures = _figures(_crawl(served))
    # All but the start page and the one that the text links to; one of them has not even a link in a menu.
    assert figures.orphans == len(_NAMES) - 1
    assert figures.orphans_in_menus == len(_NAMES) - 2


def test_a_page_that_is_linked_from_text_is_no_orphan_whatever_menus_do(served: LoopbackSite) -> None:
    told = "".join(
        f"<p>Among {goods(at)} lay <a href='/{name}'>something</a> of worth.</p>" for at, name in enumerate(_NAMES)
    )
    served.answers["/"] = page("Start", told)
    figures = _figures(_crawl(served))
    assert (figures.orphans, figures.orphans_in_menus) == (0, 0)


def test_a_sitemap_of_half_the_site_takes_no_page_away(served: LoopbackSite) -> None:
    _crawl(served)
    assert set(_statuses().values()) == {"read"}
    served.answers["/sitemap.xml"] = sitemap(served.at(f"/{_NAMES[0]}"))
    for name in ("", *_NAMES):  # the menu is gone too: nothing leads to the pages any more
        served.answers[f"/{name}"] = page(name.replace("-", " ").capitalize() or "Start", filler(f"only a {name}"))
    _crawl(served)
    assert set(_statuses().values()) == {"read"}
    assert PageBody.objects.count() == len(_NAMES) + 1


@pytest.mark.parametrize("failure", [500, 403])
def test_a_crawl_that_fails_takes_no_page_away_and_404_does(served: LoopbackSite, failure: int) -> None:
    _crawl(served)
    well = dict(served.answers)
    for name in _NAMES[1:]:
        served.answers[f"/{name}"] = (failure, {"Retry-After": "0"}, "not now")
    with pytest.raises(CrawlHeld):
        _crawl(served)
    assert set(_statuses().values()) == {"read"}
    assert PageBody.objects.count() == len(_NAMES) + 1
    served.answers.update(well)
    served.answers[f"/{_NAMES[1]}"] = (404, {}, "gone")
    _crawl(served)
    assert {name for name, status in _statuses().items() if status == "gone"} == {_NAMES[1]}


def _two_lots_of_pages() -> Site:
    site = make_site("Shop")
    for at in range(40):
        make_page(
            site, f"shelf-{at}", f"On this shelf are {goods(at)}.\nNear it are {goods(at + 1)} too.", title=goods(at)
        )
    embed_site(site.pk, encoder=WordCountEncoder())
    return site


def test_no_more_is_called_done_than_was_saved() -> None:
    site = _two_lots_of_pages()
    run = RecommendationRun.objects.create(site=site)
    told: list[tuple[int, int, int]] = []
    calls = iter(range(100))

    def progress(done: int, total: int, note: str) -> None:
        pages = Recommendation.objects.filter(run=run).values("source").distinct().count()
        if note == "pages ranked":
            told.append((done, total, pages))

    def fence() -> None:
        if told and next(calls) == 0:
            raise LeaseLost("taken over")

    options: dict[str, Any] = {"encoder": WordCountEncoder(), "model_name": "word-count", "threshold": 0}
    with pytest.raises(LeaseLost):
        recommend_site(site.pk, run.pk, progress=progress, fence=fence, **options)
    assert told
    assert all(done < total for done, total, _ in told)
    assert all(saved == done for done, _, saved in told)
    run.refresh_from_db()
    assert run.status != RunStatus.DONE
    recommend_site(site.pk, run.pk, progress=progress, **options)
    assert told[-1] == (40, 40, 40)


def test_a_page_of_its_own_is_read_as_it_stands_now(served: LoopbackSite) -> None:
    """A page that changed is read again before anything is said of it: old sentences are not left behind."""
    _crawl(served)
    served.answers[f"/{_NAMES[0]}"] = target_page("new kettle")
    _crawl(served)
    body = PageBody.objects.get(page__url=served.at(f"/{_NAMES[0]}"))
    assert "new kettle" in str(body.blocks)
    assert not body.page.sentences.filter(text__contains="a copper-kettle").exists()
