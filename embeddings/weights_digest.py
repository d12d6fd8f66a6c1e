"""SHA-256 of weight files, computed once for each state of a file and remembered beside the converted models."""

import contextlib
import hashlib
import json
import os
from pathlib import Path

_CACHE_NAME = "weights_sha256.json"
_WEIGHT_SUFFIXES = (".safetensors", ".bin", ".pt")


def file_sha256(path: Path, cache_dir: Path) -> str:
    """Hex digest of the file; answered from the cache while its size and time of change are the same."""
    status = path.stat()
    state = f"{status.st_size}:{status.st_mtime_ns}"
    cache = _read_cache(cache_dir)
    known = cache.get(str(path.resolve()))
    if known and known[0] == state:
        return known[1]
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    _write_cache(cache_dir, {**cache, str(path.resolve()): [state, digest]})
    return digest


def folder_digest(folder: Path, cache_dir: Path) -> str:
    """32 hex digits that name everything in a model folder that decides about its vectors."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.suffix in _WEIGHT_SUFFIXES:
            digest.update(f"{path.relative_to(folder)}:{file_sha256(path, cache_dir)}\n".encode())
        elif path.suffix in (".json", ".txt", ".model"):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{path.relative_to(folder)}:{content}\n".encode())
    return digest.hexdigest()[:32]


def _read_cache(cache_dir: Path) -> dict[str, list[str]]:
    try:
        cache = json.loads((cache_dir / _CACHE_NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return cache if isinstance(cache, dict) else {}


def _write_cache(cache_dir: Path, cache: dict[str, list[str]]) -> None:
    """A cache that cannot be written costs a second at the next start, nothing else. Files that are gone go from it."""
    cache = {name: state for name, state in cache.items() if os.path.exists(name)}
    with contextlib.suppress(OSError):
        cache_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = cache_dir / f".{_CACHE_NAME}.{os.getpid()}"
        temporary.write_text(json.dumps(cache), "utf-8")
        temporary.replace(cache_dir / _CACHE_NAME)
