"""Who may do what: every view and the API ask here, none decides by itself.

Today there are two roles, editor (any active account) and admin (is_staff); both see every site. Roles per site
change the answers given here and nothing else.
"""

from typing import Any

from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.db.models import QuerySet

from crawler.models import Site

Person = AbstractUser | AnonymousUser | Any


def visible_sites(user: Person) -> QuerySet[Site]:
    """The sites that this person may look at."""
    return Site.objects.all() if user.is_authenticated and user.is_active else Site.objects.none()


def can_decide(user: Person, site: Site) -> bool:
    """Accept, reject, edit and undo suggestions of the site."""
    return bool(user.is_authenticated and user.is_active)


def can_manage(user: Person, site: Site | None = None) -> bool:
    """Add a site (None), and crawl, stop or retry one."""
    return bool(user.is_authenticated and user.is_active and user.is_staff)
