"""The bundled models: official weights or none, and one conversion however many ask for it."""

import multiprocessing
import os
from pathlib import Path

import pytest
from django.conf import settings

from embeddings import bundled_models
from embeddings.bundled_models import find_e5_folder, find_minilm_folder
from embeddings.encoders import E5, MINILM, load_encoder
from embeddings.errors import ModelUnavailable
from embeddings.weights_digest import file_sha256


def test_minilm_has_the_official_weights() -> None:
    assert (find_minilm_folder(settings.LINKREC_MODEL_DIR) / "modules.json").is_file()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(bundled_models, "_package_folder", lambda package: tmp_path / "package")
    (tmp_path / "package" / "model").mkdir(parents=True)
    return tmp_path / "package"


def test_other_weights_are_refused(package: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"lacks .*model\.safetensors\. Install the packages"):
        find_minilm_folder(tmp_path)
    (package / "model" / "model.safetensors").write_bytes(b"other")
    with pytest.raises(ModelUnavailable, match="are not the official ones: SHA-256 d9298a10d1b0735837dc4bd85dac641b"):
        find_minilm_folder(tmp_path)


def test_a_digest_is_remembered_until_the_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "weights"
    path.write_bytes(b"one")
    first = file_sha256(path, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("hashlib.file_digest", None)
        assert file_sha256(path, tmp_path) == first
    path.write_bytes(b"two")
    os.utime(path, ns=(1, 1))
    assert file_sha256(path, tmp_path) != first
    (tmp_path / "weights_sha256.json").write_text("[damaged")
    assert len(file_sha256(path, tmp_path)) == 64
    assert len(file_sha256(path, Path("/proc/nowhere"))) == 64


def test_a_missing_package_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled_models, "_E5_PACKAGE", "no_such_package")
    with pytest.raises(ModelUnavailable, match="The package no_such_package is not installed"):
        find_e5_folder(tmp_path)


@pytest.mark.parametrize("content", [b"", b"E5S1", b"E5S1" + b"\1\0\0\0" + b"\xff" * 500, b"other" * 100])
def test_an_unknown_model_file_is_said_and_leaves_nothing(package: Path, tmp_path: Path, content: bytes) -> None:
    (package / "e5-small-q4.bin").write_bytes(content)
    with pytest.raises(ModelUnavailable, match="multilingual-e5-small cannot be unpacked"):
        find_e5_folder(tmp_path / "models")
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["conversion.lock"]


def _convert_slowly(model_dir: Path, counter: Path) -> None:
    import time

    def convert(source: Path, folder: Path) -> None:
        with counter.open("a") as file:
            file.write("x")
        time.sleep(0.3)
        (folder / "config.json").write_text("{}")

    bundled_models.convert_e5 = convert
    assert (find_e5_folder(model_dir) / "config.json").is_file()


def test_two_processes_convert_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    (tmp_path / ".multilingual-e5-small-1.4711").mkdir()
    processes = [context.Process(target=_convert_slowly, args=(tmp_path, tmp_path / "counter")) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(20)
    assert [process.exitcode for process in processes] == [0, 0]
    assert (tmp_path / "counter").read_text() == "x"
    assert not list(tmp_path.glob(".multilingual*")), "what a killed conversion left is swept"


def test_no_room_is_said(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (package / "e5-small-q4.bin").write_bytes(b"x")

    def full(source: Path, folder: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(bundled_models, "convert_e5", full)
    with pytest.raises(ModelUnavailable, match=r"\(No space left on device\)\. It needs 250 MB; make room"):
        find_e5_folder(tmp_path / "models")


@pytest.mark.parametrize("name", [MINILM, E5])
@pytest.mark.usefixtures("fresh_loads")
def test_bundled_models_never_touch_the_network(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError(f"A connection to {args[1:]} was tried.")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    assert load_encoder(name).encode(["a cat"]).shape == (1, 384)
