"""A renderer with a real Chromium, shared by the tests of a file: it takes seconds to start."""

from collections.abc import Iterator

import pytest

from crawler.address_guard import AddressGuard
from crawler.http import FetchPolicy, HttpClient
from crawler.rendering import EmptyPages
from crawler.rendering.page_visit import RenderLimits

LIMITS = RenderLimits(total_seconds=5, most_requests=40, most_dom_bytes=2_000_000, pages_of_a_browser=8)


class OnePort(AddressGuard):
    """Allows the port of the site that a test serves, and no other of loopback."""

    port = 0

    def is_named(self, host: str, port: int) -> bool:
        return host == "127.0.0.1" and port == self.port


GUARD = OnePort()


@pytest.fixture(scope="module")
def renderer() -> Iterator[EmptyPages]:
    policy = FetchPolicy(total_seconds=2, idle_seconds=1, tries=1)
    with HttpClient(GUARD, user_agent="LinkRec/0.1 (+https://example.org/)", policy=policy) as client:
        opened = EmptyPages(client, LIMITS)
        try:
            if obstacle := opened.open():
                pytest.skip(obstacle)
            yield opened
        finally:
            opened.close()
