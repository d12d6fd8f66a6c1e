"""The one HTTP client of the whole project: every request that leaves this machine goes through it.

Guards the address (guarded_transport), time, size, redirects and retries; keeps credentials on the origin that they
were meant for and no cookies at all. Leaves the meaning of what comes back to its callers.
"""

import email.utils
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import urlsplit

import requests
import urllib3.exceptions
from django.conf import settings

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
from crawler.guarded_transport import LIMITS, GuardedAdapter
from crawler.pacing import Pacer
from crawler.url_normalization import DEFAULT_PORTS, normalize_url, origin_of

MEGABYTE = 1024 * 1024
PRODUCT = "LinkRec/0.1"
REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BUSY = frozenset({429, 503})
#: Headers that may follow a redirect to another origin; whatever else the caller set stays behind.
_HARMLESS = frozenset({"accept", "accept-language"})
#: An answer without use of its body is read this far to keep the connection, and cut beyond.
_DRAINED_BYTES = 64 * 1024
#: Names of the standard library's exceptions for bytes that are not HTTP.
_NOT_HTTP = frozenset({"HTTPException", "BadStatusLine", "LineTooLong", "UnknownProtocol", "IncompleteRead"})


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """How patient the client is."""

    total_seconds: float = 30.0
    idle_seconds: float = 10.0
    max_redirects: int = 10
    tries: int = 3
    retry_wait_seconds: float = 1.0
    longest_wait_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """One answer. `url` was asked for, `final_url` answered after `redirects` (every URL that was left behind)."""

    url: str
    final_url: str
    status: int
    headers: dict[str, str]  # names in lower case
    body: bytes
    redirects: tuple[str, ...] = ()
    is_body_read: bool = True

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def location(self) -> str:
        """Where a redirect points, normalized; "" where this is none or the address is unusable."""
        if not self.is_redirect:
            return ""
        return normalize_url(_decode_header(self.headers["location"]), self.final_url)

    @property
    def is_redirect(self) -> bool:
        return self.status in REDIRECTS and "location" in self.headers


class HttpClient:
    """Fetches URLs; may be shared by threads. Use as a context manager, or call close()."""

    def __init__(
        self,
        guard: AddressGuard,
        *,
        user_agent: str = PRODUCT,
        pacer: Pacer | None = None,
        policy: FetchPolicy | None = None,
    ) -> None:
        self.guard = guard
        self.pacer = pacer or Pacer()
        self.policy = policy or FetchPolicy()
        self._user_agent = user_agent
        self._local = threading.local()
        self._sessions: list[requests.Session] = []
        self._lock = threading.Lock()

    def __enter__(self) -> "HttpClient":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Give all connections back and wake the waiting."""
        self.pacer.stop()
        with self._lock:
            for session in self._sessions:
                session.close()
            self._sessions.clear()

    def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        max_bytes: int = 10 * MEGABYTE,
        accept: Sequence[str] = (),
        follow_redirects: bool = True,
    ) -> FetchedPage:
        """The answer to GET. Raises FetchError; any HTTP status is an answer.

        `accept` names media types: the body of another type is left unread. `headers` go to the URL's origin alone.
        """
        asked = {"Accept": ", ".join([*accept, "*/*;q=0.1"]) if accept else "*/*", **(headers or {})}
        current = url
        left_behind: list[str] = []
        while True:
            answer = self._get_patiently(current, asked, max_bytes, accept)
            if not follow_redirects or not answer.is_redirect:
                return FetchedPage(
                    url, current, answer.status, answer.headers, answer.body, tuple(left_behind), answer.is_body_read
                )
            left_behind.append(current)
            following = answer.location
            _check_redirect(url, following, left_behind, self.policy.max_redirects)
            if origin_of(following) != origin_of(current):
                asked = {name: value for name, value in asked.items() if name.lower() in _HARMLESS}
            current = following

    def _get_patiently(self, url: str, headers: dict[str, str], max_bytes: int, accept: Sequence[str]) -> FetchedPage:
        """One URL, tried again where the server is busy or the connection broke."""
        host = urlsplit(url).netloc
        for attempt in range(1, self.policy.tries + 1):
            self.pacer.wait(host)
            if self.pacer.is_stopped:
                raise FetchError(f"{url} was not fetched: the crawl was stopped. Start it again to go on.")
            wait = self.policy.retry_wait_seconds * 2 ** (attempt - 1)
            try:
                answer = self._exchange(url, headers, max_bytes, accept)
            except SiteUnreachable as error:
                if attempt == self.policy.tries or not error.is_worth_retrying:
                    raise
            else:
                if answer.status not in _BUSY or attempt == self.policy.tries:
                    return answer
                wait = _retry_after(answer.headers) or wait
                if wait > self.policy.longest_wait_seconds:
                    return answer
            self.pacer.pause(host, wait)
        raise AssertionError("unreachable")

    def _exchange(self, url: str, headers: dict[str, str], max_bytes: int, accept: Sequence[str]) -> FetchedPage:
        """One request and its answer, within the limits."""
        policy = self.policy
        LIMITS.start(policy.total_seconds, policy.idle_seconds, max_bytes)
        try:
            response = self._session().get(
                url, headers=headers, stream=True, allow_redirects=False, timeout=policy.idle_seconds
            )
            with response:
                return _read_answer(url, response, max_bytes, accept)
        except AddressRefused as error:
            raise AddressRefused(
                f"{url} was refused: {error}, which is a private or special address. "
                "Name its host in LINKREC_ALLOWED_PRIVATE_HOSTS if it may be read."
            ) from error
        except BodyTooLarge as error:
            raise BodyTooLarge(
                f"{url} is larger than {max_bytes / MEGABYTE:g} MB, the most that is read of one address."
            ) from error
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            raise _in_words(url, error, policy) from error

    def _session(self) -> requests.Session:
        """This thread's session: keeps connections, no cookies, and asks no environment for proxies or passwords."""
        session: requests.Session | None = getattr(self._local, "session", None)
        if session is None:
            session = requests.Session()
            session.trust_env = False
            session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
            session.headers.clear()
            session.headers.update({"User-Agent": self._user_agent, "Accept-Encoding": "gzip, deflate"})
            for prefix in ("http://", "https://"):
                session.mount(prefix, GuardedAdapter(self.guard))
            self._local.session = session
            with self._lock:
                self._sessions.append(session)
        return session


def guarded_client(*, pacer: Pacer | None = None, policy: FetchPolicy | None = None) -> HttpClient:
    """The client with the guard and the name that the settings say."""
    return HttpClient(
        AddressGuard(settings.LINKREC_ALLOWED_PRIVATE_HOSTS),
        user_agent=f"{PRODUCT} (+{settings.LINKREC_CONTACT_URL})",
        pacer=pacer,
        policy=policy,
    )


def is_named_private(url: str) -> bool:
    """Whether the URL's host was named in LINKREC_ALLOWED_PRIVATE_HOSTS."""
    parts = urlsplit(url)
    port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
    return AddressGuard(settings.LINKREC_ALLOWED_PRIVATE_HOSTS).is_named(parts.hostname or "", port)


def _read_answer(url: str, response: requests.Response, max_bytes: int, accept: Sequence[str]) -> FetchedPage:
    headers = {name.lower(): value for name, value in response.headers.items()}
    status = response.status_code
    page = FetchedPage(url, url, status, headers, b"", is_body_read=False)
    is_wanted = status == 200 and (not accept or page.media_type in ("", *accept))
    if not is_wanted:
        _drain(response)
        return page
    declared = headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared[:18]) > max_bytes:
        raise BodyTooLarge("declared too large")
    chunks: list[bytes] = []
    size = 0
    while chunk := response.raw.read1(65536, decode_content=True):
        size += len(chunk)
        if size > max_bytes:
            raise BodyTooLarge("grew too large")
        chunks.append(chunk)
    return FetchedPage(url, url, status, headers, b"".join(chunks))


def _drain(response: requests.Response) -> None:
    """Read a short unwanted body so that the connection can be used again; let a long one go."""
    declared = response.headers.get("Content-Length", "")
    if declared.isdigit() and int(declared[:18]) <= _DRAINED_BYTES:
        response.raw.read(_DRAINED_BYTES, decode_content=False)


def _check_redirect(url: str, following: str, left_behind: list[str], max_redirects: int) -> None:
    if not following:
        raise BadResponse(f"{url} redirects to an address that is not http or https. Correct the redirect on the site.")
    if following in left_behind:
        raise TooManyRedirects(f"{url} redirects in a circle, back to {following}. Correct the redirect on the site.")
    if len(left_behind) > max_redirects:
        raise TooManyRedirects(
            f"{url} redirects more than {max_redirects} times, last to {following}. Correct the redirects on the site."
        )


def _retry_after(headers: Mapping[str, str]) -> float:
    """Seconds that Retry-After asks for, as a number or a date; 0 where it says nothing sensible."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _decode_header(value: str) -> str:
    """A header's text: HTTP says Latin-1, servers send UTF-8."""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def _in_words(url: str, error: Exception, policy: FetchPolicy) -> FetchError:
    """The library's exception as one of ours."""
    causes = [error]
    while cause := causes[-1].__cause__ or causes[-1].__context__:
        causes.append(cause)  # type: ignore[arg-type]
    names = {type(cause).__name__ for cause in causes}
    if isinstance(error, requests.Timeout | TimeoutError) or names & {"TimeoutError", "ReadTimeoutError"}:
        return FetchTimedOut(
            f"{url} did not answer in full within {policy.total_seconds:g} seconds. Try again when the site is faster."
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
    if isinstance(error, requests.ConnectionError | OSError) and not names & _NOT_HTTP:
        unreachable = SiteUnreachable(
            f"{url} could not be read: no connection ({_last_words(causes)}). Check that the site is up and try again."
        )
        unreachable.is_worth_retrying = True
        return unreachable
    return BadResponse(f"{url} gave an answer that is not valid HTTP ({_last_words(causes)}).")


def _last_words(causes: list[Exception]) -> str:
    """The innermost message, short and on one line."""
    text = next((str(cause) for cause in reversed(causes) if str(cause)), type(causes[0]).__name__)
    return " ".join(text.split())[:160]
