"""The browser of the browser tests. Playwright's loop runs in the test's thread, so Django must be told."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.chromium import CHROMIUM, chromium

# Playwright's sync API keeps an event loop in this thread; the tests touch the database between its calls.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if not CHROMIUM:
        pytest.skip("Chromium is missing: apt-get install chromium")
    with chromium() as running:
        yield running
