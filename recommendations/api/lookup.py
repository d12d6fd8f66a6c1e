"""What became of a URL, for programs."""

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from recommendations.api.json_view import JsonView, find_site, refuse_unknown
from recommendations.selectors_lookup import look_up, lookup_as_json


class LookupView(JsonView):
    """`url` is an address, its path, or a part of one."""

    def get(self, request: Request, site_id: str) -> Response:
        site = find_site(request, site_id)
        refuse_unknown(request, ("url",))
        asked = request.query_params.get("url", "").strip()
        if not asked:
            raise ValidationError("url= is missing. Give an address of the site, its path, or a part of one.")
        return Response(lookup_as_json(look_up(site, asked)))
