"""Credentials of a site are kept unreadable to who has the database alone."""

import pytest
from django.test import override_settings

from crawler.credentials import Credentials, CredentialsUnreadable, read_credentials, store_credentials
from crawler.models import Site

pytestmark = pytest.mark.django_db


@pytest.fixture
def site() -> Site:
    return Site.objects.create(name="Staging", start_url="https://staging.example.com/")


def test_what_is_stored_comes_back_and_stands_nowhere_in_the_row(site: Site) -> None:
    store_credentials(site, Credentials("editor", "s3cret: ü", {"X-Staging": "token-1"}))
    stored = Site.objects.get(pk=site.pk)
    assert read_credentials(stored) == Credentials("editor", "s3cret: ü", {"X-Staging": "token-1"})
    assert not [word for word in ("s3cret", "editor", "token-1") if word in stored.encrypted_credentials]


def test_without_any_there_is_nothing_to_send(site: Site) -> None:
    assert read_credentials(site).request_headers() == {}
    store_credentials(site, Credentials("editor", "x"))
    store_credentials(site, Credentials())
    assert Site.objects.get(pk=site.pk).encrypted_credentials == ""


def test_the_header_is_that_of_basic_authentication(site: Site) -> None:
    # The example of RFC 7617, section 2.
    headers = Credentials("Aladdin", "open sesame", {"X-Key": "1"}).request_headers()
    assert headers == {"Authorization": "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "X-Key": "1"}


def test_another_secret_key_says_what_to_do(site: Site) -> None:
    store_credentials(site, Credentials("editor", "x"))
    with override_settings(SECRET_KEY="another one"), pytest.raises(CredentialsUnreadable, match="Enter them again"):
        read_credentials(site)


def test_they_are_shown_in_no_trace() -> None:
    assert "s3cret" not in repr(Credentials("editor", "s3cret"))
