"""The admin's lists of what was read open, search and stay at a few queries however many rows there are."""

import pytest
from django.test import Client

from tests.factories import make_link, make_page, make_site, make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("model", ["site", "crawl", "page", "link", "sentence"])
def test_lists_open_with_few_queries(model: str, client: Client, django_assert_max_num_queries: object) -> None:
    site = make_site()
    site.crawls.create()
    pages = [make_page(site, text="One sentence here.\nAnother one there.") for _ in range(30)]
    for page in pages:
        make_link(page, pages[0], anchor_text="first")
    client.force_login(make_user(is_admin=True))
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        assert client.get(f"/admin/crawler/{model}/").status_code == 200
    if model != "crawl":
        assert client.get(f"/admin/crawler/{model}/", {"q": "one"}).status_code == 200
    first = {"site": site, "page": pages[0], "link": pages[1].outlinks.get(), "sentence": pages[0].sentences.first()}
    if row := first.get(model):
        assert client.get(f"/admin/crawler/{model}/{row.pk}/change/").status_code == 200
    assert client.get(f"/admin/crawler/{model}/add/").status_code == (200 if model == "site" else 403)
