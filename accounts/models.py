"""Access: API tokens, stored hashed, and failed logins. Roles per site come with the editors' workplace."""

from django.conf import settings
from django.db import models


class ApiToken(models.Model):
    """A bearer token for the export API. The token itself is shown once and never stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    token_sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class LoginFailure(models.Model):
    """One failed login of the last minutes; older ones are deleted with the next (see `login_throttle`)."""

    key = models.CharField(max_length=64, help_text="SHA-256 of client address and account name.")
    failed_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        indexes = (models.Index(fields=("key", "failed_at")),)

    def __str__(self) -> str:
        return f"failed login of {self.failed_at}"
