"""Serves the demo site on loopback: `python -m demo.serve PORT`. Leaves what it says to demo.site."""

import contextlib
import hashlib
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import FrameType
from urllib.parse import urlsplit

from demo.site import PLACEHOLDER, DemoSite


class DemoServer(ThreadingHTTPServer):
    """The demo site on 127.0.0.1; port 0 takes a free one, `base_url` says which."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), DemoHandler)
        self.site = DemoSite()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class DemoHandler(BaseHTTPRequestHandler):
    """GET and HEAD with ETag and 304; says nothing in the terminal."""

    protocol_version = "HTTP/1.1"
    server: DemoServer

    def do_GET(self) -> None:
        self._answer(has_body=True)

    def do_HEAD(self) -> None:
        self._answer(has_body=False)

    def _answer(self, *, has_body: bool) -> None:
        response = self.server.site.answer(urlsplit(self.path).path)
        body = response.body.replace(PLACEHOLDER, self.server.base_url).encode()
        etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        is_known = response.status == 200 and etag in self.headers.get("If-None-Match", "")
        self.send_response(304 if is_known else response.status)
        if response.status == 200:
            self.send_header("ETag", etag)
        for name, value in response.headers.items():
            self.send_header(name, value.replace(PLACEHOLDER, self.server.base_url))
        if not is_known:
            self.send_header("Content-Type", response.content_type)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if has_body and not is_known:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the terminal belongs to whoever started the whole."""


def main(arguments: list[str]) -> int:
    """Serve until SIGTERM or Ctrl-C; the exit status."""
    if len(arguments) != 1 or not arguments[0].isdigit() or int(arguments[0]) > 65535:
        print(f"usage: python -m demo.serve PORT (a number up to 65535, got {arguments!r})", file=sys.stderr)
        return 2
    try:
        server = DemoServer(int(arguments[0]))
    except OSError as error:
        print(f"The demo site cannot listen on port {arguments[0]} ({error.strerror}). Name another.", file=sys.stderr)
        return 1

    def stop(number: int, frame: FrameType | None) -> None:
        # shutdown() waits for serve_forever, which this very thread runs: ask from another one.
        threading.Thread(target=server.shutdown).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    print(f"The demo site is at {server.base_url}/", flush=True)
    with server:
        server.serve_forever(poll_interval=0.1)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
