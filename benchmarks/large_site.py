"""Serves a generated site of any size on loopback, in a process of its own, each page made when it is asked for.

    python -m benchmarks.large_site PAGES SENTENCES

Prints its start URL and serves until it is ended. Pages have a menu of 40 links, as real templates do, links in their
text, and an ETag. Leaves measuring to others.
"""

import contextlib
import hashlib
import random
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from benchmarks.corpora import ROOT
from benchmarks.generated_site import FORM, make_body, make_titles, number_of, path_of

_TITLES = 5_000
_MENU = 40


@lru_cache(maxsize=1)
def titles_of(count: int) -> list[str]:
    """Titles for any number of pages: those of the grammar, year after year."""
    base = make_titles(min(count, _TITLES))
    return [base[n % len(base)] + (f", year {n // len(base)}" if n >= len(base) else "") for n in range(count)]


def make_page(number: int, page_count: int, sentences: int) -> bytes:
    """The HTML of one page; the same number gives the same bytes."""
    titles = titles_of(page_count)
    body = make_body(number, titles, sentences, random.Random(number))
    step = max(1, page_count // _MENU)
    menu = "".join(f'<li><a href="{path_of(n)}">{titles[n]}</a></li>' for n in range(1, page_count, step))
    following = f'<p>Next: <a href="{path_of(min(number + 1, page_count - 1))}">the next page</a></p>'
    return FORM.format(title=titles[number], body=f"{body}<nav><ul>{menu}</ul></nav>{following}").encode()


def make_server(page_count: int, sentences: int) -> ThreadingHTTPServer:
    """Bound to a free port of 127.0.0.1, not serving yet."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_arguments: object) -> None:
            """Silence."""

        def do_GET(self) -> None:
            number = 0 if self.path == "/" else number_of(self.path)
            if not 0 <= number < page_count:
                self._answer(404, "", b"<title>Not found</title>")
                return
            body = make_page(number, page_count, sentences)
            tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            is_same = self.headers.get("If-None-Match") == tag
            self._answer(304 if is_same else 200, tag, b"" if is_same else body)

        def _answer(self, status: int, tag: str, body: bytes) -> None:
            head = f"HTTP/1.1 {status} OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
            head += f"ETag: {tag}\r\n" if tag else ""
            self.wfile.write(head.encode() + b"\r\n" + body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    return server


@contextlib.contextmanager
def served_large_site(page_count: int, sentences: int) -> Iterator[str]:
    """The site in a process of its own while the block runs; gives its start URL."""
    command = [sys.executable, "-m", "benchmarks.large_site", str(page_count), str(sentences)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        with process.stdout:
            yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(10)


if __name__ == "__main__":
    served = make_server(int(sys.argv[1]), int(sys.argv[2]))
    print(f"http://127.0.0.1:{served.server_address[1]}/", flush=True)
    served.serve_forever()
