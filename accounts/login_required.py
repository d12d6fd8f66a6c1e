"""Every page needs a login unless its view says otherwise, so that a new view cannot be forgotten."""

from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django_htmx.http import HttpResponseClientRedirect


class LoginRequired(LoginRequiredMiddleware):
    """Django's own, but a fragment asked for after the session ended sends the whole window to the login."""

    def handle_no_permission(  # type: ignore[override]
        self, request: HttpRequest, view_func: Any
    ) -> HttpResponseBase:
        htmx = getattr(request, "htmx", None)
        if not htmx:
            return super().handle_no_permission(request, view_func)
        back_to = htmx.current_url_abs_path or "/"
        redirect: HttpResponse = redirect_to_login(back_to, self.get_login_url(view_func))
        return HttpResponseClientRedirect(redirect["Location"])
