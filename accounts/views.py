"""Logging out; a visit of its address changes nothing. Leaves the rest to Django's views."""

from typing import Any

from django.conf import settings
from django.contrib.auth.views import LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


class Logout(LogoutView):
    """Only POST logs out; whoever comes here from the login, or by hand, goes to the sites."""

    http_method_names = ("get", "head", "post", "options")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return redirect(settings.LOGIN_REDIRECT_URL)
