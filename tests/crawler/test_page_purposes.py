"""Pages that are not for reading are kept with the reason why nothing leads there."""

import pytest

from crawler.models import Page
from tests.crawler.loopback import Answer, page, serve
from tests.crawler.test_crawl_site import crawl, reason

pytestmark = pytest.mark.django_db


def test_login_and_missing_pages_are_no_targets() -> None:
    login = "<html><title>Members</title><main><p>Welcome back.</p><form><input type=password name=p></form></main>"
    gone = "<html><title>Page not found</title><main><p>It has gone elsewhere.</p></main>"
    html = {"Content-Type": "text/html"}
    answers: dict[str, Answer] = {
        "/": page("Home", links={"/members": "m", "/old": "o"}),
        "/members": (200, html, login),
        "/old": (200, html, gone),
    }
    with serve(answers) as site:
        crawl(site)
        assert reason(site, "/") == ""
        assert reason(site, "/members") == "a login page"
        assert reason(site, "/old") == "says that the page was not found"
        assert Page.objects.filter(is_target=True).count() == 1
