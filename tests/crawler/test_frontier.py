"""Which URLs are worth a request."""

import pytest

from crawler.frontier import reason_to_skip


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/a",
        "/a.html",
        "/a.php?x=1",
        "/2024/01/02/a-title/",
        "/a/a/b",
        "/en/docs/en/docs/x",
        "/node.js-guide",
        "/v1.2",
    ],
)
def test_pages_are_requested(path: str) -> None:
    assert reason_to_skip(f"https://h{path}") == ""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/a.pdf", "not a web page"),
        ("/a/logo.SVG?v=2", "not a web page"),
        ("/a" * 31, "looks like a crawler trap"),
        ("/x/y/x/y/x/y/", "looks like a crawler trap"),
        ("/a?" + "&".join(f"p{n}=1" for n in range(9)), "looks like a crawler trap"),
    ],
)
def test_others_are_skipped_with_their_kind(path: str, kind: str) -> None:
    assert reason_to_skip(f"https://h{path}").partition(":")[0] == kind


def test_long_repeating_paths_are_judged_quickly() -> None:
    assert reason_to_skip("https://h/" + "a" * 1900) == ""
    assert reason_to_skip("https://h" + "/ab-" * 29)
