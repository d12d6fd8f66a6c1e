"""Sends notices by e-mail, where LINKREC_EMAIL_URL names a server. A mail that fails costs a retry and nothing else.

Each try is claimed by one UPDATE that puts the next one off, so that two workers do not send the same mail, and one
that was killed while sending is made up for. Leaves the sentences to whoever wrote the notice.
"""

import logging
from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.utils import timezone

from accounts.models import Notice, NoticeKind

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 6
#: Between two tries, doubled each time: the last one is half an hour after the first.
FIRST_WAIT = timedelta(minutes=1)
#: Sent in one go, so that a worker is back at its queue soon.
AT_ONCE = 20
_SUBJECTS = {
    NoticeKind.DONE: "{name} was read",
    NoticeKind.FAILED: "The run of {name} failed",
    NoticeKind.HELD: "{name} lost many pages: please look",
}


def is_mail_set_up() -> bool:
    """Whether a mail server is named."""
    return bool(settings.LINKREC_EMAIL_URL)


def send_due_mails() -> int:
    """Send what is due; how many mails went out. After a failure the rest waits for the next call."""
    if not is_mail_set_up():
        return 0
    due = (
        Notice.objects.filter(mail_due_at__lte=timezone.now()).select_related("person", "site").order_by("mail_due_at")
    )
    sent = 0
    for notice in due[:AT_ONCE]:
        if not _claim(notice):
            continue
        try:
            _mail_of(notice).send()
        except (OSError, SMTPException, ValueError) as error:
            logger.warning("The mail to %s about %s was not sent: %s", notice.person, notice.site.name, error)
            break
        Notice.objects.filter(pk=notice.pk).update(mail_due_at=None)
        sent += 1
    return sent


def _claim(notice: Notice) -> bool:
    """Put the next try off before this one; the last try has none after it."""
    attempts = notice.mail_attempts + 1
    due_at = timezone.now() + FIRST_WAIT * 2 ** (attempts - 1) if attempts < MAX_ATTEMPTS else None
    seen = Notice.objects.filter(pk=notice.pk, mail_attempts=notice.mail_attempts, mail_due_at=notice.mail_due_at)
    return bool(seen.update(mail_attempts=attempts, mail_due_at=due_at))


def _mail_of(notice: Notice) -> EmailMessage:
    # On one line: a header that a name could break in two would be another header.
    name = " ".join(notice.site.name.split())
    body = f"{notice.text}\n\n{settings.LINKREC_PUBLIC_URL}/sites/{notice.site_id}/\n"
    return EmailMessage(
        subject=_SUBJECTS[NoticeKind(notice.kind)].format(name=name),
        body=body,
        to=[notice.person.email],
        headers={"Auto-Submitted": "auto-generated"},
        connection=get_connection(),
    )
