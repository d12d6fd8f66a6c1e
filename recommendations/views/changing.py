"""Views that change something: POST does it, GET leads to the page where its button stands."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

View = Callable[..., HttpResponse]


def post_or_go_to(page: View) -> Callable[[View], View]:
    """A form sent after the session ended comes back from the login as a GET: nothing is done, its page is shown."""

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: int, **kwargs: int) -> HttpResponse:
            if request.method == "POST":
                return view(request, *args, **kwargs)
            if request.method in ("GET", "HEAD"):
                return page(request, *args, **kwargs)
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])

        return answer

    return decorate
