"""Says in one sentence why a request failed: the library's exceptions as ours. Leaves the request to http.py."""

import requests

from crawler.errors import BadResponse, FetchError, FetchTimedOut, SiteUnreachable

#: Names of the standard library's exceptions for bytes that are not HTTP.
_NOT_HTTP = frozenset({"HTTPException", "BadStatusLine", "LineTooLong", "UnknownProtocol", "IncompleteRead"})


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
