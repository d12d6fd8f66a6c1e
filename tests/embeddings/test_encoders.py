"""The real MiniLM behind the protocol: right vectors, in order, each text once, tokens where they stand."""

from typing import Any

import numpy as np
import pytest

from embeddings.encoders import MINILM
from embeddings.encoders_batches import BatchingEncoder
from embeddings.errors import EmbeddingError
from embeddings.pooling import normalize_rows

TEXTS = [
    "The baker kneads the dough for ten minutes.",
    "Bread rises while it rests under a damp cloth.",
    "Trains to the coast leave every hour.",
    "x",
    "Ten minutes of kneading, says the baker, and the dough is ready to rest until it has doubled in size.",
]


def test_vectors_are_the_models_own(minilm: BatchingEncoder) -> None:
    vectors = minilm.encode(TEXTS)
    plain = normalize_rows(minilm._model.encode(TEXTS, convert_to_numpy=True))
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), minilm.dimension) == (len(TEXTS), 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert ((vectors * plain).sum(axis=1) > 0.9995).all()
    assert vectors[0] @ vectors[4] > 0.6 > 0.3 > vectors[0] @ vectors[2]


def test_half_precision_agrees_with_full(minilm: BatchingEncoder) -> None:
    from sentence_transformers import SentenceTransformer

    from embeddings.bundled_models import find_minilm_folder
    from linkrec_site.settings import LINKREC_MODEL_DIR

    full = SentenceTransformer(str(find_minilm_folder(LINKREC_MODEL_DIR)), device="cpu", local_files_only=True)
    assert ((minilm.encode(TEXTS) * full.encode(TEXTS)).sum(axis=1) > 0.9995).all()


def rows_of(ids: Any) -> set[tuple[int, ...]]:
    """The different texts of a batch: one that is not full is filled up with copies."""
    return {tuple(row) for row in ids.tolist()}


def test_a_vector_does_not_depend_on_what_is_encoded_beside_it(minilm: BatchingEncoder) -> None:
    texts = [f"{text} {'and so on ' * count}" for text in TEXTS for count in range(5)]
    together, tokens = minilm.encode(texts), minilm.encode_tokens(texts)
    for number in (0, len(texts) // 2, len(texts) - 1):
        np.testing.assert_array_equal(minilm.encode([texts[number]])[0], together[number])
        np.testing.assert_array_equal(minilm.encode_tokens([texts[number]])[0].vectors, tokens[number].vectors)


def test_identical_texts_cost_one_pass_and_keep_their_places(
    minilm: BatchingEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    different = []
    run = minilm._run
    monkeypatch.setattr(
        minilm, "_run", lambda features, **how: different.append(rows_of(features["input_ids"])) or run(features, **how)
    )
    done: list[int] = []
    vectors = minilm.encode(["a cat", "a dog", "a cat", "a cat"], done.append)
    assert [len(rows) for rows in different] == [2]
    assert done == sorted(done)
    assert done[-1] == 4
    np.testing.assert_array_equal(vectors[[0, 0, 0]], vectors[[0, 2, 3]])


def test_order_is_kept_across_batches(minilm: BatchingEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = minilm.encode(TEXTS)
    monkeypatch.setattr(minilm, "_tokens_per_batch", 12)
    monkeypatch.setattr("embeddings.encoders_batches._TEXTS_AT_ONCE", 3)
    assert ((minilm.encode(TEXTS) * whole).sum(axis=1) > 0.9995).all()


def test_odd_texts_do_no_harm(minilm: BatchingEncoder) -> None:
    odd = ["", " ", "\x00", "\ud800 half a pair", "word " * 5_000, "[PAD] [MASK] </s>", "\u200b", "🎉" * 300]
    vectors = minilm.encode(odd)
    assert np.isfinite(vectors).all()
    for text, tokens in zip(odd, minilm.encode_tokens(odd), strict=True):
        assert len(tokens.vectors) == len(tokens.offsets)
        assert ((tokens.offsets >= 0) & (tokens.offsets <= len(text))).all()
    assert minilm.encode([]).shape == (0, 384)
    assert minilm.encode_tokens([]) == []


def test_tokens_stand_where_they_say(minilm: BatchingEncoder) -> None:
    text = "  Don't over-proof the dough, bäcker!  "
    (tokens,) = minilm.encode_tokens([text])
    words = [text[start:end] for start, end in tokens.offsets.tolist()]
    assert words == ["Don", "'", "t", "over", "-", "proof", "the", "dough", ",", "b", "ä", "cker", "!"] or (
        "".join(words) == text.replace(" ", "")
    )
    assert tokens.vectors.dtype == np.float32
    assert tokens.vectors.shape == (len(words), 384)


def test_mean_of_the_tokens_is_nearly_the_sentence(minilm: BatchingEncoder) -> None:
    for text, tokens in zip(TEXTS, minilm.encode_tokens(TEXTS), strict=True):
        mean = tokens.vectors.mean(axis=0)
        cosine = minilm.encode([text])[0] @ mean / np.linalg.norm(mean)
        assert cosine > (0.8 if len(text) > 5 else 0.5)


def test_tokens_do_not_depend_on_their_batch(minilm: BatchingEncoder) -> None:
    together = minilm.encode_tokens([*TEXTS, TEXTS[0]])
    alone = minilm.encode_tokens([TEXTS[0]])[0]
    for tokens in (together[0], together[-1]):
        np.testing.assert_array_equal(tokens.offsets, alone.offsets)
        np.testing.assert_allclose(tokens.vectors, alone.vectors, atol=0.05)


def test_a_full_card_halves_the_batch_and_goes_on(minilm: BatchingEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    run = minilm._run
    seen = []

    def small_card(features: dict[str, torch.Tensor], *, is_pooled: bool) -> np.ndarray:
        seen.append(len(features["input_ids"]))
        if seen[-1] > 2:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return run(features, is_pooled=is_pooled)

    whole = minilm.encode(TEXTS)
    monkeypatch.setattr(minilm, "_run", small_card)
    monkeypatch.setattr(minilm, "_tokens_per_batch", minilm._tokens_per_batch)
    assert ((minilm.encode(TEXTS) * whole).sum(axis=1) > 0.9995).all()
    assert max(seen) > 2

    def no_card(features: dict[str, torch.Tensor], *, is_pooled: bool) -> np.ndarray:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(minilm, "_run", no_card)
    with pytest.raises(EmbeddingError, match=f"{MINILM} does not fit into the memory of the graphics card"):
        minilm.encode(TEXTS)
