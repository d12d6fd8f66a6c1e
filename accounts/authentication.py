"""`Authorization: Bearer <token>` for the API. Leaves what the person may see to `access`."""

from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.tokens import find_token


class BearerTokenAuthentication(BaseAuthentication):  # type: ignore[misc]
    """Takes no part when the request has no Bearer header, so that a session may answer instead."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        found = find_token(token.strip()) if token.strip().isascii() else None
        if found is None:
            raise AuthenticationFailed(
                "This API token is unknown, revoked, or belongs to a deactivated account. "
                "Ask an admin for a new one (python manage.py create_api_token USER NAME)."
            )
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="linkrec"'
