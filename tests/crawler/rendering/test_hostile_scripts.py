# ruff: noqa: E501 - a script stands on one line
"""Pages whose scripts try to get out, or to go on for ever: nothing reaches the witness, and each ends in time."""

import asyncio
import socket
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import async_playwright

from crawler.errors import RenderingFailed
from crawler.fetched_page import FetchedPage
from crawler.rendering import EmptyPages
from crawler.rendering.chromium import DeadProxy, find_chromium, launch
from tests.crawler.loopback import LoopbackSite, page, serve
from tests.crawler.rendering.conftest import GUARD, LIMITS
from tests.crawler.rendering.processes import descendants, environment_of

SAY = "const say = text => { const p = document.createElement('p'); p.textContent = text; document.body.append(p); };"
#: As long as a page that is no shell, so that a script's way elsewhere takes nothing from it.
DONE = f"say('{'This page says something in a sentence. ' * 5} The script has come to its end.');"

#: Scripts that end with a text; {w} is host:port of the witness, {u} its UDP port.
ESCAPES = {
    "fetch": "await fetch('http://{w}/', {{mode: 'no-cors'}}).catch(e => e);",
    "fetch of IPv6": "await fetch('http://[::ffff:127.0.0.1]:{p}/', {{mode: 'no-cors'}}).catch(e => e);",
    "fetch of the metadata service": "await fetch('http://169.254.169.254/latest/', {{mode: 'no-cors'}}).catch(e => e);",
    "fetch of a file": "await fetch('file:///etc/passwd').then(r => r.text()).then(say).catch(e => e);",
    "fetch behind a redirect": "await fetch('/away', {{mode: 'no-cors'}}).catch(e => e);",
    "POST": "await fetch('/form', {{method: 'POST', body: 'x'}}).catch(e => e);",
    "beacon": "navigator.sendBeacon('http://{w}/', 'x');",
    "XMLHttpRequest": "const x = new XMLHttpRequest(); x.open('GET', 'http://{w}/', false); try {{ x.send() }} catch (e) {{}}",
    "EventSource": "new EventSource('http://{w}/');",
    "WebSocket": "new WebSocket('ws://{w}/');",
    "WebSocket of a worker": "new Worker(URL.createObjectURL(new Blob([`new WebSocket('ws://{w}/')`])));",
    "fetch of a worker": "new Worker(URL.createObjectURL(new Blob([`fetch('http://{w}/', {{mode: 'no-cors'}})`])));",
    "import of a worker": "new Worker(URL.createObjectURL(new Blob([`importScripts('http://{w}/')`])));",
    "shared worker": "new SharedWorker(URL.createObjectURL(new Blob([`fetch('http://{w}/', {{mode: 'no-cors'}})`])));",
    "service worker": "await navigator.serviceWorker.register('/sw.js').catch(e => e);",
    "WebRTC": "const c = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{u}'}}]}}); c.createDataChannel('x');"
    " await c.setLocalDescription(await c.createOffer());",
    "WebTransport": "try {{ await new WebTransport('https://{w}/').ready }} catch (e) {{}}",
    "picture": "new Image().src = 'http://{w}/';",
    "frame": "const f = document.createElement('iframe'); f.src = 'http://{w}/'; document.body.append(f);",
    "frame of a file": "const f = document.createElement('iframe'); f.src = 'file:///etc/passwd'; document.body.append(f);",
    "prefetch": "for (const rel of ['prefetch', 'preconnect', 'dns-prefetch', 'preload', 'modulepreload', 'prerender', 'icon',"
    " 'manifest']) {{ const l = document.createElement('link'); l.rel = rel; l.href = 'http://{w}/'; document.head.append(l); }}",
    "speculation": "const s = document.createElement('script'); s.type = 'speculationrules';"
    " s.textContent = JSON.stringify({{prerender: [{{urls: ['/x', 'http://{w}/']}}]}}); document.head.append(s);",
    "style": "const s = document.createElement('style'); s.textContent = `@import 'http://{w}/'; p {{ background:"
    " url(http://{w}/b); font-family: x }} @font-face {{ font-family: x; src: url(http://{w}/f) }}`; document.head.append(s);",
    "module": "await import('http://{w}/x.js').catch(e => e);",
    "window": "window.open('http://{w}/'); window.open('about:blank').location = 'http://{w}/';",
    "form": "document.body.innerHTML = '<form action=http://{w}/ method=post target=_blank></form>'; document.forms[0].submit();",
    "download": "const a = document.createElement('a'); a.href = 'http://{w}/'; a.download = 'x'; document.body.append(a); a.click();",
    "ping": "document.body.innerHTML = '<a href=#x ping=http://{w}/>x</a>'; document.querySelector('a').click();",
    "dialogs": "alert(1); confirm(2); prompt(3); onbeforeunload = () => 'stay';",
    "protocol of another program": "location.href = 'mailto:x@example.org';",
    "permissions": "navigator.geolocation.getCurrentPosition(() => 0, () => 0); Notification.requestPermission();",
    "a lie about its own document": "Object.defineProperty(Element.prototype, 'outerHTML', {{get: () => 'x'.repeat(1e8)}});"
    " JSON.stringify = () => 1;",
}
#: Scripts that never end well: the words of the failure.
ENDLESS = {
    "for (let i = 0; i < 10000; i++) fetch('/n' + i).catch(e => e)": "ask for files without end|within 5 seconds|scripts never pause",
    "while (true) {}": "its scripts never pause|within 5 seconds",
    "const grow = () => { document.body.append('x'.repeat(1e6)); setTimeout(grow, 0) }; grow()": "grew beyond|never pause",
    "const a = []; while (true) a.push(new Array(1e6).fill(1))": "never pause|crashed|failed|within 5 seconds",
}


def batched(names: Iterable[str], size: int) -> Iterator[tuple[str, ...]]:
    left = iter(names)
    while some := tuple(islice(left, size)):
        yield some


def shell(script: str) -> bytes:
    return f"<!doctype html><html><head><title>Shell</title></head><body><script type=module>{script}</script>".encode()


@pytest.fixture
def witness() -> Iterator[LoopbackSite]:
    with serve(fallback=page("Secret")) as site:
        yield site
        assert not site.requests


@pytest.fixture
def udp_witness() -> Iterator[int]:
    """A UDP port that must never hear anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as heard:
        heard.bind(("127.0.0.1", 0))
        yield heard.getsockname()[1]
        heard.settimeout(0.2)
        with pytest.raises(TimeoutError):
            heard.recv(100)


def open_page(renderer: EmptyPages, site: LoopbackSite, script: str) -> FetchedPage:
    GUARD.port = site.port
    answer = FetchedPage(site.url, site.url, 200, {"content-type": "text/html"}, shell(script))
    started = time.monotonic()
    try:
        return renderer.fill(answer, lambda url: "")
    finally:
        assert time.monotonic() - started < LIMITS.total_seconds + 60


@pytest.mark.parametrize("names", list(batched(ESCAPES, 6)), ids=lambda names: ", ".join(names)[:60])
def test_no_way_out(names: tuple[str, ...], renderer: EmptyPages, witness: LoopbackSite, udp_witness: int) -> None:
    address = f"127.0.0.1:{witness.port}"
    tries = (ESCAPES[name].format(w=address, p=witness.port, u=udp_witness) for name in names)
    script = "".join(f"try {{ {attempt} }} catch (e) {{}}\n" for attempt in tries)
    with serve({"/away": (302, {"Location": witness.url}, ""), "/sw.js": "self.onfetch = () => 0"}) as site:
        read = open_page(renderer, site, SAY + script + DONE)
        assert b"has come to its end" in read.body
        assert b"root:" not in read.body
        assert len(site.requests) <= LIMITS.most_requests
        assert "/form" not in site.paths()


@pytest.mark.parametrize("script", ENDLESS)
def test_scripts_without_end_cost_their_page_a_reason(script: str, renderer: EmptyPages) -> None:
    with serve() as site:
        with pytest.raises(RenderingFailed, match=ENDLESS[script]) as raised:
            open_page(renderer, site, script)
        assert "\n" not in str(raised.value)
        # The next page is none the worse.
        assert b"has come to its end" in open_page(renderer, site, SAY + DONE).body


@pytest.mark.parametrize(
    ("script", "path"), [("location.href = '/b'", "/b"), ("location.replace('/c?d=e#f')", "/c?d=e")]
)
def test_a_page_that_leads_elsewhere_is_a_redirect(script: str, path: str, renderer: EmptyPages) -> None:
    with serve() as site:
        read = open_page(renderer, site, script)
        assert (read.status, read.location) == (302, site.at(path))
        assert not site.requests


def test_a_page_that_reloads_for_ever_or_leads_to_the_witness(renderer: EmptyPages, witness: LoopbackSite) -> None:
    with serve() as site:
        for script in ("setInterval(() => location.reload(), 10);", f"location.href = '{witness.url}';"):
            read = open_page(renderer, site, script)
            assert (read.status, read.location) in ((200, ""), (302, witness.url))
        assert not site.requests


def test_the_environment_of_the_crawler_is_not_the_browsers(renderer: EmptyPages) -> None:
    with serve() as site:
        open_page(renderer, site, SAY + DONE)
    browsers = [
        pid for pid, command in descendants().items() if "--type=" not in command and "--proxy-server" in command
    ]
    assert browsers
    for pid in browsers:
        assert not {name for name in environment_of(pid) if name.startswith(("LINKREC", "DATABASE", "DJANGO"))}


@pytest.mark.skipif(not find_chromium(), reason="no Chromium on this machine")
def test_what_would_escape_interception_finds_no_network(witness: LoopbackSite, udp_witness: int) -> None:
    """The browser as it is started, with no request intercepted: the second lock behind the first."""
    # In a thread of its own: the browser tests keep a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(try_everything(f"127.0.0.1:{witness.port}", udp_witness))).result()


async def try_everything(address: str, udp_port: int) -> None:
    proxy = DeadProxy()
    async with async_playwright() as playwright:
        browser = await launch(playwright, proxy)
        page = await browser.new_page()
        for url in (f"http://{address}/", f"http://localhost:{address.split(':')[1]}/", "http://169.254.169.254/"):
            with pytest.raises(PlaywrightError, match="ERR_"):
                await page.goto(url, timeout=5_000)
        # The page of the last error may still be on its way to the old one.
        page = await browser.new_page()
        names = ("fetch", "WebSocket", "fetch of a worker", "beacon", "picture", "prefetch", "WebRTC")
        tries = (ESCAPES[name].format(w=address, p=0, u=udp_port) for name in names)
        await page.evaluate(
            "async () => {" + "".join(f"try {{ {attempt} }} catch (e) {{}}\n" for attempt in tries) + "}"
        )
        await page.wait_for_timeout(500)
        await browser.close()
    proxy.close()
