"""The one HTTP client of the whole project: every request that leaves this machine goes through it.

Guards the address (guarded_transport), time, size, redirects and retries; keeps credentials on the origin that they
were meant for and no cookies at all. Leaves the meaning of what comes back to its callers.
"""

import email.utils
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
    SiteUnreachable,
    TooManyRedirects,
)
from crawler.fetch_faults import in_words
from crawler.fetched_page import FetchedPage, read_answer
from crawler.guarded_transport import LIMITS, GuardedAdapter
from crawler.pacing import Pacer
from crawler.site_access import SiteAccess
from crawler.url_normalization import origin_of

MEGABYTE = 1024 * 1024
PRODUCT = "LinkRec/0.1"
HTML_TYPES = ("text/html", "application/xhtml+xml")
_BUSY = frozenset({429, 503})
#: Headers that may follow a redirect to another origin; whatever else the caller set stays behind.
_HARMLESS = frozenset({"accept", "accept-language"})


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """How patient the client is."""

    total_seconds: float = 30.0
    idle_seconds: float = 10.0
    max_redirects: int = 10
    tries: int = 3
    retry_wait_seconds: float = 1.0
    longest_wait_seconds: float = 60.0


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
        self.user_agent = user_agent
        self._headers = {"User-Agent": user_agent, "Accept-Encoding": "gzip, deflate"}
        self._adapter = GuardedAdapter(guard)
        self._access = SiteAccess()

    def authorize(self, url: str, headers: Mapping[str, str], *, are_subdomains_included: bool = False) -> None:
        """Send these headers with every request to the URL's site, and to no other: see site_access."""
        self._access = SiteAccess(url, dict(headers), are_subdomains_included)

    def __enter__(self) -> "HttpClient":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Give all connections back and wake the waiting."""
        self.pacer.stop()
        self._adapter.close()

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
            answer = self._get_patiently(current, {**self._access.headers_for(current), **asked}, max_bytes, accept)
            if not follow_redirects or not answer.is_redirect:
                return replace(answer, url=url, redirects=tuple(left_behind))
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
                if answer.status not in _BUSY:
                    self.pacer.speed_up(host)
                    return answer
                self.pacer.slow_down(host)
                if attempt == self.policy.tries:
                    return answer
                wait = _retry_after(answer.headers) or wait
                if wait > self.policy.longest_wait_seconds:
                    return answer
            self.pacer.pause(host, wait)
        raise AssertionError("unreachable")

    def _exchange(self, url: str, headers: dict[str, str], max_bytes: int, accept: Sequence[str]) -> FetchedPage:
        """One request and its answer, within the limits."""
        policy = self.policy
        started = time.monotonic()
        LIMITS.start(policy.total_seconds, policy.idle_seconds, max_bytes)
        try:
            # The adapter, not a Session: that would keep cookies, ask the environment for proxies and passwords, and
            # read the body of a redirect to its end.
            request = requests.Request("GET", url, headers={**self._headers, **headers}).prepare()
            with self._adapter.send(request, stream=True, timeout=policy.idle_seconds) as response:
                answer = read_answer(url, response, max_bytes, accept)
                return replace(answer, seconds=time.monotonic() - started)
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
            raise in_words(url, error, policy.total_seconds) from error


def guarded_client(*, pacer: Pacer | None = None, policy: FetchPolicy | None = None) -> HttpClient:
    """The client with the guard and the name that the settings say."""
    return HttpClient(
        AddressGuard(settings.LINKREC_ALLOWED_PRIVATE_HOSTS),
        user_agent=f"{PRODUCT} (+{settings.LINKREC_CONTACT_URL})",
        pacer=pacer,
        policy=policy,
    )


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
