"""Django admin: API tokens can be seen and revoked here, never read or made."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.forms import AdminLoginForm
from accounts.models import ApiToken

admin.site.login_form = AdminLoginForm
admin.site.site_header = admin.site.site_title = "linkrec"
admin.site.index_title = "Data"


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "user", "created_at", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("name", "user__username")
    fields = ("name", "user", "created_at", "last_used_at")
    readonly_fields = ("user", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # `manage.py create_api_token` prints the token once
