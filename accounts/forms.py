"""The login form, slowed down after repeated failures."""

import hashlib
from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.cache import cache
from django.core.exceptions import ValidationError

FAILURES_ALLOWED = 10
WAIT_SECONDS = 300


class ThrottledLogin:
    """Refuses an account name from one address after ten failures, for five minutes.

    The count lives in the process's cache: with several web processes the limit is that many times as high.
    """

    request: Any
    cleaned_data: dict[str, Any]

    def _throttle_key(self, username: str) -> str:
        address = self.request.META.get("REMOTE_ADDR", "") if self.request else ""
        return "login-failures-" + hashlib.sha256(f"{address}\n{username.casefold()}".encode()).hexdigest()

    def clean(self) -> dict[str, Any]:
        key = self._throttle_key(self.cleaned_data.get("username") or "")
        if cache.get(key, 0) >= FAILURES_ALLOWED:
            raise ValidationError(
                f"There were {FAILURES_ALLOWED} failed logins for this name. "
                f"Wait {WAIT_SECONDS // 60} minutes and try again."
            )
        try:
            cleaned: dict[str, Any] = super().clean()  # type: ignore[misc]
        except ValidationError:
            cache.add(key, 0, WAIT_SECONDS)
            cache.incr(key)
            raise
        cache.delete(key)
        return cleaned


class LoginForm(ThrottledLogin, AuthenticationForm):
    pass


class AdminLoginForm(ThrottledLogin, AdminAuthenticationForm):
    pass
