"""What every address of the API shares: who gets in, errors in one sentence, the site of an address, parameters."""

from typing import Any

from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView, exception_handler

from accounts.access import visible_sites
from accounts.authentication import BearerTokenAuthentication
from crawler.models import Site


class JsonView(APIView):  # type: ignore[misc]
    """GET with a token or a session; answers and errors in JSON."""

    authentication_classes = (BearerTokenAuthentication, SessionAuthentication)
    permission_classes = (IsAuthenticated,)
    renderer_classes = (JSONRenderer,)
    http_method_names = ("get", "head", "options")

    def get_exception_handler(self) -> Any:
        return _one_sentence


def _one_sentence(error: Exception, context: dict[str, Any]) -> Response | None:
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, ValidationError):
        detail: Any = error.detail
        response.data = {"detail": str(detail[0] if isinstance(detail, list) else detail)}
    elif response.status_code == 401 and error.get_codes() == "not_authenticated":  # type: ignore[attr-defined]
        response.data = {"detail": "Send an API token as 'Authorization: Bearer TOKEN', or log in first."}
    return response


def find_site(request: Request, site_id: str) -> Site:
    is_number = site_id.isascii() and site_id.isdigit() and len(site_id) < 18
    site = visible_sites(request.user).filter(pk=int(site_id)).first() if is_number else None
    if site is None:
        raise NotFound(f"There is no site {site_id} that you may see. /api/v1/sites lists them.")
    return site


def refuse_unknown(request: Request, known: tuple[str, ...]) -> None:
    for name in request.query_params:
        if name not in known:
            raise ValidationError(f"{name!r} is no parameter here. Use {', '.join(known) or 'none'}.")


def whole_number(request: Request, name: str, default: int, largest: int) -> int:
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 12 and 1 <= int(text) <= largest):
        raise ValidationError(f"{name}={text!r} is not a whole number from 1 to {largest}.")
    return int(text)
