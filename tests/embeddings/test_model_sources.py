"""Any model by name or path, or one clear sentence."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from embeddings.encoders import load_encoder
from embeddings.errors import ModelUnavailable
from tests.embeddings.conftest import TINY_DIMENSION, make_tiny_model

pytestmark = pytest.mark.usefixtures("fresh_loads")


def test_a_folder_with_a_dense_layer(tiny_model: Path) -> None:
    encoder = load_encoder(str(tiny_model))
    assert (encoder.model_name, encoder.dimension) == (str(tiny_model), TINY_DIMENSION)
    assert encoder.encode(["a cat", "a dog"]).shape == (2, TINY_DIMENSION)
    (tokens,) = encoder.encode_tokens(["a cat"])
    assert tokens.vectors.shape == (2, TINY_DIMENSION), "token vectors live where sentence vectors do"
    assert len(encoder.encode_tokens(["word " * 500])[0].offsets) == 62, "the model's own limit holds"


def test_a_declared_prompt_is_used_and_hidden(tmp_path: Path, tiny_model: Path) -> None:
    prompted = load_encoder(str(make_tiny_model(tmp_path / "prompted", {"text": "search: "}, "text")))
    vectors, (tokens,) = prompted.encode(["a cat"]), prompted.encode_tokens(["a cat"])
    plain = load_encoder(str(tiny_model))
    assert tokens.offsets.tolist() == [[0, 1], [2, 5]]
    assert vectors[0] @ plain.encode(["search: a cat"])[0] > 0.999
    assert plain.fingerprint.split(":")[-2:] != prompted.fingerprint.split(":")[-2:]


def test_loading_is_remembered_and_changed_weights_are_another_model(tmp_path: Path) -> None:
    folder = make_tiny_model(tmp_path / "model")
    encoder = load_encoder(str(folder))
    assert load_encoder(str(folder)) is encoder
    weights = folder / "model.safetensors"
    changed = bytearray(weights.read_bytes())
    changed[-1] ^= 1
    weights.write_bytes(changed)
    from embeddings.encoders import _load_once

    _load_once.cache_clear()
    assert load_encoder(str(folder)).fingerprint != encoder.fingerprint


def test_a_missing_folder_is_said() -> None:
    with pytest.raises(ModelUnavailable, match=r"There is no model folder /no/such/folder\. Correct the path"):
        load_encoder("/no/such/folder")


def test_a_folder_without_a_model_is_said(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no model")
    with pytest.raises(ModelUnavailable, match=r"cannot be loaded from .*Check that it is a complete"):
        load_encoder(str(tmp_path))


@pytest.mark.parametrize("name", ["", "  "])
def test_no_name_is_said(name: str) -> None:
    with pytest.raises(ModelUnavailable, match="The model has no name"):
        load_encoder(name)


class EmptyHub(http.server.BaseHTTPRequestHandler):
    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(404)
        self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_HEAD = do_GET

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def empty_hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), EmptyHub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
    yield address
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_name_the_hub_does_not_know(empty_hub: str) -> None:
    with pytest.raises(ModelUnavailable, match=f"There is no model no-such-model on this machine or at {empty_hub}"):
        load_encoder("no-such-model")
    assert any("sentence-transformers/no-such-model" in path for path in EmptyHub.asked)


def test_a_hub_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    sentence = r"The model sentence-transformers/LaBSE is not on this machine, and the model hub .* cannot be reached\."
    with pytest.raises(ModelUnavailable, match=sentence):
        load_encoder("sentence-transformers/LaBSE")


def test_a_name_that_cannot_be_one(empty_hub: str) -> None:
    with pytest.raises(ModelUnavailable, match=r"There is no model what is this\?"):
        load_encoder("what is this?")


def test_vectors_of_a_loaded_folder_are_the_models_own(tiny_model: Path) -> None:
    from sentence_transformers import SentenceTransformer

    texts = ["a cat sat", "on a mat", "on a mat"]
    plain = SentenceTransformer(str(tiny_model), device="cpu").encode(texts, normalize_embeddings=True)
    assert ((load_encoder(str(tiny_model)).encode(texts) * plain).sum(axis=1) > 0.999).all()
    assert np.isfinite(plain).all()
