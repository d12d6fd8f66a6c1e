"""What an encoder is to the rest of the project. No torch, no Django."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """One sentence's token vectors from one forward pass.

    vectors: (n_tokens, dim) float32, contextual, not normalized, special tokens and model prefixes left out.
    offsets: (n_tokens, 2) int32, character start and end of each token in the sentence as given.
    """

    vectors: NDArray[np.float32]
    offsets: NDArray[np.int32]


class Encoder(Protocol):
    """A sentence-transformers model behind three calls."""

    model_name: str
    dimension: int
    #: changes whenever vectors of two encoders must not be mixed
    fingerprint: str
    #: how many texts to hand over at a time when there are many: some seconds' work. Fixed for a model and device, so
    #: that an embedding that was cut off goes on with the very batches it would have made.
    texts_at_once: int

    def encode(self, texts: Sequence[str], on_progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """(len(texts), dim) float32, L2-normalized, in the order given. `on_progress` gets the number done so far."""
        ...

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Token vectors of each text, from one forward pass over each."""
        ...
