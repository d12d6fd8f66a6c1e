"""The bell and the list behind it."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Notice
from tests.factories import make_site, make_user

pytestmark = pytest.mark.django_db


def tell(person: Any, text: str = "It was read.", **values: Any) -> Notice:
    return Notice.objects.create(person=person, site=make_site("Workshop"), kind="done", text=text, **values)


def test_the_bell_counts_what_is_unread_and_the_list_shows_all(as_editor: Client, editor: Any) -> None:
    assert 'class="bell-count"' not in as_editor.get("/").content.decode()
    tell(editor, "First <b>news</b>.")
    tell(editor, "Old news.", is_read=True)
    tell(make_user(), "Somebody else's.")
    assert '<span class="bell-count">1</span>' in as_editor.get("/").content.decode()
    body = as_editor.get("/notices/").content.decode()
    assert "First &lt;b&gt;news" in body
    assert "Old news." in body
    assert "Somebody else" not in body


def test_marking_one_and_all(as_editor: Client, editor: Any) -> None:
    notice = tell(editor)
    tell(editor)
    answer = as_editor.post(f"/notices/{notice.pk}/read/", {"is_read": "1"}, headers={"HX-Request": "true"})
    body = answer.content.decode()
    assert "Mark as unread" in body
    assert 'id="bell" hx-swap-oob="true"' in body
    assert '<span class="bell-count">1</span>' in body
    assert as_editor.post(f"/notices/{notice.pk}/read/", {"is_read": "0"})["Location"] == "/notices/"
    assert Notice.objects.filter(is_read=False).count() == 2
    as_editor.post("/notices/read/")
    assert not Notice.objects.filter(is_read=False).exists()


def test_nobody_marks_another_persons(as_editor: Client) -> None:
    notice = tell(make_user())
    assert as_editor.post(f"/notices/{notice.pk}/read/", {"is_read": "1"}).status_code == 404
    as_editor.post("/notices/read/")
    notice.refresh_from_db()
    assert not notice.is_read


def test_no_notices_yet(as_editor: Client) -> None:
    assert "Nothing yet." in as_editor.get("/notices/").content.decode()
