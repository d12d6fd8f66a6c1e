"""What a hostile server may answer, one function or body for each attack. Leaves what must come of it to the tests."""

import gzip
import random
import time
import zlib
from collections.abc import Callable

from tests.crawler.loopback import Answer, Handler, page

MEGABYTE = 1024 * 1024
HTML = b"Content-Type: text/html\r\n"


def raw(*pieces: bytes) -> Callable[[Handler], None]:
    """Bytes as they are instead of an answer, and the end of the connection."""

    def answer(handler: Handler) -> None:
        for piece in pieces:
            handler.wfile.write(piece)
        handler.close_connection = True

    return answer


def drip(*before: bytes, piece: bytes = b"x") -> Callable[[Handler], None]:
    """A start, then a byte at a time for ever."""

    def answer(handler: Handler) -> None:
        for start in before:
            handler.wfile.write(start)
        while not handler.site.ended.wait(0.1):
            handler.wfile.write(piece)

    return answer


def pour(before: bytes, piece: bytes) -> Callable[[Handler], None]:
    """A start, then the piece as fast as it is taken, for ever."""

    def answer(handler: Handler) -> None:
        handler.wfile.write(before)
        while not handler.site.ended.is_set():
            handler.wfile.write(piece)

    return answer


def packed(encoding: str, body: bytes) -> Answer:
    return 200, {"Content-Encoding": encoding}, body


def silence(handler: Handler) -> None:
    handler.site.ended.wait(20)


def wait_and_hang_up(handler: Handler) -> None:
    handler.site.ended.wait(0.2)
    handler.close_connection = True


def no_end_of_continue(handler: Handler) -> None:
    while not handler.site.ended.is_set():
        handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        time.sleep(0.005)


def onward(handler: Handler) -> None:
    """A redirect to the next of 10,000 addresses."""
    place, _, number = handler.path.rpartition("-")
    if int(number) >= 10_000:
        handler.answer(200, {}, page("The end").encode())
    else:
        handler.answer(302, {"Location": f"{place}-{int(number) + 1}"}, b"")


def set_cookie_storm(count: int) -> Callable[[Handler], None]:
    def answer(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        for number in range(count):
            handler.send_header("Set-Cookie", f"c{number}={'x' * 900}; Path=/; Domain=127.0.0.1")
        body = page("Cookies").encode()
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def with_length(body: bytes, declared: str) -> Callable[[Handler], None]:
    return raw(b"HTTP/1.1 200 OK\r\n" + HTML + f"Content-Length: {declared}\r\n\r\n".encode(), body)


def chunked(*body: bytes) -> Callable[[Handler], None]:
    return raw(b"HTTP/1.1 200 OK\r\n" + HTML + b"Transfer-Encoding: chunked\r\n\r\n", *body)


def redirect(location: str, status: int = 302) -> Answer:
    return status, {"Location": location}, ""


TEXT = b"<html><head><title>T</title></head><body><p>There is a sentence on this page, and here is its end.</p>"
NOISE = random.Random(4).randbytes(20_000)
ZEROS = b"<p>" + b"\0" * (32 * MEGABYTE)
GIGABYTES = 2 * 1024 * MEGABYTE
STATUS = b"HTTP/1.1 200 OK\r\n"

#: name: (what is answered, status of the page's row, words of its reason)
PAGES: dict[str, tuple[Answer, str, str]] = {
    "gzip bomb": (packed("gzip", gzip.compress(ZEROS)), "skipped", "too large: .* 10 MB"),
    "gzip of gzip": (
        packed("gzip, gzip", gzip.compress(gzip.compress(ZEROS))),
        "skipped",
        "too large: .* 10 MB",
    ),
    "gzip members": (packed("gzip", gzip.compress(b"x " * MEGABYTE) * 40), "skipped", "too large: .* 10 MB"),
    "deflate bomb": (packed("deflate", zlib.compress(ZEROS)), "skipped", "too large: .* 10 MB"),
    "ten encodings": (packed(", ".join(["gzip"] * 10), gzip.compress(b"x")), "failed", "not valid HTTP"),
    "damaged gzip": (packed("gzip", b"\x1f\x8b no gzip"), "failed", "its compressed data is damaged"),
    "gzip cut short": (packed("gzip", gzip.compress(NOISE)[:9000]), "", ""),
    "called brotli": (packed("br", NOISE), "skipped", "not a web page: its bytes are not text"),
    "called zstd": (packed("zstd", b"\x28\xb5\x2f\xfd" + NOISE), "skipped", "its bytes are not text"),
    "2 GB declared": (with_length(TEXT, str(GIGABYTES)), "skipped", "too large: .* 10 MB"),
    "2 GB undeclared": (
        pour(STATUS + HTML + b"Connection: close\r\n\r\n", TEXT * 500),
        "skipped",
        "too large: .* 10 MB",
    ),
    "2 GB chunked": (
        pour(
            STATUS + HTML + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"<p>x y z</p> xyz" * 4096 + b"\r\n"
        ),
        "skipped",
        "too large: .* 10 MB",
    ),
    "2 GB in one chunk": (
        pour(STATUS + HTML + b"Transfer-Encoding: chunked\r\n\r\n80000000\r\n", TEXT * 500),
        "skipped",
        "too large: .* 10 MB",
    ),
    "a body byte by byte": (
        drip(STATUS + HTML + b"Content-Length: 90000\r\n\r\n"),
        "failed",
        "timed out: .* 1 seconds",
    ),
    "headers byte by byte": (drip(STATUS + b"X-Slow: "), "failed", "timed out: .* 1 seconds"),
    "a status line byte by byte": (drip(b"HTTP/1.1 2"), "failed", "timed out: .* 1 seconds"),
    "chunks byte by byte": (
        drip(STATUS + HTML + b"Transfer-Encoding: chunked\r\n\r\n", piece=b"1\r\nx\r\n"),
        "failed",
        "timed out: .* 1 seconds",
    ),
    "silence": (silence, "failed", "timed out: .* 1 seconds"),
    "endless headers": (pour(STATUS, b"X-More: and more of it\r\n" * 100), "failed", "not valid HTTP"),
    "one endless header": (pour(STATUS + b"X-More: ", b"x" * 65536), "failed", "not valid HTTP"),
    "endless status line": (pour(b"HTTP/1.1 200 ", b"O" * 65536), "failed", "not valid HTTP"),
    "endless 100 Continue": (no_end_of_continue, "failed", "timed out: .* 1 seconds"),
    "10,000 redirects": (onward, "redirect", "redirects: to"),
    "a circle": (redirect("/attack"), "failed", "redirect loop: to itself"),
    "a line break in Location": (
        raw(b"HTTP/1.1 302 Found\r\nLocation: /good\r\n X: y\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n"),
        "redirect",
        "redirects: to",
    ),
    "escaped line breaks in Location": (redirect("/good%0d%0aX-Evil:%20y"), "redirect", "redirects: to .*%0D%0AX-Evil"),
    "Location to a file": (redirect("file:///etc/passwd"), "failed", "broken redirect: to no http address"),
    "Location of 100,000 letters": (redirect("/" + "x" * 60_000), "failed", "broken redirect: to no http address"),
    "invalid UTF-8": ((200, {}, TEXT + b"<p>Caf\xe9 \xff\xfe\xf8\x88\x80\x80\x80 and so on it goes.</p>"), "read", ""),
    "half of a surrogate": ((200, {}, TEXT + b"<p>\xed\xa0\x80 &#xD800; &#xDFFF; here it ends.</p>"), "read", ""),
    "broken UTF-16": (
        (200, {"Content-Type": "text/html"}, b"\xff\xfe" + b"\x00\xd8" * 3_000),
        "failed|skipped|read",
        "",
    ),
    "NUL bytes": ((200, {}, TEXT * 3 + b"<b title='\0'>\0</b> \0 It ends\0 here."), "read", ""),
    "NUL bytes alone": ((200, {}, b"\0" * 100_000), "skipped", "its bytes are not text"),
    "100,000 deep": ((200, {}, TEXT + b"<div>" * 100_000 + b"<p>The end of it."), "read", ""),
    "100,000 inline deep": ((200, {}, TEXT + b"<b><i>" * 50_000 + b"The end of it."), "read", ""),
    "100,000 lists deep": ((200, {}, TEXT + b"<ul><li>" * 50_000 + b"The end of it."), "read", ""),
    "100,000 links": ((200, {}, TEXT + b"".join(b"<a href=/l%d>y</a> " % n for n in range(100_000))), "read", ""),
    "a 10 MB attribute": ((200, {}, TEXT + b"<p title='" + b"x" * 9_990_000 + b"'>The end of it."), "read", ""),
    "a 9 MB address": ((200, {}, TEXT + b"<a href='/" + b"x" * 9_000_000 + b"'>a link</a>"), "read", ""),
    "100,000 attributes": ((200, {}, TEXT + b"<p " + b"a=1 " * 100_000 + b">The end of it."), "read", ""),
    "250,000 elements": ((200, {}, TEXT + b"<b>x</b> " * 100_000 + b"<i></i>" * 150_000), "read", ""),
    "150,000 sentences": ((200, {}, TEXT + b"<p>" + b"It is. " * 150_000), "read", ""),
    "80 cookies": (set_cookie_storm(80), "read", ""),
    "10,000 cookies": (set_cookie_storm(10_000), "failed", "not valid HTTP"),
    "chunks without a length": (chunked(b"zz\r\nhello"), "failed", "not valid HTTP"),
    "a negative chunk": (chunked(b"-5\r\nhello\r\n0\r\n\r\n"), "failed", "not valid HTTP|timed out|no connection"),
    "a chunk of 16 exabytes": (chunked(b"ffffffffffffffff\r\n" + TEXT), "failed", "not valid HTTP"),
    "chunks cut short": (chunked(b"ffff\r\n" + TEXT), "failed", "not valid HTTP"),
    "a length too long": (with_length(TEXT, "99999"), "failed", "bytes still to come"),
    "a length too short": (with_length(TEXT * 2, str(len(TEXT))), "read", ""),
    "a length that is none": (with_length(TEXT, "-1"), "read|failed", ""),
    "two lengths": (with_length(TEXT, f"3\r\nContent-Length: {len(TEXT)}"), "failed", "not valid HTTP"),
    "HTTP/0.9": (raw(TEXT), "failed", "its first line is no HTTP status"),
    "no HTTP": (raw(b"SSH-2.0-OpenSSH_9.2\r\n" * 3), "failed", "its first line is no HTTP status"),
    "a status of 999": (raw(b"HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n"), "failed", "HTTP 999"),
    "a status that is none": (raw(b"HTTP/1.1 abc OK\r\n\r\n"), "failed", "its first line is no HTTP status"),
    "hangs up": (wait_and_hang_up, "failed", "no connection: .*the server hung up without an answer"),
}
