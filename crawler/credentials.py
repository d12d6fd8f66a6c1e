"""What a staging site or a WordPress asks for before it shows its pages: kept encrypted, shown to nobody again.

The key is derived from Django's SECRET_KEY: who has the database alone cannot read them, and a new SECRET_KEY makes
them unreadable, which is said plainly. Leaves sending them, to their own origin alone, to http.py.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

from crawler.errors import CrawlError
from crawler.models import Site

_PURPOSE = b"linkrec site credentials"


class CredentialsUnreadable(CrawlError):
    """They were stored under another SECRET_KEY."""


@dataclass(frozen=True, slots=True, repr=False)
class Credentials:
    """A user name and password for HTTP basic authentication, and headers that every request to the site carries."""

    username: str = ""
    password: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.username or self.password or self.headers)

    def request_headers(self) -> dict[str, str]:
        """The headers that a request to the site's own origin carries."""
        headers = dict(self.headers)
        if self.username or self.password:
            pair = f"{self.username}:{self.password}".encode()
            headers["Authorization"] = f"Basic {base64.b64encode(pair).decode()}"
        return headers


def read_credentials(site: Site) -> Credentials:
    """The site's credentials, empty where none are stored. Raises CredentialsUnreadable."""
    if not site.encrypted_credentials:
        return Credentials()
    try:
        plain = _cipher().decrypt(site.encrypted_credentials.encode())
    except InvalidToken as error:
        raise CredentialsUnreadable(
            f"The password and headers of {site.name} cannot be read: LINKREC_SECRET_KEY is not the one that they were "
            "stored under. Enter them again in the site's settings."
        ) from error
    return Credentials(**json.loads(plain))


def store_credentials(site: Site, credentials: Credentials) -> None:
    """Keep the credentials on the site's row, or none where they are empty. Saves that column."""
    plain = json.dumps(asdict(credentials) | {"headers": dict(credentials.headers)}).encode()
    site.encrypted_credentials = _cipher().encrypt(plain).decode() if credentials else ""
    site.save(update_fields=["encrypted_credentials"])


def _cipher() -> Fernet:
    key = hashlib.blake2b(settings.SECRET_KEY.encode(), digest_size=32, person=_PURPOSE[:16]).digest()
    return Fernet(base64.urlsafe_b64encode(key))
