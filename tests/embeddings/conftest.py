"""Models for tests: the real bundled ones, loaded once, and a tiny one made here for whatever needs no meaning."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from embeddings.bundled_models import find_minilm_folder
from embeddings.encoders import E5, MINILM, load_encoder
from embeddings.encoders_batches import BatchingEncoder

TINY_DIMENSION = 16


@pytest.fixture(scope="session")
def minilm() -> BatchingEncoder:
    encoder = load_encoder(MINILM)
    assert isinstance(encoder, BatchingEncoder)
    return encoder


@pytest.fixture(scope="session")
def e5() -> BatchingEncoder:
    encoder = load_encoder(E5)
    assert isinstance(encoder, BatchingEncoder)
    return encoder


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers folder with a dense layer behind its pooling and MiniLM's tokenizer; random weights."""
    return make_tiny_model(tmp_path_factory.mktemp("models") / "tiny")


def make_tiny_model(folder: Path, prompts: dict[str, str] | None = None, default_prompt: str | None = None) -> Path:
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense, Pooling, Transformer
    from transformers import AutoTokenizer, BertConfig, BertModel

    torch.manual_seed(0)
    bare = folder.with_name(folder.name + "-bare")
    config = BertConfig(
        vocab_size=30_522, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64
    )
    BertModel(config).save_pretrained(bare)
    AutoTokenizer.from_pretrained(find_minilm_folder(settings.LINKREC_MODEL_DIR)).save_pretrained(bare)
    modules = [Transformer(str(bare), max_seq_length=64), Pooling(32, "mean"), Dense(32, TINY_DIMENSION)]
    model = SentenceTransformer(modules=modules, prompts=prompts, default_prompt_name=default_prompt, device="cpu")
    model.save(str(folder), create_model_card=False)
    return folder


@pytest.fixture
def fresh_loads() -> Iterator[None]:
    """Loading is remembered for the process; tests of loading itself start and end without."""
    from embeddings.encoders import _load_once

    _load_once.cache_clear()
    yield
    _load_once.cache_clear()
