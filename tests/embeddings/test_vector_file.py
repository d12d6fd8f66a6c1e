"""A file of vectors comes back as it was written, or is refused."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embeddings.vector_store.types import keys_of
from embeddings.vector_store.vector_file import DamagedFile, read_vector_file, write_vector_file


def write(path: Path, count: int = 5, dimension: int = 6, **values: str) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(count)
    keys = keys_of([draw.bytes(16).hex() for _ in range(count)])
    vectors = draw.normal(size=(count, dimension)).astype(np.float32)
    settings = {"kind": "text_hash", "model_name": "m", "fingerprint": "f", "dtype": "float16", **values}
    write_vector_file(path, keys=keys, vectors=vectors, **settings)
    return keys, vectors


@pytest.mark.parametrize("count", [0, 1, 5, 1_000])
def test_comes_back_as_it_was_written(tmp_path: Path, count: int) -> None:
    keys, vectors = write(tmp_path / "a", count, model_name="größer")
    file = read_vector_file(tmp_path / "a")
    assert (file.keys == keys).all()
    np.testing.assert_array_equal(file.vectors, vectors.astype(np.float16))
    assert (file.header.model_name, file.header.fingerprint, file.header.count) == ("größer", "f", count)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_keys_that_end_in_zero_bytes_stay_apart(tmp_path: Path) -> None:
    keys = keys_of(["00" * 16, "ab" + "00" * 15, "ab" * 16])
    write_vector_file(
        tmp_path / "a",
        kind="text_hash",
        model_name="m",
        fingerprint="f",
        keys=keys,
        vectors=np.eye(3, dtype=np.float32),
        dtype="float32",
    )
    assert (read_vector_file(tmp_path / "a").keys == keys).all()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("file") / "a"
    write(path)
    return path.read_bytes()


@given(cut=st.integers(0, 10_000))
def test_cut_short_is_noticed(whole: bytes, tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.getbasetemp() / "cut"
    path.write_bytes(whole[: cut % len(whole)])
    with pytest.raises(DamagedFile):
        read_vector_file(path)


@given(position=st.integers(0, 10_000), flip=st.integers(1, 255))
def test_a_changed_byte_is_noticed_or_is_padding(
    whole: bytes, tmp_path_factory: pytest.TempPathFactory, position: int, flip: int
) -> None:
    at = position % len(whole)
    changed = bytearray(whole)
    changed[at] ^= flip
    path = tmp_path_factory.getbasetemp() / "changed"
    path.write_bytes(changed)
    try:
        file = read_vector_file(path)
    except DamagedFile:
        return
    # What names the model is compared by the store; all numbers must be whole.
    original = path.with_name("original")
    original.write_bytes(whole)
    assert (file.vectors == read_vector_file(original).vectors).all()
    assert (file.keys == read_vector_file(original).keys).all()


def test_another_schema_is_refused(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "a"
    path.write_bytes(whole.replace(b'"schema": 1', b'"schema": 9'))
    with pytest.raises(DamagedFile, match="schema 9"):
        read_vector_file(path)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    _, old = write(path, 3)
    with pytest.raises(KeyError):
        write(path, 4, dtype="float8")
    assert read_vector_file(path).header.count == len(old)


def test_a_text_hash_of_the_wrong_length_is_named() -> None:
    with pytest.raises(ValueError, match="'abc' is no text hash"):
        keys_of(["00" * 16, "abc"])
