"""A site renamed and removed by an admin."""

import pytest
from django.test import Client

from crawler.models import Page, Site
from tests.factories import make_pipeline
from tests.recommendations.conftest import Reviewed

pytestmark = pytest.mark.django_db


def test_an_admin_renames_a_site(reviewed: Reviewed, as_admin: Client) -> None:
    path = f"/sites/{reviewed.site.pk}/rename/"
    assert 'value="Workshop"' in as_admin.get(path).content.decode()
    assert "Reading room now" in as_admin.post(path, {"name": "Reading room"}, follow=True).content.decode()
    refused = as_admin.post(path, {"name": " "})
    assert refused.status_code == 422
    assert "Reading room" in refused.content.decode()
    assert Site.objects.get().name == "Reading room"


def test_an_admin_removes_a_site_after_being_asked(reviewed: Reviewed, as_admin: Client) -> None:
    path = f"/sites/{reviewed.site.pk}/remove/"
    body = as_admin.get(path).content.decode()
    assert "Its 3 pages and 2 suggestions go" in body
    assert Site.objects.exists()
    assert "Workshop was removed" in as_admin.post(path, follow=True).content.decode()
    assert not Site.objects.exists()
    assert not Page.objects.exists()


def test_a_site_that_is_being_read_stays(reviewed: Reviewed, as_admin: Client) -> None:
    make_pipeline(reviewed.site, "running", "queued", "queued")
    path = f"/sites/{reviewed.site.pk}/remove/"
    assert "Stop its run first" in as_admin.get(path).content.decode()
    assert "Stop its run before you delete it." in as_admin.post(path, follow=True).content.decode()
    assert Site.objects.exists()


def test_editors_do_neither(reviewed: Reviewed, as_editor: Client) -> None:
    for name in ("rename", "remove"):
        assert as_editor.post(f"/sites/{reviewed.site.pk}/{name}/", {"name": "x"}).status_code == 403
    assert "Remove this site" not in as_editor.get(f"/sites/{reviewed.site.pk}/").content.decode()
    assert Site.objects.get().name == "Workshop"
