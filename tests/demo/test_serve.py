"""The demo server over real sockets: every address answers, ETags spare the body, SIGTERM ends it quietly."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from lxml import etree

from demo.serve import DemoServer, main

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with DemoServer(0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server.base_url
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        session.trust_env = False
        yield session


def test_every_sitemap_url_answers_with_text(base_url: str, session: requests.Session) -> None:
    sitemap = etree.fromstring(session.get(f"{base_url}/sitemap.xml").content)
    urls = [str(url) for url in sitemap.xpath("//*[local-name()='loc']/text()")]
    assert len(urls) > 35
    for url in urls:
        assert url.startswith(base_url)
        reply = session.get(url)
        assert reply.status_code == 200, url
        assert reply.headers["Content-Type"] == "text/html; charset=utf-8"
        assert "demo.invalid" not in reply.text
        assert len(reply.text) > 2000, url


def test_robots_names_the_sitemap_at_this_port(base_url: str, session: requests.Session) -> None:
    text = session.get(f"{base_url}/robots.txt").text
    assert f"Sitemap: {base_url}/sitemap.xml" in text
    assert "Disallow: /search/" in text


def test_redirects_stay_on_this_host(base_url: str, session: requests.Session) -> None:
    reply = session.get(f"{base_url}/bikes-for-sale/")
    assert reply.url == f"{base_url}/workshop/second-hand-bikes/"
    assert [step.status_code for step in reply.history] == [301, 301]


def test_missing_page_is_a_404_that_says_so(base_url: str, session: requests.Session) -> None:
    reply = session.get(f"{base_url}/repairs/hub-gears/")
    assert reply.status_code == 404
    assert "Page not found" in reply.text


def test_known_etag_gets_304_and_head_no_body(base_url: str, session: requests.Session) -> None:
    first = session.get(f"{base_url}/riding/commuting/")
    again = session.get(first.url, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = session.head(first.url)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Length"] == first.headers["Content-Length"]


def test_sigterm_ends_it_cleanly_and_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "demo.serve", "0"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        assert requests.get(url, timeout=10).status_code == 200
        process.send_signal(signal.SIGTERM)
        rest, errors = process.communicate(timeout=10)
    assert (process.returncode, rest, errors) == (0, "", "")


def test_port_that_is_taken_or_no_port_is_told_in_one_sentence(
    base_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    port = base_url.rsplit(":", 1)[1]
    assert main([port]) == 1
    assert capsys.readouterr().err.startswith(f"The demo site cannot listen on port {port}")
    assert main(["eighty"]) == 2
    assert capsys.readouterr().err.startswith("usage: python -m demo.serve PORT")
