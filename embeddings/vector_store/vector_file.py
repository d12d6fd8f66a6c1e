"""One file of vectors: a header that says what is inside, the keys, the vectors. Written whole or not at all.

Layout: 8 bytes magic, the header's length (uint32), the header (JSON), padding to 64 bytes, the keys, padding to 64
bytes, the vectors. All numbers are little-endian. The header carries a CRC-32 of keys and vectors, so that a damaged
file is noticed when it is opened. What the files of a site mean together is local_files' matter.
"""

import json
import os
import struct
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SCHEMA_VERSION = 1
_MAGIC = b"LRVECTOR"
_ALIGNMENT = 64
_KEY_TYPES = {"text_hash": "S16", "page_id": "<i8"}
_VECTOR_TYPES = {"float16": "<f2", "float32": "<f4"}


class DamagedFile(Exception):
    """The file is cut short, changed, or of another version."""


@dataclass(frozen=True, slots=True)
class VectorHeader:
    """What is inside. `kind` names the keys: text_hash or page_id."""

    schema: int
    kind: str
    model_name: str
    fingerprint: str
    dimension: int
    count: int
    dtype: str
    crc32: int


@dataclass(frozen=True, slots=True)
class VectorFile:
    """keys: (count,); vectors: (count, dimension), memory-mapped."""

    header: VectorHeader
    keys: NDArray[Any]
    vectors: NDArray[Any]


def write_vector_file(
    path: Path, *, kind: str, model_name: str, fingerprint: str, keys: NDArray[Any], vectors: NDArray[Any], dtype: str
) -> None:
    """Write beside `path`, flush to the disk, and rename: readers see the old file or the whole new one."""
    key_bytes = np.ascontiguousarray(keys, _KEY_TYPES[kind]).tobytes()
    values = np.ascontiguousarray(vectors, _VECTOR_TYPES[dtype])
    header = VectorHeader(
        schema=SCHEMA_VERSION,
        kind=kind,
        model_name=model_name,
        fingerprint=fingerprint,
        dimension=values.shape[1],
        count=len(values),
        dtype=dtype,
        crc32=zlib.crc32(values.data.cast("B"), zlib.crc32(key_bytes)) if values.size else zlib.crc32(key_bytes),
    )
    text = json.dumps(asdict(header)).encode()
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            for part in (_MAGIC + struct.pack("<I", len(text)) + text, key_bytes, values.tobytes()):
                file.write(b"\0" * (-file.tell() % _ALIGNMENT))
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    _flush_folder(path.parent)


def read_vector_file(path: Path) -> VectorFile:
    """Open and check the whole file. Raises DamagedFile; FileNotFoundError when there is none."""
    with path.open("rb") as file:
        start = file.read(len(_MAGIC) + 4)
        if len(start) < len(_MAGIC) + 4 or not start.startswith(_MAGIC):
            raise DamagedFile(f"{path} is no file of vectors.")
        length = struct.unpack("<I", start[len(_MAGIC) :])[0]
        header = _parse_header(path, file.read(min(length, 1_000_000)))
    key_type, vector_type = np.dtype(_KEY_TYPES[header.kind]), np.dtype(_VECTOR_TYPES[header.dtype])
    keys_at = _aligned(len(start) + length)
    key_size = header.count * key_type.itemsize
    vectors_at = _aligned(keys_at + key_size)
    size = vectors_at + header.count * header.dimension * vector_type.itemsize
    if path.stat().st_size != size:
        raise DamagedFile(f"{path} is cut short.")
    data = np.memmap(path, np.uint8, mode="r")
    keys = data[keys_at : keys_at + key_size].view(key_type)
    vectors = data[vectors_at:size].view(vector_type).reshape(header.count, header.dimension)
    if zlib.crc32(data[vectors_at:size].data, zlib.crc32(data[keys_at : keys_at + key_size].data)) != header.crc32:
        raise DamagedFile(f"{path} was changed or damaged.")
    return VectorFile(header, np.array(keys), vectors)


def _parse_header(path: Path, text: bytes) -> VectorHeader:
    try:
        values = json.loads(text)
        if values["schema"] != SCHEMA_VERSION:
            raise DamagedFile(f"{path} has the schema {values['schema']}, not {SCHEMA_VERSION}.")
        header = VectorHeader(**values)
        _KEY_TYPES[header.kind], _VECTOR_TYPES[header.dtype]
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedFile(f"{path} has a damaged header.") from error
    return header


def _aligned(position: int) -> int:
    return position + -position % _ALIGNMENT


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
