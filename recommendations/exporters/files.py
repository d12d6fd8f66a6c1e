"""Writes an export whole or not at all: to a temporary file beside its place, then renamed."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from linkrec_site.env import mode_for_handed_out_files
from recommendations.errors import ExportError


def check_output(output: str, option: str = "--output") -> None:
    """Refuse a place that cannot be written before hours of work. Raises ExportError."""
    if output == "-":
        return
    path = Path(output)
    if path.is_dir():
        raise ExportError(f"{option} {output} is a folder. Name a file in it.")
    parent = path.absolute().parent
    if not parent.is_dir():
        raise ExportError(f"{option} {output}: the folder {parent} does not exist. Make it, or name another file.")
    if not os.access(parent, os.W_OK):
        raise ExportError(f"{option} {output}: the folder {parent} may not be written to. Name another file.")


@contextmanager
def whole_file(output: str) -> Iterator[TextIO]:
    """A text file that appears under its name only when the block ended well; "-" is standard output."""
    if output == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    check_output(output)
    path = Path(output).absolute()
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode_for_handed_out_files())
        os.replace(temporary, path)
    except OSError as error:
        raise ExportError(f"--output {output} cannot be written ({error.strerror}). Name another file.") from error
    finally:
        temporary.unlink(missing_ok=True)
