"""A run replaces its own sections of the document, and nothing else."""

from pathlib import Path

import pytest

from benchmarks.quality_document import (
    BEGIN,
    END,
    QUALITY_DOCUMENT,
    DocumentError,
    read_sections,
    replace_sections,
    write_sections,
)

EMPTY = f"# Quality\n\nBy hand.\n\n{BEGIN}\n{END}\n\n## Floors\n\nBy hand too.\n"


def test_one_corpus_replaces_its_section_alone() -> None:
    full = replace_sections(EMPTY, {"corpus b": "### b\n\nold", "corpus a": "### a\n\nkept", "over sites": "macro"})
    assert list(read_sections(full)) == ["over sites", "corpus a", "corpus b"]
    again = replace_sections(full, {"corpus b": "### b\n\nnew"})
    assert again == full.replace("old", "new")
    assert again.startswith("# Quality\n\nBy hand.\n\n")
    assert again.endswith("\n\n## Floors\n\nBy hand too.\n")
    assert replace_sections(again, {}) == again


def test_a_document_without_a_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="no place for figures"):
        replace_sections("# Quality\n", {"corpus a": "text"})
    with pytest.raises(DocumentError, match="is no file"):
        write_sections({"corpus a": "text"}, tmp_path / "absent.md")


def test_the_document_keeps_its_form() -> None:
    text = QUALITY_DOCUMENT.read_text("utf-8")
    assert replace_sections(text, {}) == text
    assert any(name.startswith("corpus ") for name in read_sections(text))
