"""A web server on loopback for tests: a dictionary of answers, real sockets, a free port."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: "LoopbackSite"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        site = self.site
        with site.lock:
            site.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        answer = site.answers.get(self.path, site.fallback)
        if callable(answer):
            try:
                answer(self)
            except OSError:
                self.close_connection = True
            return
        if isinstance(answer, str):
            answer = (200, {}, answer)
        status, headers, body = answer
        self.answer(status, headers, body.encode("utf-8") if isinstance(body, str) else body)

    def answer(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


Answer = str | tuple[int, Mapping[str, str], str | bytes] | Callable[[Handler], None]


@dataclass
class LoopbackSite:
    """What is served, and what was asked for: (path, headers in lower case)."""

    answers: dict[str, Answer] = field(default_factory=dict)
    fallback: Answer = (404, {}, "not here")
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    port: int = 0
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def at(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are what these tests are about."""


@contextmanager
def serve(
    answers: Mapping[str, Answer] | None = None,
    *,
    tls: Any = None,
    fallback: Answer | None = None,
    address: tuple[str, int] = ("127.0.0.1", 0),
) -> Iterator[LoopbackSite]:
    """Serve the answers on 127.0.0.1, or at the address, until the block ends."""
    site = LoopbackSite(dict(answers or {}))
    if fallback is not None:
        site.fallback = fallback
    server = _Server(address, type("SiteHandler", (Handler,), {"site": site}))
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


def page(title: str, text: str = "", links: Mapping[str, str] | None = None, head: str = "") -> str:
    """An HTML page with a paragraph of text and a paragraph of links."""
    anchors = " ".join(f'<a href="{url}">{name}</a>' for url, name in (links or {}).items())
    body = text or f"This page tells what there is to know about {title.lower()}, in a sentence or two. It is short."
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{head}</head><body><main><h1>{title}</h1>'
        f"<p>{body}</p><p>See also {anchors} and more.</p></main></body></html>"
    )


def sitemap(*urls: str) -> tuple[int, dict[str, str], str]:
    """A sitemap of these URLs as an answer."""
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    text = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    return 200, {"Content-Type": "application/xml"}, text
