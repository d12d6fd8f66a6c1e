"""Says in one sentence why a request failed: the library's exceptions as ours. Leaves the request to http.py."""

import errno
import http.client
import re
import zlib

import requests

from crawler.errors import BadResponse, FetchError, FetchTimedOut, SiteUnreachable

#: Names of the standard library's exceptions for bytes that are not HTTP.
_NOT_HTTP = frozenset(
    {"HTTPException", "BadStatusLine", "LineTooLong", "UnknownProtocol", "IncompleteRead", "InvalidHeader"}
)

_SYSTEM_WORDS = {
    errno.ECONNREFUSED: "the server refused it",
    errno.ECONNRESET: "the server broke it off",
    errno.ECONNABORTED: "it was broken off",
    errno.EPIPE: "the server closed it",
    errno.EHOSTUNREACH: "no way leads to the server",
    errno.ENETUNREACH: "no way leads to the server's network",
    errno.EADDRNOTAVAIL: "this machine has no address to connect from",
    errno.EMFILE: "this process holds too many open files",
}
#: What libraries put around their words: error numbers, names of their own files.
_INTERNALS = re.compile(r"\[Errno -?\d+\]\s*|\[SSL:[^\]]*\]\s*|\s*\(_ssl\.c:\d+\)|<[^<>]* object at 0x[0-9a-f]+>:?\s*")


def in_words(url: str, error: Exception, total_seconds: float) -> FetchError:
    """The library's exception as one of ours."""
    causes = [error]
    while cause := causes[-1].__cause__ or causes[-1].__context__:
        causes.append(cause)  # type: ignore[arg-type]
    names = {type(cause).__name__ for cause in causes}
    if isinstance(error, requests.Timeout | TimeoutError) or names & {"TimeoutError", "ReadTimeoutError"}:
        return FetchTimedOut(
            f"{url} did not answer in full within {total_seconds:g} seconds. Try again when the site is faster."
        )
    if isinstance(error, requests.exceptions.SSLError) or "SSLError" in names:
        return SiteUnreachable(
            f"{url} could not be read: its TLS certificate or connection is not valid ({_last_words(causes)}). "
            "Correct the certificate, or use the address that it is made for."
        )
    if "NameResolutionError" in names:
        return SiteUnreachable(
            f"{url} could not be read: its host name is not known. Check the spelling of the address."
        )
    if names & {"InvalidURL", "LocationParseError", "InvalidCodepoint"}:
        return SiteUnreachable(f"{url} could not be read: it is not a valid address. Check its spelling.")
    if isinstance(error, requests.ConnectionError | OSError) and not names & _NOT_HTTP:
        unreachable = SiteUnreachable(
            f"{url} could not be read: no connection ({_last_words(causes)}). Check that the site is up and try again."
        )
        unreachable.is_worth_retrying = True
        return unreachable
    return BadResponse(f"{url} gave an answer that is not valid HTTP ({_last_words(causes)}).")


def _last_words(causes: list[Exception]) -> str:
    """What went wrong at the innermost place, in a few words on one line."""
    for cause in reversed(causes):
        if said := _said_plainly(cause):
            return said
    text = next((str(cause) for cause in reversed(causes) if str(cause)), type(causes[0]).__name__)
    return " ".join(_INTERNALS.sub("", text).split())[:160]


def _said_plainly(cause: Exception) -> str:
    """Our words for what the operating system or the standard library says; "" where theirs will do."""
    if isinstance(cause, http.client.RemoteDisconnected):
        return "the server hung up without an answer"
    if isinstance(cause, http.client.IncompleteRead):
        missing = f" with {cause.expected} bytes still to come" if cause.expected else ""
        return f"it ended{missing}"
    if isinstance(cause, http.client.BadStatusLine):
        return "its first line is no HTTP status"
    if isinstance(cause, zlib.error):
        return "its compressed data is damaged"
    if isinstance(cause, OSError):
        return _SYSTEM_WORDS.get(cause.errno or 0, "")
    return ""
