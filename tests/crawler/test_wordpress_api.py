"""Where the REST interface of a WordPress is: what real sites say of it, and what they do not."""

import json

import pytest

from crawler.http import guarded_client
from crawler.sources.wordpress.api import WordPressApi, WordPressError
from tests.crawler.loopback import Answer, serve

ROOT = {"name": "Blog", "home": "", "namespaces": ["oembed/1.0", "wp/v2"], "authentication": []}
JSON = {"Content-Type": "application/json"}
INTERFACE: Answer = (200, JSON, json.dumps(ROOT))
ELEMENT = '<!doctype html><html lang="de-DE"><head><link rel="https://api.w.org/" href="{}" /></head></html>'


def find(answers: dict[str, Answer], path: str = "/") -> tuple[str, WordPressApi]:
    with serve(answers) as site, guarded_client() as client:
        api = WordPressApi(client, site.at(path))
        return api.address.removeprefix(site.url.rstrip("/")), api


def test_the_pages_own_word_comes_first() -> None:
    address, api = find({"/": ELEMENT.format("/api/"), "/api/": INTERFACE, "/wp-json/": INTERFACE})
    assert (address, api.language) == ("/api/", "de-DE")
    head = {"Link": '</other/>; rel="shortlink", </api/>; rel="https://api.w.org/"'}
    assert find({"/": (200, head, "A page"), "/api/": INTERFACE})[0] == "/api/"


def test_the_word_of_a_page_leads_to_no_other_origin() -> None:
    with serve({"/": INTERFACE, "/wp-json/": INTERFACE}) as other:
        assert find({"/": ELEMENT.format(other.at("/wp-json/")), "/wp-json/": INTERFACE})[0] == "/wp-json/"
        assert other.paths() == []


@pytest.mark.parametrize("path", ["/blog", "/blog/", "/blog/index.php"])
def test_a_wordpress_in_a_folder_is_not_taken_for_that_above_it(path: str) -> None:
    answers: dict[str, Answer] = {path: "A page", "/blog/wp-json/": INTERFACE, "/wp-json/": INTERFACE}
    address, api = find(answers, path)
    assert address == "/blog/wp-json/"
    assert api.route("wp/v2/posts", {"page": 2}).endswith("/blog/wp-json/wp/v2/posts?page=2")


def test_plain_addresses_and_warnings_before_the_json_are_read() -> None:
    warned = (200, JSON, "<br />\n<b>Deprecated</b>: a plugin is old\n" + json.dumps(ROOT))
    address, api = find({"/": "A page", "/?rest_route=/": warned})
    assert address == "/?rest_route=/"
    assert api.route("wp/v2/posts", {"page": 2}).endswith("/?rest_route=/wp/v2/posts&page=2")


@pytest.mark.parametrize("body", ["[" * 100_000, "{" * 100_000, "[1", "", "null"])
def test_what_is_no_json_of_use_is_a_sentence(body: str) -> None:
    with pytest.raises(WordPressError, match="shows no REST interface"):
        find({"/": "A page", "/wp-json/": (200, JSON, body)})


def test_a_site_that_is_no_wordpress_is_told_the_other_ways() -> None:
    with pytest.raises(WordPressError, match=r"shows no REST interface.*HTTP 404.*or from an export file"):
        find({"/": "A page"})
