"""The report in a real browser, from ugly data: nothing is blocked, nothing sticks out, a bar opens its list."""

from typing import Any

import pytest
from django.urls import reverse

from tests.browser.chromium import open_window
from tests.browser.ugly_report import build_ugly_report
from tests.browser.ugly_sites import build_ugly_sites
from tests.factories import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_report_fits_a_narrow_window_and_its_charts_open_lists(live_server: Any, browser: Any) -> None:
    site = build_ugly_sites().workshop
    build_ugly_report(site)
    window, faults = open_window(browser, live_server.url, viewport={"width": 360, "height": 780})
    window.goto("/login/")
    window.get_by_label("Name").fill("edit")
    window.get_by_label("Password").fill(PASSWORD)
    window.get_by_role("button", name="Log in").click()
    lists = ("broken-links", "redirected-links", "page-rank", "anchors", "clusters", "cluster-pages")
    for path in (reverse("report", args=(site.pk,)), *(reverse("report-list", args=(site.pk, key)) for key in lists)):
        window.goto(path)
        width = window.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert width <= 0, f"{path} is {width} pixels too wide"
    window.goto(reverse("report", args=(site.pk,)))
    bar = window.locator(".chart").get_by_role("row", name="out of reach").get_by_role("link")
    count = bar.inner_text()
    bar.click()
    window.wait_for_url("**/report/click-depth/**")
    assert window.get_by_role("status").filter(has_text="pages found").inner_text().startswith(count)
    assert not faults, faults
