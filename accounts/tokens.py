"""API tokens: made once, shown once, stored as a hash. Leaves asking for them to the API's authentication."""

import hashlib
import secrets
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import ApiToken

_PREFIX = "linkrec_"
_USE_NOTED_EVERY = timedelta(minutes=1)


def hash_token(token: str) -> str:
    # 256 random bits need no slow hash: there is nothing to guess.
    return hashlib.sha256(token.encode()).hexdigest()


def create_token(user: Any, name: str) -> str:
    """Store a new token of this person and return it: the only time that it can be read."""
    token = _PREFIX + secrets.token_urlsafe(32)
    ApiToken.objects.create(user=user, name=name, token_sha256=hash_token(token))
    return token


def find_token(token: str) -> ApiToken | None:
    """The stored token with its person, its use noted once a minute; None when it is unknown or barred."""
    found = ApiToken.objects.select_related("user").filter(token_sha256=hash_token(token)).first()
    if found is None or not found.user.is_active:
        return None
    now = timezone.now()
    if found.last_used_at is None or now - found.last_used_at > _USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=found.pk).update(last_used_at=now)
    return found
