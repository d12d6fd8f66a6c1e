"""An encoder that is loaded when the first text is to be encoded: a site without new text needs no model at all.

What must be known before (fingerprint, dimension) was written down when the same weights were loaded last. Leaves
loading to encoders.
"""

import contextlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embeddings.encoders_sources import weights_of
from embeddings.types import Encoder, TokenVectors

_FILE_NAME = "encoders.json"


@dataclass(frozen=True, slots=True)
class KnownEncoder:
    """What is known of an encoder without loading it."""

    fingerprint: str
    dimension: int


def known_encoder(model_name: str, model_dir: Path) -> KnownEncoder | None:
    """Of the weights as they lie on this machine now; None where they were not loaded before, or lie nowhere."""
    known = _read(model_dir).get(model_name)
    if known is None:
        return None
    weights = weights_of(model_name, model_dir)
    try:
        return KnownEncoder(str(known["fingerprint"]), int(known["dimension"])) if known["weights"] == weights else None
    except (KeyError, TypeError, ValueError):
        return None


def remember_encoder(model_name: str, model_dir: Path, encoder: Encoder) -> None:
    """Write down what known_encoder tells. Where that cannot be, the next run loads the model a little sooner."""
    values = asdict(KnownEncoder(encoder.fingerprint, encoder.dimension))
    every = {**_read(model_dir), model_name: {**values, "weights": weights_of(model_name, model_dir)}}
    with contextlib.suppress(OSError):
        model_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = model_dir / f".{_FILE_NAME}.{os.getpid()}"
        temporary.write_text(json.dumps(every), "utf-8")
        temporary.replace(model_dir / _FILE_NAME)


def _read(model_dir: Path) -> dict[str, dict[str, Any]]:
    try:
        data = json.loads((model_dir / _FILE_NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


class LazyEncoder:
    """embeddings.types.Encoder, loaded by the first call that needs it."""

    def __init__(self, model_name: str, known: KnownEncoder, load: Callable[[], Encoder]) -> None:
        self.model_name = model_name
        self.fingerprint = known.fingerprint
        self.dimension = known.dimension
        self._load = load

    @cached_property
    def _encoder(self) -> Encoder:
        return self._load()

    @property
    def texts_at_once(self) -> int:
        """Asked for only when there are texts to encode."""
        return self._encoder.texts_at_once

    @texts_at_once.setter
    def texts_at_once(self, value: int) -> None:
        raise AttributeError("How many texts are encoded at once is the model's own matter.")

    def encode(self, texts: Sequence[str], on_progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        if not len(texts):
            return np.zeros((0, self.dimension), np.float32)
        return self._encoder.encode(texts, on_progress)

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        return self._encoder.encode_tokens(texts) if len(texts) else []
