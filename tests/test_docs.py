"""The documents against the code: no setting, command or option is missing in them, and no link in them is dead."""

import argparse
import re
from pathlib import Path

import pytest
from django.core.management import load_command_class
from django.core.management.base import BaseCommand

from linkrec_site.env import SETTING_NAMES

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("wordpress/*.md")])
COMMAND_FILES = sorted(ROOT.glob("*/management/commands/[!_]*.py"))
_DJANGO_OPTIONS = {
    option for action in BaseCommand().create_parser("manage.py", "any")._actions for option in action.option_strings
}


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def heading_anchor(heading: str) -> str:
    """The fragment under which a rendered heading can be reached."""
    kept = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return kept.strip().replace(" ", "-")


def section(text: str, command: str) -> str:
    found = re.search(rf"^## {command}\b.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"docs/commands.md has no section '## {command}'"
    return found.group()


def options_of(path: Path) -> set[str]:
    app = path.relative_to(ROOT).parts[0]
    parser = load_command_class(app, path.stem).create_parser("manage.py", path.stem)
    own = [action for action in parser._actions if not set(action.option_strings) & _DJANGO_OPTIONS]
    hidden = argparse.SUPPRESS
    return {option for action in own if action.help != hidden for option in action.option_strings}


def test_every_setting_is_documented_and_no_other() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.+?) \| (.+?) \| (.+?) \|$", read("docs/settings.md"), re.MULTILINE)
    assert sorted(name for name, *_ in rows) == sorted(SETTING_NAMES)


def test_every_name_in_the_environment_table_is_read() -> None:
    code = read("linkrec_site/env.py").split("SETTING_NAMES = (")[1].split(")", 1)[1]
    unread = [name for name in SETTING_NAMES if f'"{name}"' not in code]
    assert not unread, unread


@pytest.mark.parametrize("path", COMMAND_FILES, ids=lambda path: path.stem)
def test_every_command_is_documented_with_its_options(path: Path) -> None:
    text = section(read("docs/commands.md"), path.stem)
    missing = [option for option in options_of(path) if f"`{option}" not in text]
    assert not missing, f"docs/commands.md does not name {missing} of {path.stem}"


def test_no_documented_command_is_gone() -> None:
    named = re.findall(r"^## ([a-z_]+)\b(?! own)", read("docs/commands.md"), re.MULTILINE)
    assert set(named) == {path.stem for path in COMMAND_FILES}


def test_readme_names_both_commands_and_every_option_of_the_job() -> None:
    text = read("README.md")
    assert re.search(r"^    make run$", text, re.MULTILINE)
    assert re.search(r"^    make test$", text, re.MULTILINE)
    job = next(path for path in COMMAND_FILES if path.stem == "linkrec")
    missing = [option for option in options_of(job) if f"`{option}" not in text]
    assert not missing, missing


def test_changelog_begins_with_an_entry() -> None:
    first = read("CHANGELOG.md").split("\n## ")[1]
    assert re.match(r"Unreleased|\d+\.\d+\.\d+", first)
    assert "\n- " in first


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    text = re.sub(r"`[^`]*`", "", path.read_text("utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://")):
            continue
        name, _, fragment = target.partition("#")
        found = (path.parent / name).resolve() if name else path
        assert found.exists(), f"{path.name} links to {target}, which does not exist"
        if fragment:
            anchors = {
                heading_anchor(line) for line in re.findall(r"^#+ (.+)$", found.read_text("utf-8"), re.MULTILINE)
            }
            assert fragment in anchors, f"{path.name} links to {target}; {name} has {sorted(anchors)}"


def test_every_decision_is_listed() -> None:
    listed = set(re.findall(r"\]\(([a-z_]+\.md)\)", read("docs/decisions/README.md")))
    assert listed == {path.name for path in (ROOT / "docs/decisions").glob("*.md")} - {"README.md"}
