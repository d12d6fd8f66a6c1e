"""The store of one machine: nothing is lost, mixed or served damaged."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from embeddings.errors import EmbeddingError, VectorsMissing
from embeddings.pooling import normalize_rows
from embeddings.vector_store.local_files import LocalFilesStore, LocalSiteVectorWriter
from embeddings.vector_store.types import keys_of

DIMENSION = 8
SITE = 3


def hashes(*numbers: int) -> list[str]:
    return [hashlib.md5(str(number).encode()).hexdigest() for number in numbers]


def vectors_for(*numbers: int) -> NDArray[np.float32]:
    return normalize_rows(
        np.array([np.random.default_rng(number).normal(size=DIMENSION) for number in numbers]).astype(np.float32)
    ).reshape(-1, DIMENSION)


def writer_of(store: LocalFilesStore, fingerprint: str = "one", model_name: str = "model/a") -> LocalSiteVectorWriter:
    return store.open_writer(SITE, model_name, fingerprint, DIMENSION)


def add(writer: LocalSiteVectorWriter, *numbers: int) -> None:
    writer.add(keys_of(hashes(*numbers)), vectors_for(*numbers))


def set_pages(writer: LocalSiteVectorWriter) -> None:
    writer.set_pages(np.array([11, 12]), vectors_for(1, 2))


@pytest.fixture
def store(tmp_path: Path) -> LocalFilesStore:
    return LocalFilesStore(tmp_path / "vectors")


def segment_files(store: LocalFilesStore, tmp_path: Path) -> list[Path]:
    return sorted(tmp_path.glob("vectors/*/*/*.segment"))


def test_what_was_added_is_found_by_hash(store: LocalFilesStore) -> None:
    writer = writer_of(store)
    add(writer, 1, 2, 3)
    add(writer, 4, 5)
    set_pages(writer)
    vectors = store.open_site(SITE, "model/a")
    rows = vectors.rows_of(hashes(5, 99, 1, 5))
    assert (rows < 0).tolist() == [False, True, False, False]
    np.testing.assert_allclose(vectors.take(rows[rows >= 0]), vectors_for(5, 1, 5), atol=1e-3)
    assert vectors.page_ids.tolist() == [11, 12]
    np.testing.assert_array_equal(vectors.page_vectors, vectors_for(1, 2))
    assert (vectors.model_name, vectors.fingerprint, vectors.dimension) == ("model/a", "one", DIMENSION)


def test_a_row_that_is_not_there_is_refused(store: LocalFilesStore) -> None:
    writer = writer_of(store)
    add(writer, 1)
    for rows in ([-1], [1]):
        with pytest.raises(IndexError, match="not all among the 1 stored"):
            writer.take(np.array(rows))
    assert writer.take(np.zeros(0, np.int64)).shape == (0, DIMENSION)


def test_before_pages_are_set_nothing_is_served_but_nothing_is_lost(store: LocalFilesStore) -> None:
    add(writer_of(store), 1, 2)
    with pytest.raises(VectorsMissing, match=r"Site 3 has no vectors of the model model/a\. Run .*embed_site 3"):
        store.open_site(SITE, "model/a")
    assert (writer_of(store).rows_of(hashes(1, 2, 3)) >= 0).tolist() == [True, True, False]


def test_a_new_version_of_a_model_never_meets_the_old_one(store: LocalFilesStore, tmp_path: Path) -> None:
    old = writer_of(store, "one")
    add(old, 1, 2)
    set_pages(old)
    new = writer_of(store, "two")
    assert (new.rows_of(hashes(1, 2)) == -1).all()
    add(new, 1)
    assert store.open_site(SITE, "model/a").fingerprint == "one", "the old one serves until the new one is whole"
    set_pages(new)
    assert store.open_site(SITE, "model/a").fingerprint == "two"
    new.sweep(keys_of(hashes(1)))
    assert len(list((tmp_path / "vectors" / str(SITE)).glob("*/"))) == 1
    with pytest.raises(VectorsMissing, match="another version of model/a"):
        store.open_site(SITE, "model/a", "one")


def test_names_that_look_alike_as_folders_stay_apart(store: LocalFilesStore) -> None:
    for name in ("model/a", "model-a"):
        writer = writer_of(store, name, name)
        set_pages(writer)
    assert store.open_site(SITE, "model-a").fingerprint == "model-a"
    assert store.open_site(SITE, "model/a").fingerprint == "model/a"


def test_dead_rows_are_swept_out(store: LocalFilesStore, tmp_path: Path) -> None:
    writer = writer_of(store)
    add(writer, *range(10))
    add(writer, *range(10, 20))
    set_pages(writer)
    writer.sweep(keys_of(hashes(*range(15))))
    assert (writer.rows_of(hashes(*range(20))) >= 0).all(), "a quarter of dead rows is not worth a rewrite"
    writer.sweep(keys_of(hashes(*range(5), *range(12, 15))))
    kept = store.open_site(SITE, "model/a")
    assert (kept.rows_of(hashes(*range(20))) >= 0).nonzero()[0].tolist() == [0, 1, 2, 3, 4, 12, 13, 14]
    np.testing.assert_allclose(kept.take(kept.rows_of(hashes(13))), vectors_for(13), atol=1e-3)
    assert len(segment_files(store, tmp_path)) == 1
    assert len(writer.page_ids) == 2


def test_many_small_segments_become_one(store: LocalFilesStore, tmp_path: Path) -> None:
    writer = writer_of(store)
    for number in range(20):
        add(writer, number)
    reader_rows = writer.rows_of(hashes(*range(20)))
    before = writer.take(reader_rows)
    writer.sweep(keys_of(hashes(*range(20))))
    assert len(segment_files(store, tmp_path)) == 1
    np.testing.assert_array_equal(writer.take(writer.rows_of(hashes(*range(20)))), before)


def test_a_reader_outlives_a_sweep(store: LocalFilesStore) -> None:
    writer = writer_of(store)
    add(writer, 1, 2, 3, 4)
    set_pages(writer)
    reader = store.open_site(SITE, "model/a")
    writer.sweep(keys_of(hashes(4)))
    np.testing.assert_allclose(reader.take(reader.rows_of(hashes(1))), vectors_for(1), atol=1e-3)


def test_doubles_of_a_killed_sweep_do_no_harm(store: LocalFilesStore, tmp_path: Path) -> None:
    writer = writer_of(store)
    add(writer, 1, 2)
    set_pages(writer)
    (first,) = segment_files(store, tmp_path)
    first.with_name("000002.segment").write_bytes(first.read_bytes())
    vectors = store.open_site(SITE, "model/a")
    assert vectors.rows_of(hashes(1, 2)).tolist() == [0, 1]


@pytest.mark.parametrize("damage", ["cut", "flip", "empty"])
def test_a_damaged_segment_is_said_and_embedded_again(store: LocalFilesStore, tmp_path: Path, damage: str) -> None:
    writer = writer_of(store)
    add(writer, 1, 2)
    add(writer, 3)
    set_pages(writer)
    path = segment_files(store, tmp_path)[0]
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes({"cut": data[:-9], "flip": bytes(data), "empty": b""}[damage])
    with pytest.raises(VectorsMissing, match=r"Vectors of site 3 are damaged: .*000001\.segment .*Run `python"):
        store.open_site(SITE, "model/a")
    again = writer_of(store)
    assert (again.rows_of(hashes(1, 2, 3)) >= 0).tolist() == [False, False, True]
    add(again, 1, 2)
    assert (store.open_site(SITE, "model/a").rows_of(hashes(1, 2, 3)) >= 0).all()


def test_damaged_pages_count_as_none(store: LocalFilesStore, tmp_path: Path) -> None:
    set_pages(writer_of(store))
    (path,) = tmp_path.glob("vectors/*/*/pages.vectors")
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(VectorsMissing):
        store.open_site(SITE, "model/a")
    assert len(writer_of(store).page_ids) == 0


def test_a_segment_of_another_model_is_no_vector_of_this_one(store: LocalFilesStore, tmp_path: Path) -> None:
    add(writer_of(store, "one"), 1)
    (path,) = segment_files(store, tmp_path)
    writer_of(store, "two")
    (folder,) = (other for other in path.parent.parent.iterdir() if other.is_dir() and other != path.parent)
    (folder / path.name).write_bytes(path.read_bytes())
    assert writer_of(store, "two").rows_of(hashes(1)).tolist() == [-1]


def test_left_over_unfinished_files_are_swept(store: LocalFilesStore, tmp_path: Path) -> None:
    writer = writer_of(store)
    add(writer, 1)
    (segment,) = segment_files(store, tmp_path)
    left_over = segment.with_name(".000002.segment.4711")
    left_over.write_bytes(b"half")
    writer.sweep(keys_of(hashes(1)))
    assert not left_over.exists()


def test_an_unwritable_folder_is_one_sentence(
    store: LocalFilesStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    writer = writer_of(store)

    def full(*args: object, **values: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("embeddings.vector_store.local_files.write_vector_file", full)
    with pytest.raises(EmbeddingError, match=r"cannot be written to .* \(No space left on device\)\. Make room"):
        add(writer, 1)


def test_forgetting_a_site_leaves_the_others(store: LocalFilesStore) -> None:
    set_pages(writer_of(store))
    other = store.open_writer(4, "model/a", "one", DIMENSION)
    set_pages(other)
    store.forget_site(SITE)
    store.forget_site(99)
    with pytest.raises(VectorsMissing):
        store.open_site(SITE, "model/a")
    assert len(store.open_site(4, "model/a").page_ids) == 2


def test_vectors_of_the_wrong_shape_are_named(store: LocalFilesStore) -> None:
    with pytest.raises(ValueError, match=r"\(2, 3\) do not fit 1 keys of 8"):
        writer_of(store).add(keys_of(hashes(1)), np.zeros((2, 3), np.float32))
