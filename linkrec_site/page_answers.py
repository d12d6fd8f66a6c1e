"""What every HTML answer has in common: browsers read it anew, and a refused method gets a page with a sentence.

Leaves the policy header to `security_headers`, and what pages say to their views.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import render


def page_answers(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            allowed = response.headers["Allow"]
            response = render(request, "405.html", {"method": request.method}, status=405)
            response.headers["Allow"] = allowed
        if response.headers.get("Content-Type", "").startswith("text/html"):
            # Suggestions are decided by several people: Back would show a state that is gone.
            response.headers.setdefault("Cache-Control", "no-store, private")
        return response

    return middleware
