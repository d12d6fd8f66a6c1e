"""What may be changed in Django's admin: a site's settings, checked. Rows that the product makes are only looked at."""

from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client, RequestFactory

from crawler.models import Site
from tests.factories import make_pipeline, make_site, make_user
from tests.recommendations.conftest import Reviewed

pytestmark = pytest.mark.django_db

SETTINGS = {
    "name": "Shop", "start_url": "https://shop.example/", "max_pages": "10", "seconds_between_requests": "0.1",
    "max_links_per_page": "10", "max_links_per_paragraph": "2", "model_name": "", "threshold": "",
    "is_inline_code_linkable": "unknown", "max_new_links_per_1000_words": "20", "max_new_links_per_target": "25",
    "orphan_favour": "0",
}  # fmt: skip


def test_rows_of_runs_are_only_looked_at() -> None:
    request = RequestFactory().get("/")
    request.user = make_user(is_admin=True)
    for label in ("crawler", "embeddings", "recommendations"):
        for model in apps.get_app_config(label).get_models():
            if model is Site or model not in admin.site._registry:
                continue
            rows = admin.site._registry[model]
            assert rows.has_view_permission(request)
            asked = (rows.has_add_permission, rows.has_change_permission, rows.has_delete_permission)
            assert not any(is_allowed(request) for is_allowed in asked), model


def test_a_sites_address_is_kept_normalized(as_admin: Client) -> None:
    response = as_admin.post("/admin/crawler/site/add/", SETTINGS | {"start_url": "SHOP.example:443/#top"})
    assert response.status_code == 302
    assert Site.objects.get().start_url == "https://shop.example/"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("start_url", "http://10.0.0.1/", "private or special address"),
        ("start_url", "ftp://shop.example/", "not the address of a web site"),
        ("model_name", "/etc/models", "is no model that can be chosen here"),
        ("model_name", "../models/x", "is no model that can be chosen here"),
        ("model_name", "a/../b", "is no model that can be chosen here"),
        ("threshold", "7", "less than or equal to 1"),
    ],
)
def test_what_no_site_may_be_set_to_is_refused(as_admin: Client, field: str, value: str, words: str) -> None:
    response = as_admin.post("/admin/crawler/site/add/", SETTINGS | {field: value})
    assert words in response.content.decode()
    assert not Site.objects.exists()


@pytest.mark.parametrize("name", ["multilingual-e5-small", "sentence-transformers/all-mpnet-base-v2"])
def test_models_that_may_be_named(as_admin: Client, name: str) -> None:
    assert as_admin.post("/admin/crawler/site/add/", SETTINGS | {"model_name": name}).status_code == 302
    assert Site.objects.get().model_name == name


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_one", [True, False])
def test_deleting_goes_by_the_service(
    reviewed: Reviewed, as_admin: Client, settings: Any, tmp_path: Path, is_one: bool
) -> None:
    settings.LINKREC_DATA_DIR = tmp_path
    vectors = tmp_path / "vectors" / str(reviewed.site.pk)
    vectors.mkdir(parents=True)
    if is_one:
        path, data = f"/admin/crawler/site/{reviewed.site.pk}/delete/", {"post": "yes"}
    else:
        path = "/admin/crawler/site/"
        data = {"post": "yes", "action": "delete_selected", "_selected_action": str(reviewed.site.pk)}
    assert as_admin.post(path, data).status_code == 302
    assert not Site.objects.exists()
    assert not vectors.exists()


def test_a_site_at_work_is_protected(as_admin: Client) -> None:
    site = make_site()
    make_pipeline(site, "running", "queued", "queued")
    response = as_admin.post(f"/admin/crawler/site/{site.pk}/delete/", {"post": "yes"})
    assert "Stop it first" in response.content.decode()
    assert Site.objects.exists()


@pytest.mark.parametrize("favour", ["-0.1", "1.5", "much"])
def test_orphans_are_favoured_from_0_to_1(as_admin: Client, favour: str) -> None:
    response = as_admin.post("/admin/crawler/site/add/", SETTINGS | {"orphan_favour": favour})
    assert response.status_code == 200
    assert "orphan_favour" in response.context["adminform"].form.errors
    assert not Site.objects.exists()


def test_a_wait_between_requests_that_would_never_end_is_refused(as_admin: Client) -> None:
    response = as_admin.post("/admin/crawler/site/add/", SETTINGS | {"seconds_between_requests": "1e308"})
    assert "less than or equal to 600" in response.content.decode()
    assert not Site.objects.exists()
