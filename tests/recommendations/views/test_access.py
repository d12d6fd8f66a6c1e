"""Three people against every address of ours: nobody, an editor, an admin. A new address must be named here."""

from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import Notice
from crawler.models import Crawl
from recommendations.report.storing import store_site_report
from tests.factories import make_user
from tests.recommendations.conftest import Reviewed

#: name -> (method, who gets in). "form" means that a redirect or an answered form is the success of a POST.
EDITORS, ADMINS, ANYBODY, NOBODY_ELSE = "editors", "admins", "anybody", "nobody but whose it is"
ADDRESSES = {
    "login": ("GET", ANYBODY),
    "logout": ("POST", ANYBODY),
    "favicon": ("GET", ANYBODY),
    "sites": ("GET", EDITORS),
    "site-add": ("GET", ADMINS),
    "site": ("GET", EDITORS),
    "site-settings": ("GET", ADMINS),
    "site-rename": ("GET", ADMINS),
    "site-remove": ("GET", ADMINS),
    "suggestions": ("GET", EDITORS),
    "report": ("GET", EDITORS),
    "report-list": ("GET", EDITORS),
    "report-csv": ("GET", EDITORS),
    "export": ("GET", EDITORS),
    "progress": ("GET", EDITORS),
    "recrawl": ("POST", ADMINS),
    "stop": ("POST", ADMINS),
    "retry": ("POST", ADMINS),
    "confirm-losses": ("POST", ADMINS),
    "missing-pages": ("GET", EDITORS),
    "lookup": ("GET", EDITORS),
    "notices": ("GET", EDITORS),
    "notice-bell": ("GET", EDITORS),
    "notices-read": ("POST", EDITORS),
    "notice-read": ("POST", NOBODY_ELSE),
    "page": ("GET", EDITORS),
    "page-inlinks": ("GET", EDITORS),
    "mark-important": ("POST", ADMINS),
    "decide": ("POST", EDITORS),
    "words": ("GET", EDITORS),
    "api-sites": ("GET", EDITORS),
    "api-recommendations": ("GET", EDITORS),
    "api-report": ("GET", EDITORS),
    "api-lookup": ("GET", EDITORS),
    "api-report-list": ("GET", EDITORS),
    "api-not-found": ("GET", EDITORS),
}


def our_patterns(resolver: URLResolver | None = None) -> list[URLPattern]:
    found = []
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLPattern):
            found.append(entry)
        elif str(entry.pattern) != "admin/":
            found += our_patterns(entry)
    return found


def address_of(name: str, reviewed: Reviewed) -> str:
    from django.urls import reverse

    arguments: dict[str, tuple[Any, ...]] = {
        "page": (reviewed.site.pk, reviewed.source.pk),
        "page-inlinks": (reviewed.site.pk, reviewed.target.pk),
        "mark-important": (reviewed.site.pk, reviewed.source.pk),
        "decide": (reviewed.row.pk,),
        "words": (reviewed.row.pk,),
        **dict.fromkeys(("report-list", "report-csv", "api-report-list"), (reviewed.site.pk, "orphans")),
        "api-not-found": ("elsewhere",),
        "notice-read": (Notice.objects.get_or_create(person=make_user(), site=reviewed.site, kind="done")[0].pk,),
    }
    plain = name in ("login", "logout", "favicon", "sites", "site-add", "api-sites") or name.startswith("notice")
    query = "?url=/" if name == "api-lookup" else ""
    return reverse(name, args=arguments.get(name, () if plain else (reviewed.site.pk,))) + query


def test_every_address_is_named_here() -> None:
    assert {pattern.name for pattern in our_patterns()} == set(ADDRESSES)


@pytest.mark.parametrize("name", ADDRESSES)
def test_who_gets_in(name: str, reviewed: Reviewed, as_editor: Client, as_admin: Client) -> None:
    method, who = ADDRESSES[name]
    address = address_of(name, reviewed)
    if "report-" in name:
        store_site_report(reviewed.site.pk, reviewed.run.pk)
    data = {"action": "accept", "expected": "pending"}

    def status_for(client: Client) -> int:
        response = client.post(address, data) if method == "POST" else client.get(address)
        response.close()
        sent_to_login = response.status_code == 302 and "/login/" in response["Location"]
        return 401 if sent_to_login and name != "logout" else response.status_code

    stranger = status_for(Client())
    assert stranger in ((200, 302) if who == ANYBODY else (401,)), f"a stranger got {stranger}"
    editor, admin = status_for(as_editor), status_for(as_admin)
    missing = (404,) if name == "api-not-found" or who == NOBODY_ELSE else ()
    assert editor in ((403,) if who == ADMINS else (200, 302, *missing)), f"an editor got {editor}"
    assert admin in (200, 302, *missing), f"an admin got {admin}"


@pytest.mark.parametrize("name", [name for name, (method, _) in ADDRESSES.items() if method == "POST"])
def test_changes_need_post_and_a_token(name: str, reviewed: Reviewed, as_admin: Client) -> None:
    address = address_of(name, reviewed)
    page = as_admin.get(address)
    assert page.status_code == 302
    assert as_admin.get(page["Location"]).status_code == 200
    reviewed.row.refresh_from_db()
    assert reviewed.row.status == "pending"
    assert not Crawl.objects.exists()
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = as_admin.cookies
    assert strict.post(address, {}).status_code == 403


def test_a_refused_method_gets_a_page_with_a_sentence(reviewed: Reviewed, as_admin: Client) -> None:
    for response in (as_admin.post("/"), as_admin.put(f"/sites/{reviewed.site.pk}/recrawl/")):
        assert response.status_code == 405
        assert "Nothing was done" in response.content.decode()
        assert "GET" in response["Allow"]


@pytest.mark.parametrize("path", ["/", "/login/", "/nothing/", "/sites/{site}/", "/sites/{site}/pages/{page}/"])
def test_browsers_keep_no_page(reviewed: Reviewed, as_editor: Client, path: str) -> None:
    response = as_editor.get(path.format(site=reviewed.site.pk, page=reviewed.source.pk))
    assert "no-store" in response["Cache-Control"]


def test_a_deactivated_person_is_out(reviewed: Reviewed, as_editor: Client, editor: Any) -> None:
    editor.is_active = False
    editor.save()
    assert as_editor.get(f"/sites/{reviewed.site.pk}/").status_code == 302


@pytest.mark.parametrize("path", ["/", "/login/", "/admin/login/", "/nothing/", "/api/v1/sites"])
def test_every_answer_carries_the_policy(path: str, as_admin: Client) -> None:
    policy = as_admin.get(path)["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


def test_a_fragment_asked_for_after_the_session_ended_sends_the_window_to_the_login(reviewed: Reviewed) -> None:
    here = f"http://testserver/sites/{reviewed.site.pk}/?q=x"
    response = Client().get(
        f"/sites/{reviewed.site.pk}/progress/", headers={"HX-Request": "true", "HX-Current-URL": here}
    )
    assert response["HX-Redirect"].startswith(f"/login/?next=/sites/{reviewed.site.pk}/")


def test_the_web_process_loads_neither_torch_nor_the_engine() -> None:
    import subprocess
    import sys

    code = (
        "import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'linkrec_site.settings'\n"
        "import django; django.setup()\n"
        "from django.urls import get_resolver; get_resolver().url_patterns\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('torch', 'sentence_transformers', 'sklearn') "
        "or name.startswith('recommendations.engine.')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]", run.stdout
