"""Access: API tokens, stored hashed, and failed logins; what people are told. Roles per site come with the editors'
workplace.
"""

from django.conf import settings
from django.db import models

from crawler.models import Site


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


class NoticeKind(models.TextChoices):
    DONE = "done", "done"
    FAILED = "failed", "failed"
    HELD = "held", "waits for you"


class Notice(models.Model):
    """What one person is told once, here and, where `mail_due_at` is set, by e-mail as well (see `notice_mails`)."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=NoticeKind)
    text = models.TextField(help_text="Plain sentences.")
    is_read = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    mail_due_at = models.DateTimeField(null=True, blank=True, db_index=True, help_text="Empty: nothing to send.")
    mail_attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("person", "is_read")),)

    def __str__(self) -> str:
        return self.text


class SiteFollower(models.Model):
    """A person who wants to be told when a run ends that the site's schedule has started."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="followers")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("person", "site"), name="follower_once"),)

    def __str__(self) -> str:
        return f"{self.person} follows {self.site}"
