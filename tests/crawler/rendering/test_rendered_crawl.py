"""Crawls of sites whose text is made by scripts, with a real Chromium."""

import os
import signal
import threading
import time
from collections.abc import Mapping
from typing import Any

import pytest

from crawler.errors import CrawlError
from crawler.models import Link, Page, Site
from crawler.rendering import EmptyPages
from crawler.rendering.chromium import find_chromium
from crawler.services import crawl_site, get_or_create_site
from crawler.sources.types import KnownPage
from crawler.sources.web import WebSource
from tests.crawler.hostile.attacks import silence
from tests.crawler.hostile.crawling import impatient_client
from tests.crawler.loopback import Answer, Handler, LoopbackSite, page, serve
from tests.crawler.rendering.processes import descendants
from tests.factories import make_crawl

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not find_chromium(), reason="no Chromium on this machine"),
]

SHELL = (
    "<!doctype html><html lang=en><head><title>{}</title><link rel=stylesheet href=/app.css></head><body>"
    "<noscript>Switch JavaScript on.</noscript><div id=app></div>"
    "<img src=/photo.png><script src=/app.js></script></body>"
)
LOADING = SHELL.format("Loading").replace("id=app>", "id=app><p>Loading, please wait.</p>")
#: A small router: asks for the page's words and builds text and links out of them.
APP = """
fetch('/api' + location.pathname).then(answer => answer.json()).then(said => {
  document.title = said.title;
  const links = said.links.map(at => ` <a href="${at}">the page at ${at}</a>`).join(' and');
  document.getElementById('app').innerHTML =
    `<main><h1>${said.title}</h1><p>${said.text} Go on to${links} from here.</p></main>`;
});
"""
JS = {"Content-Type": "text/javascript"}
JSON = {"Content-Type": "application/json"}


def said(title: str, *links: str) -> Answer:
    listed = ", ".join(f'"{link}"' for link in links)
    return 200, JSON, f'{{"title": "{title}", "text": "{title} is what this page tells of.", "links": [{listed}]}}'


def shop() -> dict[str, Answer]:
    return {
        "/": (200, {"ETag": '"shell"'}, SHELL.format("Loading")),
        "/tea": (200, {"ETag": '"shell"'}, SHELL.format("Loading")),
        "/cups": (200, {"ETag": '"shell"'}, LOADING),
        "/plain": page("Plain", links={"/": "home"}),
        "/app.js": (200, JS, APP),
        "/app.css": (200, {"Content-Type": "text/css"}, "p { color: red }"),
        "/api/": said("The shop", "/tea", "/cups", "/plain"),
        "/api/tea": said("Green tea", "/cups"),
        "/api/cups": said("Cups of clay", "/"),
    }


def crawl(site: LoopbackSite, rendering: str = "empty") -> tuple[dict[str, Any], Site]:
    row = get_or_create_site(site.url)
    Site.objects.filter(pk=row.pk).update(rendering=rendering)
    client = impatient_client(f"127.0.0.1:{site.port}")
    return crawl_site(row.pk, make_crawl(row).pk, client=client), row


def test_a_site_made_by_scripts_is_read_with_its_text_and_links_and_again_when_they_change() -> None:
    # As such servers do, it gives the shell for every address.
    with serve(shop(), fallback=SHELL.format("Loading")) as site:
        figures, _ = crawl(site)
        assert figures["read"] == 4
        tea = Page.objects.get(url=site.at("/tea"))
        assert (tea.title, tea.h1, tea.status) == ("Green tea", "Green tea", "read")
        assert any("Green tea is what this page tells of." in row.text for row in tea.sentences.all())
        assert Link.objects.filter(page=tea, target_url=site.at("/cups"), is_editorial=True).exists()
        paths = site.paths()
        assert paths.count("/app.js") == 1  # what pages share is fetched once
        assert "/photo.png" not in paths
        assert paths.count("/tea") == 1  # the browser gets what was fetched already
        site.answers["/api/tea"] = said("Black tea", "/cups")
        crawl(site)
        tea.refresh_from_db()
        assert tea.title == "Black tea"


def test_nothing_is_rendered_unless_the_site_asks_for_it() -> None:
    with serve(shop()) as site:
        with pytest.raises(CrawlError, match="No text was found"):
            crawl(site, "never")
        assert "/app.js" not in site.paths()


def test_robots_txt_holds_for_what_a_page_asks_for() -> None:
    with serve({**shop(), "/robots.txt": "User-agent: *\nDisallow: /api/tea\n"}) as site:
        crawl(site)
        assert "/api/tea" not in site.paths()
        assert Page.objects.get(url=site.at("/cups")).word_count
        assert not Page.objects.get(url=site.at("/tea")).word_count


def test_scripts_that_lead_elsewhere_are_a_redirect() -> None:
    answers: Mapping[str, Answer] = {**shop(), "/cups": "<html><body><script>location = '/plain'</script>"}
    with serve(answers) as site:
        crawl(site)
        row = Page.objects.get(url=site.at("/cups"))
        assert (row.status, row.redirect_url) == ("redirect", site.at("/plain"))


@pytest.mark.parametrize("what", ["playwright", "chromium"])
def test_what_is_missing_is_said_once_with_the_next_step(what: str, monkeypatch: Any, settings: Any) -> None:
    if what == "playwright":
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        step = "pip install -r requirements-rendering.txt"
    else:
        settings.LINKREC_CHROMIUM = "/no/such/chromium"
        step = "LINKREC_CHROMIUM='/no/such/chromium' is no program"
    with serve({**shop(), "/": page("Home", links={"/tea": "tea", "/cups": "cups"})}) as site:
        figures, _ = crawl(site)
        assert [note for note in figures["notes"] if step in note] != []
        assert Page.objects.get(url=site.at("/tea")).reason == "no text"
        assert Page.objects.get(url=site.at("/")).status == "read"


def test_a_browser_that_dies_costs_one_page_and_not_the_crawl() -> None:
    """The whole browser is killed while it waits for the first page's words."""

    def kill_browser(handler: Handler) -> None:
        for pid, command in descendants().items():
            if "--proxy-server" in command and "--type=" not in command:
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.2)
        handler.answer(200, JSON, b"{}")

    with serve({**shop(), "/": page("Home", links={"/tea": "tea", "/cups": "cups"}), "/api/tea": kill_browser}) as site:
        crawl(site)
        tea, cups = Page.objects.get(url=site.at("/tea")), Page.objects.get(url=site.at("/cups"))
        assert tea.status == "failed"
        assert tea.reason.startswith("rendering failed: ")
        assert (cups.status, cups.title) == ("read", "Cups of clay")


def test_no_process_and_no_thread_is_left_and_a_stopped_crawl_does_not_wait() -> None:
    before = {pid for pid, command in descendants().items() if "chrom" in command}
    with serve({**shop(), "/api/": silence}) as site:
        client = impatient_client(f"127.0.0.1:{site.port}")
        source = WebSource(client, site.url, 10)
        source.empty_pages = EmptyPages(client)
        source.open()
        answers: list[Any] = []
        waiting = threading.Thread(target=lambda: answers.append(source.fetch(KnownPage(site.url))))
        waiting.start()
        deadline = time.monotonic() + 20
        while "/api/" not in site.paths() and time.monotonic() < deadline:
            time.sleep(0.05)
        started = time.monotonic()
        source.stop()
        waiting.join(15)
        assert not waiting.is_alive()
        assert time.monotonic() - started < 15
        assert "the crawl was stopped" in str(answers[0])
        client.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "renderer"]
    time.sleep(0.3)
    assert {pid for pid, command in descendants().items() if "chrom" in command} == before
