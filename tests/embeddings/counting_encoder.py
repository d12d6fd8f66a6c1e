"""An encoder without a model: a text's vector is drawn from its hash. Counts what it is given, and can be slow."""

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from crawler.extraction.types import text_hash
from embeddings.pooling import normalize_rows
from embeddings.types import TokenVectors


class CountingEncoder:
    """embeddings.types.Encoder; `encoded` lists all texts it was ever given."""

    def __init__(
        self, model_name: str = "counting", fingerprint: str = "1", texts_at_once: int = 4, seconds: float = 0
    ) -> None:
        self.model_name = model_name
        self.fingerprint = fingerprint
        self.texts_at_once = texts_at_once
        self.dimension = 12
        self.encoded: list[str] = []
        self._seconds = seconds

    def encode(self, texts: Sequence[str], on_progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        time.sleep(self._seconds)
        self.encoded += texts
        if on_progress:
            on_progress(len(texts))
        return normalize_rows(np.array([self.vector(text) for text in texts], np.float32).reshape(-1, self.dimension))

    def vector(self, text: str) -> NDArray[np.float32]:
        return np.random.default_rng(int(text_hash(text)[:8], 16)).normal(size=self.dimension).astype(np.float32)

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        raise NotImplementedError("embed_site asks for no tokens")
