"""What people are told in the product: written, counted, marked as read. Leaves mails to `notice_mails`."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from accounts.access import visible_sites
from accounts.models import Notice
from accounts.notice_mails import is_mail_set_up
from crawler.models import Site

KEPT = timedelta(days=90)


def write_notices(people: Iterable[Any], site: Site, kind: str, text: str) -> None:
    """One notice for each of the people, to be mailed too where that is set up and they have an address."""
    now = timezone.now()
    is_mailed = is_mail_set_up()
    Notice.objects.bulk_create(
        Notice(person=person, site=site, kind=kind, text=text, mail_due_at=now if is_mailed and person.email else None)
        for person in people
    )
    Notice.objects.filter(created_at__lt=now - KEPT).delete()


def notices_of(person: Any) -> QuerySet[Notice]:
    """The person's notices of sites that they may still see, newest first."""
    return Notice.objects.filter(person=person, site__in=visible_sites(person)).select_related("site")


def unread_count(person: Any) -> int:
    """How many of them are unread."""
    return notices_of(person).filter(is_read=False).count()


def mark_read(person: Any, notice_id: int | None = None, *, is_read: bool = True) -> None:
    """Mark one of the person's notices, or all of them."""
    notices = Notice.objects.filter(person=person)
    if notice_id is not None:
        notices = notices.filter(pk=notice_id)
    notices.exclude(is_read=is_read).update(is_read=is_read)
