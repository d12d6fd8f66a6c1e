"""What commands say of a site is checked before anything is done, and kept as its settings."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from crawler.credentials import read_credentials
from crawler.models import Site
from crawler.site_options import add_site_options, site_of_options

pytestmark = pytest.mark.django_db(transaction=True)
URL = "http://127.0.0.1/"


def site_of(*words: str) -> Site:
    parser = ArgumentParser()
    add_site_options(parser)
    options: dict[str, Any] = {**vars(parser.parse_args(words)), "max_pages": None}
    return site_of_options(URL, options)


def test_everything_is_kept_and_stays_when_not_said_again(tmp_path: Path) -> None:
    secret, addresses = tmp_path / "password", tmp_path / "list.txt"
    secret.write_text("s3cret\n")
    addresses.write_text("http://127.0.0.1/a\nhttp://127.0.0.1/b\n")
    site_of(
        "--source", "list", "--file", str(addresses), "--include", "/a*", "--include", "/b", "--exclude", "*?x=*",
        "--drop-parameter", "ref", "--subdomains", "--drafts", "--rendering", "empty",
        "--username", "me", "--password-file", str(secret),
    )  # fmt: skip
    site = site_of()
    assert (site.source_kind, site.include_patterns, site.exclude_patterns) == ("list", "/a*\n/b", "*?x=*")
    assert (site.dropped_parameters, site.are_subdomains_included, site.are_drafts_included) == ("ref", True, True)
    assert site.rendering == "empty"
    assert (read_credentials(site).username, read_credentials(site).password) == ("me", "s3cret")
    with site.source_file.open() as file:
        assert file.read().startswith(b"http://127.0.0.1/a")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--include", "blog"], "--include: 'blog' is no pattern"),
        (["--drop-parameter", "a=b"], "--drop-parameter: 'a=b' is no name"),
        (["--source", "wxr"], "--source wxr needs a file"),
        (["--file", "x"], "--file x is for --source wxr or list"),
        (["--source", "wxr", "--file", "/nowhere.xml"], "/nowhere.xml cannot be read (No such file"),
        (["--source", "wxr", "--file", __file__], "is no WordPress export"),
        (["--username", "me"], "belong together"),
        (["--username", "me", "--password-file", "/nowhere"], "cannot be read"),
    ],
)
def test_what_cannot_be_is_named_and_leaves_nothing(words: list[str], complaint: str) -> None:
    with pytest.raises(CommandError) as refused:
        site_of(*words)
    assert complaint in str(refused.value)
    assert not Site.objects.exists()
