"""The crawler's errors; `str(error)` is one sentence for people, with the URL and the next step.

CrawlError
 +-- BadStartUrl          an address that cannot be a site
 +-- SiteBusy             another process works on the site
 +-- NothingToRead        the site gave no page with text
 +-- CrawlHeld            too many pages were lost; a person has to confirm that
 +-- RobotsUnavailable    robots.txt answers with server errors
 +-- FetchError           one request that failed
      +-- SiteUnreachable     no connection: name, refusal, reset, TLS
      +-- FetchTimedOut       the deadline passed
      +-- BodyTooLarge        more bytes than allowed
      +-- TooManyRedirects    a loop, or too many hops
      +-- AddressRefused      a private or otherwise forbidden address
      +-- BadResponse         bytes that are not HTTP
      +-- RenderingFailed     a page that a browser could not open
"""


class CrawlError(Exception):
    """Base of all; catch this at the edge (command, job)."""


class BadStartUrl(CrawlError):
    """An address that cannot be a site."""


class SiteBusy(CrawlError):
    """Another process works on the site. `heard_of` changes as long as that process lives; empty while it waits."""

    def __init__(self, sentence: str, heard_of: str = "") -> None:
        super().__init__(sentence)
        self.heard_of = heard_of


class NothingToRead(CrawlError):
    """The site gave no page with text."""


class CrawlHeld(CrawlError):
    """Too many pages were lost: nothing is taken away until an admin confirms it."""


class RobotsUnavailable(CrawlError):
    """robots.txt answers with server errors."""


class FetchError(CrawlError):
    """One request that failed. `kind` is a short name for counting."""

    kind = "could not be fetched"


class SiteUnreachable(FetchError):
    kind = "no connection"
    is_worth_retrying = False


class FetchTimedOut(FetchError):
    kind = "timed out"


class BodyTooLarge(FetchError):
    kind = "too large"


class TooManyRedirects(FetchError):
    kind = "redirect loop"


class AddressRefused(FetchError):
    kind = "address refused"


class BadResponse(FetchError):
    kind = "broken answer"


class RenderingFailed(FetchError):
    kind = "rendering failed"
