"""Notices by e-mail over a real SMTP server: sent once, tried again, and never in the way of a run."""

import socket
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone

from accounts.models import Notice
from accounts.notice_mails import MAX_ATTEMPTS, send_due_mails
from accounts.notices import mark_read, notices_of, unread_count, write_notices
from linkrec_site.env import email_from_url
from tests.factories import make_site, make_user

pytestmark = pytest.mark.django_db


class Postbox:
    """What the server was handed; `refuses` makes it say no."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refuses = False

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.refuses:
            return "451 The disk is full, come back later"
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        return "250 OK"


@pytest.fixture
def postbox(settings: Any) -> Iterator[Postbox]:
    box = Postbox()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    url = f"smtp://127.0.0.1:{port}"
    for name, value in {**email_from_url(url), "LINKREC_EMAIL_URL": url, "DEFAULT_FROM_EMAIL": "us@x.example"}.items():
        setattr(settings, name, value)
    yield box
    controller.stop()


def person_with(address: str = "edith@x.example") -> Any:
    person = make_user()
    person.email = address
    person.save()
    return person


def test_a_notice_is_mailed_once_to_those_with_an_address(postbox: Postbox) -> None:
    site = make_site("Münchner\nWerkstatt: täglich")
    write_notices([person_with(), person_with("")], site, "failed", "Der Lauf schlug fehl: ‘nichts’.")
    assert Notice.objects.count() == 2
    assert send_due_mails() == 1
    assert send_due_mails() == 0
    (mail,) = postbox.mails
    assert mail["Subject"] == "The run of Münchner Werkstatt: täglich failed"
    assert (mail["To"], mail["From"], mail["Auto-Submitted"]) == ("edith@x.example", "us@x.example", "auto-generated")
    assert "Der Lauf schlug fehl: ‘nichts’." in mail.get_content()
    assert f"http://127.0.0.1:8000/sites/{site.pk}/" in mail.get_content()


def test_a_refused_mail_is_tried_again_later_and_given_up_in_the_end(postbox: Postbox) -> None:
    postbox.refuses = True
    write_notices([person_with()], make_site(), "done", "It was read.")
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert send_due_mails() == 0
        notice = Notice.objects.get()
        assert notice.mail_attempts == attempt
        assert (notice.mail_due_at is None) == (attempt == MAX_ATTEMPTS)
        if notice.mail_due_at:
            assert notice.mail_due_at > timezone.now()
            assert send_due_mails() == 0
            Notice.objects.update(mail_due_at=timezone.now() - timedelta(seconds=1))
    postbox.refuses = False
    assert send_due_mails() == 0


def test_a_mail_that_was_put_off_goes_out(postbox: Postbox) -> None:
    postbox.refuses = True
    write_notices([person_with()], make_site(), "done", "It was read.")
    send_due_mails()
    postbox.refuses = False
    Notice.objects.update(mail_due_at=timezone.now() - timedelta(seconds=1))
    assert send_due_mails() == 1
    assert len(postbox.mails) == 1


def test_a_server_that_is_not_there_fails_nothing(postbox: Postbox, settings: Any) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        settings.EMAIL_PORT = probe.getsockname()[1]
    write_notices([person_with()], make_site(), "done", "It was read.")
    assert send_due_mails() == 0
    assert unread_count(Notice.objects.get().person) == 1


@pytest.mark.parametrize("url", ["mail.example.com", "http://mail.example.com", "smtp://"])
def test_what_is_no_mail_server_is_named(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="LINKREC_EMAIL_URL begins with"):
        email_from_url(url)


def test_ports_and_encryption_of_mail_servers() -> None:
    plain, tls, ssl = (
        email_from_url(f"{scheme}://a%40b:c%2Fd@x.example") for scheme in ("smtp", "smtp+tls", "smtp+ssl")
    )
    assert [config["EMAIL_PORT"] for config in (plain, tls, ssl)] == [25, 587, 465]
    assert (tls["EMAIL_USE_TLS"], ssl["EMAIL_USE_SSL"]) == (True, True)
    assert (plain["EMAIL_HOST_USER"], plain["EMAIL_HOST_PASSWORD"]) == ("a@b", "c/d")


def test_without_a_server_nothing_is_due() -> None:
    write_notices([person_with()], make_site(), "done", "It was read.")
    assert Notice.objects.get().mail_due_at is None
    assert send_due_mails() == 0


def test_notices_are_their_persons_own_and_go_after_three_months() -> None:
    site, one, other = make_site(), make_user(), make_user()
    write_notices([one, other], site, "done", "Old news.")
    Notice.objects.update(created_at=timezone.now() - timedelta(days=91))
    write_notices([one, other], site, "done", "It was read.")
    assert [notice.text for notice in notices_of(one)] == ["It was read."]
    mark_read(one)
    assert (unread_count(one), unread_count(other)) == (0, 1)
