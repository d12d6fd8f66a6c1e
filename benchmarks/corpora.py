"""Finds the measuring corpora and their scorer, unpacks and serves them. Leaves running the product to `product_run`.

A corpus is a folder (or its .tar.xz) with html/, truth.jsonl and meta.json. The scorer and the server stand beside the
corpora, outside of this project, and are used in place: nothing of the product needs them.
"""

import contextlib
import functools
import hashlib
import importlib.util
import json
import os
import re
import tarfile
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ARCHIVE_SUFFIX = ".tar.xz"


class CorporaMissing(Exception):
    """What is needed to measure is not there; the message is one sentence for people."""


def _json_object(text: str, place: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise CorporaMissing(f"{place} is no JSON: {error}. Mend it or take it out.") from error
    if not isinstance(value, dict):
        raise CorporaMissing(f"{place} is no JSON object but {str(value)[:40]!r}. Mend it or take it out.")
    return value


def _hidden_link(line: str, place: str) -> dict[str, Any]:
    link = _json_object(line, place)
    missing = [name for name in ("source", "target", "anchor", "sentence") if not isinstance(link.get(name), str)]
    if missing:
        raise CorporaMissing(f"{place} lacks {', '.join(missing)}. A hidden link has source, target, anchor, sentence.")
    return link


@dataclass(frozen=True, slots=True)
class Corpus:
    """An unpacked corpus. `sha256` is the archive's, or of all files where a folder was given."""

    name: str
    directory: Path
    sha256: str

    def truth(self) -> list[dict[str, Any]]:
        """The hidden links, one row each. Raises CorporaMissing where a line is none, or where there is none at all."""
        file = self.directory / "truth.jsonl"
        lines = file.read_text("utf-8").splitlines()
        links = [_hidden_link(line, f"{file}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]
        if not links:
            raise CorporaMissing(f"{file} holds no hidden link: there is nothing to find, and so nothing to measure.")
        return links

    def meta(self) -> dict[str, Any]:
        """What the corpus says of itself; empty where it says nothing."""
        file = self.directory / "meta.json"
        return _json_object(file.read_text("utf-8"), str(file)) if file.is_file() else {}

    def languages(self) -> dict[str, int]:
        """Pages by language, as the corpus itself says; empty where it says nothing."""
        return dict(self.meta().get("languages", {}))

    def site(self) -> str:
        """The site's name: a slice belongs to its parent's site, and shares pages with it."""
        parent = re.match(r"slice of ([\w.-]+\w)", str(self.meta().get("kind", "")))
        return parent[1] if parent else self.name


def shared_directory() -> Path:
    """The folder beside the checkout that holds corpora/ and eval/; LINKREC_SHARED_DIR names another."""
    return Path(os.environ.get("LINKREC_SHARED_DIR") or ROOT.parent / "shared").expanduser().resolve()


def find_corpora(names: Sequence[str] = (), shared: Path | None = None) -> list[Path]:
    """Archives and folders by path or bare name; every archive of the shared folder where no name is given."""
    folder = (shared or shared_directory()) / "corpora"
    if not names:
        found = sorted(folder.glob(f"*{ARCHIVE_SUFFIX}"))
        if not found:
            raise CorporaMissing(
                f"No corpora under {folder}: name a corpus folder, or set LINKREC_SHARED_DIR to the folder "
                "that holds corpora/ and eval/."
            )
        return found
    paths = []
    for name in names:
        candidates = [Path(name).expanduser(), folder / name, folder / f"{name}{ARCHIVE_SUFFIX}"]
        path = next((path for path in candidates if (path / "truth.jsonl").is_file() or path.is_file()), None)
        if path is None:
            raise CorporaMissing(
                f"No corpus {name!r}: it is neither a folder with truth.jsonl nor an archive in {folder}."
            )
        paths.append(path.resolve())
    return paths


def _sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    for file in files:
        if file != path:
            digest.update(file.relative_to(path).as_posix().encode() + b"\0")
        digest.update(file.read_bytes())
    return digest.hexdigest()


@contextlib.contextmanager
def unpacked(path: Path) -> Iterator[Corpus]:
    """The corpus of a folder (in place) or of an archive (in a temporary folder that goes when the block ends)."""
    sha256 = _sha256_of(path)
    if path.is_dir():
        yield _checked(Corpus(path.name, path, sha256))
        return
    with tempfile.TemporaryDirectory(prefix="linkrec-corpus-") as temporary:
        with tarfile.open(path) as archive:
            archive.extractall(temporary, filter="data")
        truth = next(Path(temporary).glob("**/truth.jsonl"), None)
        if truth is None:
            raise CorporaMissing(f"{path} is not a corpus: it holds no truth.jsonl.")
        yield _checked(Corpus(path.name.removesuffix(ARCHIVE_SUFFIX), truth.parent, sha256))


def _checked(corpus: Corpus) -> Corpus:
    """The corpus, read once before minutes are spent on it."""
    corpus.truth()
    corpus.meta()
    return corpus


def load_measure(name: str, shared: Path | None = None) -> ModuleType:
    """The module eval/NAME.py of the shared folder, loaded in place."""
    path = (shared or shared_directory()) / "eval" / f"{name}.py"
    if not path.is_file():
        raise CorporaMissing(f"{path} is missing: set LINKREC_SHARED_DIR to the folder that holds eval/ and corpora/.")
    spec = importlib.util.spec_from_file_location(f"shared_eval_{name}", path)
    if spec is None or spec.loader is None:
        raise CorporaMissing(f"{path} cannot be loaded as Python.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _answer_whole(self: Any, body: bool = True) -> None:
    for name in ("If-None-Match", "If-Modified-Since"):
        del self.headers[name]
    super(type(self), self).do_GET(body)


@contextlib.contextmanager
def served(corpus: Corpus, port: int = 0, shared: Path | None = None, *, is_conditional: bool = True) -> Iterator[str]:
    """The corpus on 127.0.0.1 while the block runs; gives its start URL. Port 0: any free one.

    Not conditional: every page comes whole, so that a database that was kept is read anew by the code as it is now.
    """
    parts = {} if is_conditional else {"do_GET": _answer_whole}
    handler: Any = type("Handler", (load_measure("serve", shared).Handler,), parts)
    server = ThreadingHTTPServer(
        ("127.0.0.1", port), functools.partial(handler, directory=str(corpus.directory / "html"))
    )
    server.daemon_threads = True
    handler.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
