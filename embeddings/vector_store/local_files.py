"""The store of one machine: a folder for each site and model, in it segments of sentence vectors and one file of pages.

    <root>/<site id>/<model name>-<hash of name and fingerprint>/000001.segment, 000002.segment, ..., pages.vectors

Segments are only ever added; a sweep rewrites them when many of their sentences are gone from the site. A model's
folder counts for readers once it has pages. The files themselves are vector_file's matter.
"""

import contextlib
import fcntl
import hashlib
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from embeddings.errors import EmbeddingError, VectorsMissing
from embeddings.vector_store.segments import Segments
from embeddings.vector_store.types import Keys, check_shapes, keys_of
from embeddings.vector_store.vector_file import DamagedFile, VectorFile, read_vector_file, write_vector_file

_PAGES_NAME = "pages.vectors"
_SEGMENT_SUFFIX = ".segment"
#: Rewrite when more than this share of the rows is dead, or when so many small segments have gathered.
_DEAD_SHARE = 0.3
_MOST_SEGMENTS = 16
_ROWS_PER_SEGMENT = 16_384


class LocalFilesStore:
    """embeddings.vector_store.types.VectorStore on a folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def open_site(self, site_id: int, model_name: str, fingerprint: str | None = None) -> "LocalSiteVectors":
        """To read. Raises VectorsMissing."""
        again = f"Run `python manage.py embed_site {site_id} --model {model_name}`."
        pages = self._newest_pages(site_id, model_name)
        if pages is None:
            raise VectorsMissing(f"Site {site_id} has no vectors of the model {model_name}. {again}")
        folder, file = pages
        if fingerprint is not None and file.header.fingerprint != fingerprint:
            raise VectorsMissing(f"Site {site_id} was embedded with another version of {model_name}. {again}")
        vectors = LocalSiteVectors(folder, model_name, file.header.fingerprint, file.header.dimension)
        if damaged := vectors.load():
            raise VectorsMissing(f"Vectors of site {site_id} are damaged: {damaged[0]} {again}")
        return vectors

    def open_writer(self, site_id: int, model_name: str, fingerprint: str, dimension: int) -> "LocalSiteVectorWriter":
        """To embed into; damaged files are thrown away, so that their sentences are embedded again."""
        folder = self._root / str(site_id) / _folder_name(model_name, fingerprint)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        writer = LocalSiteVectorWriter(folder, model_name, fingerprint, dimension)
        with writer.locked():
            writer.load(is_repairing=True)
        return writer

    def forget_site(self, site_id: int) -> None:
        """Drop all vectors of the site."""
        shutil.rmtree(self._root / str(site_id), ignore_errors=True)

    def _newest_pages(self, site_id: int, model_name: str) -> tuple[Path, VectorFile] | None:
        """Two folders of one model name stand side by side while a new version of it is being embedded."""
        paths = list((self._root / str(site_id)).glob(f"{_slug(model_name)}-*/{_PAGES_NAME}"))
        for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns, reverse=True):
            with contextlib.suppress(DamagedFile, FileNotFoundError):
                file = read_vector_file(path)
                if file.header.model_name == model_name:
                    return path.parent, file
        return None


class LocalSiteVectors:
    """embeddings.vector_store.types.SiteVectors on one folder of files."""

    def __init__(self, folder: Path, model_name: str, fingerprint: str, dimension: int) -> None:
        self.model_name = model_name
        self.fingerprint = fingerprint
        self.dimension = dimension
        self._folder = folder
        self._segments = Segments(dimension)
        self._pages: VectorFile | None = None

    def load(self, *, is_repairing: bool = False) -> list[str]:
        """Open all files; what is wrong with the damaged ones, which are deleted when repairing."""
        damaged = []
        self._segments = Segments(self.dimension)
        for path in [*self._segment_paths(), self._folder / _PAGES_NAME]:
            try:
                file = read_vector_file(path)
                if (file.header.fingerprint, file.header.dimension) != (self.fingerprint, self.dimension):
                    raise DamagedFile(f"{path} belongs to another model.")
            except FileNotFoundError:
                continue
            except DamagedFile as error:
                damaged.append(str(error))
                if is_repairing:
                    path.unlink(missing_ok=True)
                continue
            if path.name == _PAGES_NAME:
                self._pages = file
            else:
                self._segments.append(file.keys, file.vectors)
        return damaged

    @property
    def page_ids(self) -> NDArray[np.int64]:
        """(n_pages,) ascending."""
        return np.zeros(0, np.int64) if self._pages is None else self._pages.keys

    @property
    def page_vectors(self) -> NDArray[np.float32]:
        """(n_pages, dim) float32."""
        return np.zeros((0, self.dimension), np.float32) if self._pages is None else self._pages.vectors

    def rows_of(self, hashes: Sequence[str]) -> NDArray[np.int64]:
        """(n,) row of each text hash, -1 where it was never embedded."""
        return self._segments.find(keys_of(hashes))

    def find(self, keys: Keys) -> NDArray[np.int64]:
        """As rows_of, for keys."""
        return self._segments.find(keys)

    def take(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """(n, dim) float32."""
        return self._segments.take(rows)

    def _segment_paths(self) -> list[Path]:
        return sorted(self._folder.glob(f"*{_SEGMENT_SUFFIX}"))


class LocalSiteVectorWriter(LocalSiteVectors):
    """embeddings.vector_store.types.SiteVectorWriter on one folder of files."""

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Two embeddings of one site may overlap for a moment, when one was thought dead: they take turns."""
        with open(self._folder.parent / "write.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            try:
                yield
            except OSError as error:
                raise EmbeddingError(
                    f"The vectors cannot be written to {self._folder} ({error.strerror or error}). "
                    "Make room there, or set LINKREC_DATA_DIR to another folder, and embed again."
                ) from error

    def add(self, keys: Keys, vectors: NDArray[np.float32]) -> None:
        """Write one segment."""
        check_shapes(keys, vectors, self.dimension)
        if not len(keys):
            return
        with self.locked():
            path = self._write_segment(keys, vectors.astype(np.float16))
        # Read back: what is mapped from the file need not stay in memory.
        file = read_vector_file(path)
        self._segments.append(file.keys, file.vectors)

    def set_pages(self, page_ids: NDArray[np.int64], page_vectors: NDArray[np.float32]) -> None:
        """Replace the file of pages."""
        check_shapes(page_ids, page_vectors, self.dimension)
        path = self._folder / _PAGES_NAME
        with self.locked():
            write_vector_file(
                path,
                kind="page_id",
                model_name=self.model_name,
                fingerprint=self.fingerprint,
                keys=page_ids,
                vectors=page_vectors,
                dtype="float32",
            )
        self._pages = read_vector_file(path)

    def sweep(self, live: Keys) -> None:
        """Rewrite the segments when that is worth it; drop other models' folders."""
        with self.locked():
            for folder in self._folder.parent.iterdir():
                if folder.is_dir() and folder != self._folder:
                    shutil.rmtree(folder, ignore_errors=True)
            for left_over in self._folder.glob(".*"):
                left_over.unlink(missing_ok=True)
            self.load()
            rows = np.unique(self._segments.find(live))
            rows = rows[rows >= 0]
            paths = self._segment_paths()
            if len(rows) < len(self._segments) * (1 - _DEAD_SHARE) or len(paths) > _MOST_SEGMENTS:
                self._rewrite(rows, paths)

    def _rewrite(self, rows: NDArray[np.int64], old_paths: list[Path]) -> None:
        """New segments first, then the old ones go: a process killed between leaves doubles, which do no harm."""
        for start in range(0, len(rows), _ROWS_PER_SEGMENT):
            part = rows[start : start + _ROWS_PER_SEGMENT]
            self._write_segment(self._segments.keys[part], self._segments.take(part).astype(np.float16))
        for path in old_paths:
            path.unlink(missing_ok=True)
        self.load()

    def _write_segment(self, keys: Keys, values: NDArray[np.float16]) -> Path:
        paths = self._segment_paths()
        path = self._folder / f"{int(paths[-1].stem) + 1 if paths else 1:06d}{_SEGMENT_SUFFIX}"
        write_vector_file(
            path,
            kind="text_hash",
            model_name=self.model_name,
            fingerprint=self.fingerprint,
            keys=keys,
            vectors=values,
            dtype="float16",
        )
        return path


def _slug(model_name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", model_name).strip(".-")[-60:] or "model"


def _folder_name(model_name: str, fingerprint: str) -> str:
    digest = hashlib.sha256(f"{model_name}\n{fingerprint}".encode()).hexdigest()
    return f"{_slug(model_name)}-{digest[:12]}"
