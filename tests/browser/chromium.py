"""A real Chromium on a server of our own: started once a session, every page watched for what must never happen."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@contextmanager
def chromium() -> Iterator[Any]:
    """Playwright's browser object."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def open_window(browser: Any, base_url: str, **options: Any) -> tuple[Any, list[str]]:
    """A page in a fresh context, and the list of its faults: script errors, CSP violations, foreign requests."""
    context = browser.new_context(base_url=base_url, **options)
    faults: list[str] = []

    def only_loopback(route: Any) -> None:
        if urlsplit(route.request.url).hostname in ("127.0.0.1", "localhost"):
            route.continue_()
        else:
            faults.append(f"request to {route.request.url}")
            route.abort()

    context.route("**/*", only_loopback)
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.on("pageerror", lambda error: faults.append(f"script error: {error}"))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    return page, faults
