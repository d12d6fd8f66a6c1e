"""The options by which commands say how a site is read; each is kept as the setting that its form in the browser keeps.

Shared by every command that crawls. Leaves reading to foreground_crawl.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.management.base import CommandError
from django.db import transaction

from crawler.credentials import Credentials, read_credentials, store_credentials
from crawler.errors import BadStartUrl, CrawlError
from crawler.models import Rendering, Site, SourceKind
from crawler.site_lines import complaint_of_parameter, complaint_of_pattern
from crawler.sites import get_or_create_site
from crawler.source_files import address_in_file, keep_source_file

_OF_FILES = (SourceKind.LIST, SourceKind.WXR)
_LINES: dict[str, tuple[str, Callable[[str], str]]] = {
    "include": ("include_patterns", complaint_of_pattern),
    "exclude": ("exclude_patterns", complaint_of_pattern),
    "drop_parameter": ("dropped_parameters", complaint_of_parameter),
}


def add_site_options(parser: ArgumentParser) -> None:
    """--source, --file, --include, --exclude, --subdomains, --drop-parameter, --drafts, --rendering, --username,
    --password-file, --full, --confirm-losses.
    """
    parser.add_argument("--source", choices=SourceKind.values, help="where pages come from (default: the site's, web)")
    parser.add_argument("--file", default="", help="WordPress export or list of addresses, for --source wxr and list")
    parser.add_argument(
        "--include", action="append", metavar="PATTERN", help="read only such addresses; may be repeated"
    )
    parser.add_argument("--exclude", action="append", metavar="PATTERN", help="do not read such ones; may be repeated")
    parser.add_argument("--subdomains", action="store_true", help="subdomains belong to the site")
    parser.add_argument(
        "--drop-parameter",
        action="append",
        metavar="NAME",
        help="query parameter that changes nothing; may be repeated",
    )
    parser.add_argument("--drafts", action="store_true", help="read drafts of a WordPress or its export too")
    parser.add_argument("--rendering", choices=Rendering.values, help="pages that a Chromium opens (default: never)")
    parser.add_argument("--username", default="", help="for a staging site, or a WordPress")
    parser.add_argument("--password-file", default="", help="file that holds its password; - is standard input")
    parser.add_argument("--full", action="store_true", help="work on every page anew, changed or not")
    parser.add_argument(
        "--confirm-losses", action="store_true", help="take away pages that are no longer found, however many"
    )


def site_of_options(url: str, options: dict[str, Any], name: str = "") -> Site:
    """The site that a command is about, made where it is new, with what was said of it kept. Raises CommandError."""
    lines = {column: _joined(option, options[option], check) for option, (column, check) in _LINES.items()}
    with transaction.atomic():
        try:
            site = get_or_create_site(url, name, options["max_pages"])
        except BadStartUrl as error:
            raise CommandError(str(error)) from error
        for column, text in lines.items():
            setattr(site, column, text or getattr(site, column))
        site.are_subdomains_included |= options["subdomains"]
        site.are_drafts_included |= options["drafts"]
        site.source_kind = options["source"] or site.source_kind
        site.rendering = options["rendering"] or site.rendering
        site.save(update_fields=[*lines, "are_subdomains_included", "are_drafts_included", "source_kind", "rendering"])
        _keep_file(site, options["file"])
        _keep_credentials(site, options["username"], options["password_file"])
    return site


def _joined(option: str, values: list[str] | None, check: Callable[[str], str]) -> str:
    for value in values or []:
        if complaint := check(value):
            raise CommandError(f"--{option.replace('_', '-')}: {complaint}")
    return "\n".join(values or [])


def _keep_file(site: Site, path: str) -> None:
    if not path:
        if site.source_kind in _OF_FILES and not site.source_file:
            raise CommandError(f"--source {site.source_kind} needs a file: name it with --file.")
        return
    if site.source_kind not in _OF_FILES:
        raise CommandError(f"--file {path} is for --source wxr or list, and this site's source is {site.source_kind}.")
    try:
        with Path(path).open("rb") as file:
            address_in_file(site.source_kind, file, path)
            keep_source_file(site, File(file, name="file"))
    except OSError as error:
        raise CommandError(f"--file {path} cannot be read ({error.strerror}).") from error
    except CrawlError as error:
        raise CommandError(str(error)) from error


def _keep_credentials(site: Site, username: str, path: str) -> None:
    if not username and not path:
        return
    if not username or not path:
        raise CommandError("--username and --password-file belong together. Give both, or none to use what is stored.")
    try:
        text = sys.stdin.readline() if path == "-" else Path(path).read_text("utf-8")
        stored = read_credentials(site)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"--password-file {path} cannot be read ({error}).") from error
    except CrawlError:
        stored = Credentials()
    store_credentials(site, Credentials(username, text.strip("\r\n"), stored.headers))
