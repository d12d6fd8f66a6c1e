"""People's access by machine: API tokens, stored hashed. Roles per site come with the editors' workplace."""

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
