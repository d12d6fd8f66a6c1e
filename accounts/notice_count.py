"""Gives every page the number of the person's unread notices, for its header's bell; asked only where it is shown."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.notices import unread_count


def notice_count(request: HttpRequest) -> dict[str, Any]:
    person = getattr(request, "user", None)
    if person is None or not person.is_authenticated:
        return {"unread_notices": 0}
    return {"unread_notices": SimpleLazyObject(lambda: unread_count(person))}
