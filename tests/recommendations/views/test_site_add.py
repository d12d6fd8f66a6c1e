"""A site added by its address, a list, its WordPress or an export; its settings; secrets that never come out again."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.models import SiteFollower
from crawler.credentials import read_credentials
from crawler.models import Site
from recommendations.site_deletion import delete_site
from recommendations.site_editing import change_site
from recommendations.views import site_settings
from tests.factories import make_site

pytestmark = pytest.mark.django_db(transaction=True)
EXPORT = b"""<?xml version="1.0"?><rss xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"><channel>
<link>http://127.0.0.1:81</link><wp:base_blog_url>http://127.0.0.1:81/blog</wp:base_blog_url></channel></rss>"""
ADDRESS = "http://127.0.0.1/"
RANKING = {
    "max_links_per_page": "10", "max_new_links_per_1000_words": "20", "max_new_links_per_target": "25",
    "orphan_favour": "0", "seconds_between_requests": "0.1",
}  # fmt: skip


def upload(content: bytes, name: str = "file") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def errors_of(response: Any) -> dict[str, list[str]]:
    assert response.status_code == 422
    return {name: list(errors) for name, errors in response.context["form"].errors.items()}


def settings_of(client: Client, site: Site, **values: Any) -> Any:
    return client.post(f"/sites/{site.pk}/settings/", {"name": site.name, "source_kind": "web", **RANKING, **values})


def files() -> list[Path]:
    return sorted((django_settings.LINKREC_DATA_DIR / "uploads").rglob("sources/*"))


def test_everything_is_said_at_once(as_admin: Client) -> None:
    as_admin.post(
        "/sites/add/",
        {
            "url": ADDRESS, "source_kind": "web", "max_pages": "50", "include_patterns": "/blog/*\r\n\r\n/blog/*\n/faq",
            "exclude_patterns": "# printed\n*?print=", "dropped_parameters": "ref\nsort_*",
            "are_subdomains_included": "on",
            "rendering": "empty", "username": "staging", "password": " s3cret ", "headers": "X-Key: abc\nX-More: d e",
            "schedule_kind": "cron", "cron": "30 4 * * 1-5", "is_followed": "on",
        },
    )  # fmt: skip
    site = Site.objects.get()
    assert (site.include_patterns, site.exclude_patterns) == ("/blog/*\n/faq", "# printed\n*?print=")
    assert (site.dropped_parameters, site.rendering, site.max_pages) == ("ref\nsort_*", "empty", 50)
    assert site.are_subdomains_included
    assert not site.are_drafts_included
    kept = read_credentials(site)
    assert (kept.username, kept.password, kept.headers) == ("staging", " s3cret ", {"X-Key": "abc", "X-More": "d e"})
    assert site.schedule == "30 4 * * 1-5"
    assert site.next_run_at is not None
    assert SiteFollower.objects.get().person.username == "ada"


def test_a_known_address_is_left_as_it_is(as_admin: Client) -> None:
    site = make_site(start_url=ADDRESS, max_pages=9)
    body = as_admin.post("/sites/add/", {"url": ADDRESS, "max_pages": "7"}, follow=True).content.decode()
    assert "is here already. Nothing was changed." in body
    site.refresh_from_db()
    assert site.max_pages == 9


def test_an_export_names_its_site(as_admin: Client) -> None:
    as_admin.post("/sites/add/", {"source_kind": "wxr", "upload": upload(EXPORT, "../../etc/passwd")})
    site = Site.objects.get()
    assert site.start_url == "http://127.0.0.1:81/blog"
    assert site.source_file.read() == EXPORT
    site.source_file.close()
    assert "passwd" not in site.source_file.name
    assert Path(site.source_file.path).stat().st_mode & 0o777 == 0o600


def test_a_list_names_its_site(as_admin: Client) -> None:
    text = "url;x\nhttp://127.0.0.1/a/b;1\n".encode("utf-16")
    as_admin.post("/sites/add/", {"source_kind": "list", "upload": upload(text)})
    assert Site.objects.get().start_url == ADDRESS


@pytest.mark.parametrize(
    ("kind", "content", "complaint"),
    [
        ("wxr", b"<html>hello</html>", "file is no WordPress export"),
        ("wxr", b"", "empty"),
        ("list", b"just words", "holds no address"),
        ("list", b"PK\x03\x04\0\0https://x.example/", "holds no address"),
        ("wxr", None, "Choose the file"),
    ],
)
def test_a_file_of_another_kind_is_refused(as_admin: Client, kind: str, content: Any, complaint: str) -> None:
    data = {"source_kind": kind, "url": ADDRESS}
    response = as_admin.post("/sites/add/", data if content is None else {**data, "upload": upload(content)})
    assert complaint in errors_of(response)["upload"][0]
    assert not Site.objects.exists()


def test_a_file_that_is_too_large_is_refused_while_it_comes_in(as_admin: Client, settings: Any) -> None:
    settings.LINKREC_MAX_UPLOAD_MB = 1
    response = as_admin.post("/sites/add/", {"source_kind": "wxr", "upload": upload(b"x" * 3 * 2**20, "big.xml")})
    assert errors_of(response)["upload"] == [
        "big.xml is larger than 1 MB. Export it in parts, or have LINKREC_MAX_UPLOAD_MB raised."
    ]


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("include_patterns", "blog", "'blog' is no pattern"),
        ("exclude_patterns", "/a b", "'/a b' holds a space"),
        ("exclude_patterns", "/" + "x" * 2000, "has 2,001 characters"),
        ("include_patterns", "\n".join(f"/{number}" for number in range(501)), "These are 501 lines"),
        ("dropped_parameters", "a=b", "'a=b' is no name"),
        ("headers", "no colon here", "Line 1 is no header"),
        ("headers", "Host: evil.example", "Host is set by linkrec itself"),
        ("headers", "X-Key: \x01", "holds characters"),
        ("password", "x", ""),
        ("username", "a:b", "holds a colon"),
        ("max_pages", "0", "greater than or equal to 1"),
        ("cron", "61 * * * *", "names no time"),
        ("cron", "", "Write the cron expression"),
        ("source_kind", "gopher", "gopher"),
    ],
)
def test_each_bad_value_is_named(as_admin: Client, field: str, value: str, complaint: str) -> None:
    data = {"url": ADDRESS, field: value} | ({"schedule_kind": "cron"} if field == "cron" else {})
    errors = errors_of(as_admin.post("/sites/add/", data))
    if field == "password":
        assert errors == {"username": ["A password needs its user name."]}
    else:
        assert list(errors) == [field]
        assert complaint in errors[field][0]
    assert not Site.objects.exists()


def test_secrets_are_kept_and_removed_and_never_shown(as_admin: Client) -> None:
    site = make_site(start_url=ADDRESS)
    settings_of(as_admin, site, username="staging", password="hunter2", headers="X-Key: abcxyz987")
    body = as_admin.get(f"/sites/{site.pk}/settings/").content.decode()
    assert "A password is stored." in body
    assert "X-Key" in body
    assert "hunter2" not in body
    assert "abcxyz987" not in body
    settings_of(as_admin, site, username="other")
    site.refresh_from_db()
    kept = read_credentials(site)
    assert (kept.username, kept.password, kept.headers) == ("other", "hunter2", {"X-Key": "abcxyz987"})
    refused = settings_of(as_admin, site, username="other", password="newsecret", cron="x", schedule_kind="cron")
    assert "newsecret" not in refused.content.decode()
    settings_of(as_admin, site, username="other", removes_password="on")
    site.refresh_from_db()
    assert read_credentials(site).password == ""
    settings_of(as_admin, site, removes_headers="on")
    site.refresh_from_db()
    assert site.encrypted_credentials == ""


def test_credentials_of_another_key_are_told_and_can_be_entered_again(as_admin: Client) -> None:
    site = make_site(start_url=ADDRESS, encrypted_credentials="unreadable")
    assert "LINKREC_SECRET_KEY is not the one" in as_admin.get(f"/sites/{site.pk}/settings/").content.decode()
    settings_of(as_admin, site, name="Another name")
    site.refresh_from_db()
    assert (site.name, site.encrypted_credentials) == ("Another name", "unreadable")
    settings_of(as_admin, site, username="me", password="again")
    site.refresh_from_db()
    assert read_credentials(site).password == "again"


def test_a_new_file_takes_the_place_of_the_one_before_and_goes_with_its_site(as_admin: Client) -> None:
    before = files()
    as_admin.post("/sites/add/", {"source_kind": "wxr", "upload": upload(EXPORT)})
    site = Site.objects.get()
    settings_of(as_admin, site, source_kind="wxr", upload=upload(EXPORT + b"<!-- newer -->"))
    assert len(files()) == len(before) + 1
    site.refresh_from_db()
    with site.source_file.open() as file:
        assert file.read().endswith(b"newer -->")
    site.recommendation_runs.update(status="stopped")
    site.crawls.update(status="stopped")
    for run in site.recommendation_runs.all():
        type(run.embedding_run).objects.update(status="stopped")
    delete_site(site.pk)
    assert files() == before


def test_settings_say_when_it_is_read_next(as_admin: Client) -> None:
    site = make_site(start_url=ADDRESS)
    settings_of(as_admin, site, schedule_kind="weekly")
    body = as_admin.get(f"/sites/{site.pk}/").content.decode()
    assert "Read again every Monday at 03:00; next on" in body
    assert "03:00</time> (UTC)" in body
    assert not SiteFollower.objects.exists()
    settings_of(as_admin, site, schedule_kind="")
    site.refresh_from_db()
    assert site.next_run_at is None


def test_keeping_settings_does_not_undo_what_a_worker_does_meanwhile(
    as_admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make_site(start_url=ADDRESS, schedule="daily", next_run_at=timezone.now())
    later = timezone.now() + timedelta(days=1)

    def claim_meanwhile(*args: Any) -> Site:
        Site.objects.update(next_run_at=later)
        return change_site(*args)

    monkeypatch.setattr(site_settings, "change_site", claim_meanwhile)
    settings_of(as_admin, site, name="Another name", schedule_kind="daily")
    site.refresh_from_db()
    assert (site.name, site.next_run_at) == ("Another name", later)


def test_editors_change_nothing(as_editor: Client) -> None:
    site = make_site(start_url=ADDRESS)
    assert settings_of(as_editor, site, name="Mine").status_code == 403
    assert Site.objects.get().name == site.name
