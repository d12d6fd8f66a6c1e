"""The login form, slowed down after repeated failures (see `login_throttle`)."""

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from accounts.login_throttle import FAILURES_ALLOWED, WAIT, client_address, forget_failures, is_barred, note_failure


class ThrottledLogin:
    """Refuses an account name from one address after ten failures, for five minutes."""

    request: Any
    cleaned_data: dict[str, Any]

    def clean(self) -> dict[str, Any]:
        who = self.cleaned_data.get("username") or "", client_address(self.request)
        if is_barred(*who):
            raise ValidationError(
                f"There were {FAILURES_ALLOWED} failed logins for this name. "
                f"Wait {WAIT.seconds // 60} minutes and try again."
            )
        try:
            cleaned: dict[str, Any] = super().clean()  # type: ignore[misc]
        except ValidationError:
            note_failure(*who)
            raise
        forget_failures(*who)
        return cleaned


class LoginForm(ThrottledLogin, AuthenticationForm):
    pass


class AdminLoginForm(ThrottledLogin, AdminAuthenticationForm):
    pass
