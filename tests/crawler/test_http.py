"""The guarded client against real socket servers, friendly ones and hostile ones."""

import gzip
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crawler.address_guard import AddressGuard
from crawler.errors import (
    AddressRefused,
    BadResponse,
    BodyTooLarge,
    FetchError,
    FetchTimedOut,
    SiteUnreachable,
    TooManyRedirects,
)
from crawler.guarded_transport import tls_context
from crawler.http import HTML_TYPES, FetchPolicy, HttpClient
from crawler.pacing import Pacer
from tests.crawler.loopback import Handler, LoopbackSite, serve

CERTIFICATE = Path(__file__).with_name("loopback_certificate.pem")
QUICK = FetchPolicy(total_seconds=1.0, idle_seconds=0.5, retry_wait_seconds=0.01, longest_wait_seconds=5.0)


def new_client(policy: FetchPolicy = QUICK, pacer: Pacer | None = None) -> HttpClient:
    guard = AddressGuard(["127.0.0.1"])
    return HttpClient(guard, user_agent="LinkRec/0.1 (+https://example.org/)", policy=policy, pacer=pacer)


@pytest.fixture
def client() -> Iterator[HttpClient]:
    with new_client() as opened:
        yield opened


def redirect(to: str, status: int = 302) -> tuple[int, dict[str, str], str]:
    return status, {"Location": to}, ""


def test_an_answer_and_what_was_asked(client: HttpClient) -> None:
    with serve({"/a": (200, {"ETag": '"1"', "X-Two": "b"}, "hello")}) as site:
        answer = client.get(site.at("/a"), headers={"If-None-Match": '"0"'}, accept=HTML_TYPES)
        assert (answer.status, answer.body, answer.headers["etag"]) == (200, b"hello", '"1"')
        assert answer.media_type == "text/html"
        path, asked = site.requests[0]
        assert path == "/a"
        assert asked["user-agent"] == "LinkRec/0.1 (+https://example.org/)"
        assert asked["if-none-match"] == '"0"'
        assert asked["accept"].startswith("text/html")
        assert asked["accept-encoding"] == "gzip, deflate"


@pytest.mark.parametrize("status", [204, 304, 400, 404, 410, 500])
def test_any_status_is_an_answer(client: HttpClient, status: int) -> None:
    with serve({"/a": (status, {}, "")}) as site:
        assert client.get(site.at("/a")).status == status


def test_connections_are_kept(client: HttpClient) -> None:
    ports: set[int] = set()

    def note_port(handler: Handler) -> None:
        ports.add(handler.client_address[1])
        handler.answer(200 if len(handler.site.requests) % 2 else 404, {}, b"x")

    with serve(fallback=note_port) as site:
        for number in range(6):
            client.get(site.at(f"/{number}"))
    assert len(ports) == 1


def test_redirects_are_followed_and_remembered(client: HttpClient) -> None:
    with serve(
        {"/a": redirect("/b"), "/b": redirect("c’s".encode().decode("latin-1"), 308), "/c%E2%80%99s": "end"}
    ) as site:
        answer = client.get(site.at("/a"))
        assert answer.final_url == site.at("/c%E2%80%99s")
        assert answer.redirects == (site.at("/a"), site.at("/b"))
        first = client.get(site.at("/a"), follow_redirects=False)
        assert first.is_redirect
        assert first.location == site.at("/b")


def test_a_circle_and_an_endless_chain_end(client: HttpClient) -> None:
    def onward(handler: Handler) -> None:
        handler.answer(302, {"Location": f"/{int(handler.path[1:]) + 1}"}, b"")

    with serve({"/a": redirect("/b"), "/b": redirect("/a")}, fallback=onward) as site:
        with pytest.raises(TooManyRedirects, match="circle"):
            client.get(site.at("/a"))
        with pytest.raises(TooManyRedirects, match="more than 10 times"):
            client.get(site.at("/0"))
        assert len(site.requests) < 20


@pytest.mark.parametrize(
    "to", ["javascript:alert(1)", "file:///etc/passwd", "http://user:secret@127.0.0.1/", "http://["]
)
def test_a_redirect_to_what_is_no_web_address(client: HttpClient, to: str) -> None:
    with serve({"/a": redirect(to)}) as site, pytest.raises(BadResponse, match="not http"):
        client.get(site.at("/a"))


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost:{port}/",
        "http://127.1:{port}/",
        "http://2130706433:{port}/",
        "http://0.0.0.0:{port}/",
        "http://[::1]:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://[::]:{port}/",
        "http://10.0.0.1/",
    ],
)
def test_private_addresses_are_refused_directly_and_behind_a_redirect(client: HttpClient, url: str) -> None:
    with serve({"/": "secret"}) as inner, serve() as outer:
        forbidden = url.format(port=inner.port)
        outer.answers["/a"] = redirect(forbidden)
        for start in (forbidden, outer.at("/a")):
            with pytest.raises(AddressRefused, match="LINKREC_ALLOWED_PRIVATE_HOSTS"):
                client.get(start)
        assert not inner.requests


def test_the_address_connected_to_is_what_counts(monkeypatch: pytest.MonkeyPatch, client: HttpClient) -> None:
    """A name that resolves to a public address first and to loopback next, as in DNS rebinding."""
    import socket

    with serve({"/": "secret"}) as site:
        loopback = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", site.port))
        monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: [loopback])
        with pytest.raises(AddressRefused, match=r"evil\.example"):
            client.get(f"http://evil.example:{site.port}/")
        assert not site.requests


def test_credentials_stay_on_their_origin(client: HttpClient) -> None:
    secret = {"Authorization": "Basic c2VjcmV0", "Cookie": "a=b", "X-Token": "t"}
    with serve({"/": "other"}) as other, serve() as site:
        site.answers["/a"] = redirect(other.url)
        site.answers["/b"] = redirect("/c")
        site.answers["/c"] = "same"
        client.get(site.at("/a"), headers=secret)
        client.get(site.at("/b"), headers=secret)
        assert not {"authorization", "cookie", "x-token"} & set(other.requests[0][1])
        assert site.requests[-1][1]["authorization"] == "Basic c2VjcmV0"


def test_no_cookie_is_kept_and_no_environment_asked(monkeypatch: pytest.MonkeyPatch, client: HttpClient) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1/")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1/")

    def storm(handler: Handler) -> None:
        handler.send_response(200)
        for number in range(80):
            handler.send_header("Set-Cookie", f"c{number}={'x' * 1000}; Path=/")
        handler.send_header("Content-Length", "2")
        handler.end_headers()
        handler.wfile.write(b"ok")

    with serve({"/a": storm}) as site:
        client.get(site.at("/a"))
        assert client.get(site.at("/a")).body == b"ok"
        assert "cookie" not in site.requests[1][1]


def test_bodies_of_other_types_are_left_unread(client: HttpClient) -> None:
    with serve({"/a": (200, {"Content-Type": "video/mp4"}, b"\0" * 1000)}) as site:
        answer = client.get(site.at("/a"), accept=HTML_TYPES)
        assert answer.body == b""
        assert not answer.is_body_read


def endless_body(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.send_header("Connection", "close")
    handler.end_headers()
    while not handler.site.ended.is_set():
        handler.wfile.write(b"<p>x</p>" * 8192)


def declared_two_gigabytes(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.send_header("Content-Length", str(2 * 1024**3))
    handler.end_headers()
    handler.wfile.write(b"<p>")
    handler.site.ended.wait(5)


def gzip_bomb(handler: Handler) -> None:
    bomb = gzip.compress(gzip.compress(b"\0" * (32 * 1024 * 1024)))
    handler.answer(200, {"Content-Encoding": "gzip, gzip"}, bomb)


def redirect_with_endless_body(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 302 Found\r\nLocation: /b\r\nConnection: close\r\n\r\n")
    while not handler.site.ended.is_set():
        handler.wfile.write(b"x" * 65536)


def test_the_body_of_a_redirect_is_not_read(client: HttpClient) -> None:
    with serve({"/a": redirect_with_endless_body, "/b": "end"}) as site:
        assert client.get(site.at("/a")).body == b"end"


@pytest.mark.parametrize("attack", [endless_body, declared_two_gigabytes, gzip_bomb])
def test_bodies_end_at_the_limit(attack: Callable[[Handler], None]) -> None:
    policy = FetchPolicy(total_seconds=20.0, idle_seconds=5.0, retry_wait_seconds=0.01)
    too_large = pytest.raises(BodyTooLarge, match="larger than 1 MB")
    with serve({"/a": attack}) as site, new_client(policy) as client, too_large:
        client.get(site.at("/a"), max_bytes=1024 * 1024)


def a_byte_at_a_time(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    drip(handler)


def headers_without_end(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    drip(handler)


def continue_for_ever(handler: Handler) -> None:
    while not handler.site.ended.is_set():
        handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        time.sleep(0.01)


def silence(handler: Handler) -> None:
    handler.site.ended.wait(20)


def drip(handler: Handler) -> None:
    while not handler.site.ended.wait(0.1):
        handler.wfile.write(b"x")
        handler.wfile.flush()


@pytest.mark.parametrize("attack", [a_byte_at_a_time, headers_without_end, continue_for_ever, silence])
def test_slow_servers_meet_the_deadline(client: HttpClient, attack: Callable[[Handler], None]) -> None:
    with serve({"/a": attack}) as site:
        started = time.monotonic()
        with pytest.raises(FetchTimedOut, match="within 1 seconds"):
            client.get(site.at("/a"))
        assert time.monotonic() - started < 4.0


def header_flood(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(100_000):
        handler.wfile.write(b"X-%d: y\r\n" % number)


def one_huge_header(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Big: " + b"y" * 5_000_000 + b"\r\n\r\n")


def no_http(handler: Handler) -> None:
    handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n" * 3)
    handler.close_connection = True


def broken_chunks(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello")
    handler.close_connection = True


def damaged_gzip(handler: Handler) -> None:
    handler.answer(200, {"Content-Encoding": "gzip"}, b"\x1f\x8b\x08 this is not gzip")


@pytest.mark.parametrize("attack", [header_flood, one_huge_header, no_http, broken_chunks, damaged_gzip])
def test_what_is_not_http_is_said_to_be_so(client: HttpClient, attack: Callable[[Handler], None]) -> None:
    with serve({"/a": attack}) as site, pytest.raises(BadResponse, match=r"/a gave an answer that is not valid HTTP"):
        client.get(site.at("/a"))


def test_a_broken_connection_is_tried_again(client: HttpClient) -> None:
    def hang_up_once(handler: Handler) -> None:
        if len(handler.site.requests) == 1:
            handler.close_connection = True
            return
        handler.answer(200, {}, b"second")

    with serve({"/a": hang_up_once}) as site:
        assert client.get(site.at("/a")).body == b"second"


def test_nobody_there() -> None:
    with serve() as site:
        url = site.url
    with new_client() as client, pytest.raises(SiteUnreachable, match=r"no connection .* Check that the site is up"):
        client.get(url)


def test_an_unknown_host(client: HttpClient) -> None:
    with pytest.raises(SiteUnreachable, match="host name is not known"):
        client.get("http://no-such-host.invalid/")


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_given_the_time_it_asks_for(client: HttpClient, status: int) -> None:
    def busy_twice(handler: Handler) -> None:
        tries = len(handler.site.requests)
        handler.answer(status if tries < 3 else 200, {"Retry-After": "1"} if tries == 1 else {}, b"ok")

    with serve({"/a": busy_twice}) as site:
        started = time.monotonic()
        assert client.get(site.at("/a")).status == 200
        assert 1.0 <= time.monotonic() - started < 4.0


def test_a_busy_server_that_asks_for_hours_is_left_alone(client: HttpClient) -> None:
    with serve({"/a": (503, {"Retry-After": "Fri, 31 Dec 2099 23:59:59 GMT"}, "")}) as site:
        assert client.get(site.at("/a")).status == 503
        assert len(site.requests) == 1


def test_starts_are_spaced_over_all_threads() -> None:
    times: list[float] = []

    def note_time(handler: Handler) -> None:
        times.append(time.monotonic())
        handler.answer(200, {}, b"")

    with serve(fallback=note_time) as site, new_client(pacer=Pacer(0.1)) as client:
        threads = [threading.Thread(target=client.get, args=(site.at(f"/{n}"),)) for n in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert max(times) - min(times) > 0.35


def test_a_stopped_client_fetches_nothing() -> None:
    with serve({"/": "x"}) as site:
        client = new_client()
        client.close()
        with pytest.raises(FetchError, match="stopped"):
            client.get(site.url)
        assert not site.requests


@pytest.fixture
def tls_site() -> Iterator[LoopbackSite]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with serve({"/": "safe", "/slow": a_byte_at_a_time, "/endless": endless_body}, tls=context) as site:
        yield site


def test_tls_certificates_are_checked(tls_site: LoopbackSite, client: HttpClient) -> None:
    with pytest.raises(SiteUnreachable, match="certificate"):
        client.get(f"https://127.0.0.1:{tls_site.port}/")
    assert not tls_site.requests


def test_limits_hold_behind_tls(tls_site: LoopbackSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    tls_context.cache_clear()
    monkeypatch.setattr("crawler.guarded_transport.tls_context", tls_context.__wrapped__)
    with new_client() as client:
        assert client.get(f"https://127.0.0.1:{tls_site.port}/").body == b"safe"
        with pytest.raises(FetchTimedOut):
            client.get(f"https://127.0.0.1:{tls_site.port}/slow")
        with pytest.raises(BodyTooLarge):
            client.get(f"https://127.0.0.1:{tls_site.port}/endless", max_bytes=100_000)
