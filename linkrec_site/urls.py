"""Which app answers which address."""

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path


@login_not_required
def favicon(request: HttpRequest) -> HttpResponse:
    """What browsers ask for beside answers that name no icon: the admin's pages, JSON, files."""
    return redirect(static("icon.svg"))


urlpatterns = [
    path("admin/", admin.site.urls),
    path("favicon.ico", favicon, name="favicon"),
    path("", include("accounts.urls")),
    path("", include("recommendations.urls")),
]
