"""How many times one may guess: failed logins counted by account name and client address, in the database.

A stranger locks out his own address, never the account; every web process sees the same count. Leaves the form's
words to `forms`.
"""

import hashlib
import ipaddress
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import LoginFailure

FAILURES_ALLOWED = 10
WAIT = timedelta(minutes=5)


def client_address(request: HttpRequest | None) -> str:
    """Whose connection this is; an IPv6 network of one household counts as one address.

    Behind the HTTPS proxy that the settings tell of, it is the last hop that the proxy wrote down: what stands before
    it is the client's own word, and without such a proxy the whole header is.
    """
    if request is None:
        return ""
    address = request.META.get("REMOTE_ADDR", "")
    if settings.SECURE_PROXY_SSL_HEADER:
        address = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip() or address
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return str(address)
    return str(ipaddress.ip_network((parsed, 64), strict=False) if parsed.version == 6 else parsed)


def is_barred(username: str, address: str) -> bool:
    """Whether this address has failed so often with this name that it has to wait."""
    since = timezone.now() - WAIT
    return LoginFailure.objects.filter(key=_key(username, address), failed_at__gt=since).count() >= FAILURES_ALLOWED


def note_failure(username: str, address: str) -> None:
    """Count a failed login, and drop every count that matters no more."""
    LoginFailure.objects.filter(failed_at__lte=timezone.now() - WAIT).delete()
    LoginFailure.objects.create(key=_key(username, address))


def forget_failures(username: str, address: str) -> None:
    """Begin anew after a right password."""
    LoginFailure.objects.filter(key=_key(username, address)).delete()


def _key(username: str, address: str) -> str:
    # A hash, so that a password typed as the name is not kept readable.
    return hashlib.sha256(f"{address}\n{username.casefold()}".encode()).hexdigest()
