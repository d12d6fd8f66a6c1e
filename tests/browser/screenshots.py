"""Pictures of every page, wide and narrow, light and dark, from ugly data, in screenshots/, to be looked at.

`python -m pytest tests/browser/screenshots.py`. A plain run does not collect it: its name has no test_.
"""

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from tests.browser.chromium import open_window
from tests.browser.ugly_report import build_ugly_report
from tests.browser.ugly_sites import UglySites, build_ugly_sites
from tests.factories import PASSWORD

FOLDER = Path(__file__).resolve().parents[2] / "screenshots"
SIZES = {"wide": {"width": 1440, "height": 900}, "narrow": {"width": 390, "height": 844}}


def addresses(sites: UglySites) -> dict[str, str]:
    workshop = sites.workshop.pk

    def page(page: Any, query: str = "") -> str:
        return reverse("page", args=(workshop, page.pk)) + query

    return {
        "sites": "/",
        "site-add": reverse("site-add"),
        "site": reverse("site", args=(workshop,)),
        "site-failed-pages": reverse("site", args=(workshop,)) + "?status=failed",
        "site-redirects": reverse("site", args=(workshop,)) + "?status=redirect",
        "site-nothing-found": reverse("site", args=(workshop,)) + "?q=zzzz",
        "site-failed": reverse("site", args=(sites.failed.pk,)),
        "site-running": reverse("site", args=(sites.running.pk,)),
        "site-waiting": reverse("site", args=(sites.waiting.pk,)),
        "site-held": reverse("site", args=(sites.held.pk,)),
        "site-stopped": reverse("site", args=(sites.staging.pk,)),
        "site-reason": reverse("site", args=(workshop,)) + "?status=skipped&reason=blocked+by+robots.txt",
        "site-settings": reverse("site-settings", args=(sites.staging.pk,)),
        "missing-pages": reverse("missing-pages", args=(sites.held.pk,)),
        "notices": reverse("notices"),
        "lookup": reverse("lookup", args=(workshop,)),
        "lookup-page": reverse("lookup", args=(workshop,)) + "?url=/guides/3%3Futm_source%3Dx",
        "lookup-unseen": reverse("lookup", args=(workshop,)) + "?url=" + "https://elsewhere.example/" + "x" * 300,
        "lookup-part": reverse("lookup", args=(workshop,)) + "?url=guides",
        "site-rename": reverse("site-rename", args=(workshop,)),
        "site-remove": reverse("site-remove", args=(workshop,)),
        "site-remove-running": reverse("site-remove", args=(sites.running.pk,)),
        "report": reverse("report", args=(workshop,)),
        "report-broken": reverse("report-list", args=(workshop, "broken-links")),
        "report-page-rank": reverse("report-list", args=(workshop, "page-rank")),
        "report-anchors": reverse("report-list", args=(workshop, "anchors")),
        "report-clusters": reverse("report-list", args=(workshop, "clusters")),
        "report-cluster-pages": reverse("report-list", args=(workshop, "cluster-pages")) + "?group=1",
        "report-cluster-suggestions": reverse("report-list", args=(workshop, "cluster-suggestions")),
        "report-nothing": reverse("report-list", args=(workshop, "hreflang")),
        "report-nothing-fits": reverse("report-list", args=(workshop, "broken-links")) + "?q=zzzz&kind=gone",
        "report-unknown": reverse("report", args=(sites.waiting.pk,)),
        "site-orphans": reverse("site", args=(workshop,)) + "?orphan=menus&important=1",
        "suggestions": reverse("suggestions", args=(workshop,)),
        "suggestions-rejected": reverse("suggestions", args=(workshop,)) + "?status=rejected",
        "page-mixed": page(sites.mixed),
        "page-rejected": page(sites.mixed, "?status=rejected"),
        "page-many": page(sites.many),
        "page-empty": page(sites.empty),
        "page-right-to-left": page(sites.right_to_left),
        "page-unread": page(sites.unread),
        "page-inlinks": reverse("page-inlinks", args=(workshop, sites.mixed.recommendations.all()[0].target_id)),
        "words": reverse("words", args=(sites.mixed.recommendations.order_by("rank")[0].pk,)),
        "not-found": "/nothing/",
        "admin": "/admin/",
        "admin-recommendations": "/admin/recommendations/recommendation/",
    }


@pytest.mark.django_db(transaction=True)
def test_take_screenshots(live_server: Any, browser: Any) -> None:
    FOLDER.mkdir(exist_ok=True)
    sites = build_ugly_sites()
    build_ugly_report(sites.workshop)
    faults: list[str] = []
    for size, viewport in SIZES.items():
        for scheme in ("light", "dark"):
            window, seen = open_window(browser, live_server.url, viewport=viewport, color_scheme=scheme)
            window.goto("/login/")
            window.screenshot(path=FOLDER / f"login-{size}-{scheme}.png")
            window.get_by_label("Name").fill("Ada Admin")
            window.get_by_label("Password").fill(PASSWORD)
            window.get_by_role("button", name="Log in").click()
            for name, address in addresses(sites).items():
                window.goto(address)
                window.screenshot(path=FOLDER / f"{name}-{size}-{scheme}.png", full_page=name not in ("page-many",))
                sideways = window.evaluate(
                    "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                )
                if sideways > 0 and not name.startswith("admin"):
                    faults.append(f"{name} {size}: {sideways} pixels too wide")
            faults += [fault for fault in seen if "404" not in fault]
            window.context.close()
    assert not faults, "\n".join(faults)
