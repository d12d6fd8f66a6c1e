"""The encoder itself: tokenizes, sorts by length, runs batches of a token budget, hands float32 arrays back.

On a processor a text's vector depends on nothing but the text: its length decides the shape of its batch, batches of a
shape are always full, and so the same numbers are added in the same order whatever else is encoded beside it. A run
that encodes a few new pages thus gets what a run over the whole site would get. Leaves finding and loading the model to
encoders_sources.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from embeddings.encoders_devices import Device
from embeddings.errors import EmbeddingError
from embeddings.token_offsets import tokens_of_text
from embeddings.types import TokenVectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from torch import Tensor

#: Texts tokenized at once: enough to fill batches of equal lengths, little enough to stay small.
_TEXTS_AT_ONCE = 8_192
#: Batches are as wide as the next multiple of this, so that few shapes cover all lengths.
_WIDTH_STEP = 4


class BatchingEncoder:
    """A loaded sentence-transformers model as embeddings.types.Encoder."""

    def __init__(
        self,
        *,
        model: "SentenceTransformer",
        model_name: str,
        fingerprint: str,
        prefix: str,
        device: Device,
        max_tokens: int,
    ) -> None:
        self.model_name = model_name
        self.fingerprint = fingerprint
        self.dimension = int(model.get_embedding_dimension() or 0)
        self.texts_at_once = texts_at_once(device, self.dimension)
        self._model = model
        self._prefix = prefix
        self._device = device
        self._tokens_per_batch = device.tokens_per_batch
        self._max_tokens = min(max_tokens, model.max_seq_length or max_tokens)
        # Pooling in float32 costs nothing and keeps what half precision would round away.
        for module in list(model)[1:]:
            module.float()

    def encode(self, texts: Sequence[str], on_progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """(len(texts), dim) float32, L2-normalized, in the order given; identical texts cost one pass."""
        unique = list(dict.fromkeys(texts))
        vectors = np.zeros((len(unique), self.dimension), np.float32)
        done = 0
        for start in range(0, len(unique), _TEXTS_AT_ONCE):
            ids = self._tokenize(unique[start : start + _TEXTS_AT_ONCE])["input_ids"]
            for members, features in self._batches(ids):
                output = self._forward(features, is_pooled=True)
                vectors[start + members] = output[: len(members)]
                done += len(members)
                if on_progress:
                    on_progress(min(done, len(texts)))
        _normalize(vectors)
        if len(unique) == len(texts):
            return vectors
        position = {text: index for index, text in enumerate(unique)}
        if on_progress:
            on_progress(len(texts))
        return vectors[[position[text] for text in texts]]

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Contextual token vectors of each text, with their character offsets in it."""
        found: dict[str, TokenVectors] = {}
        unique = list(dict.fromkeys(texts))
        for start in range(0, len(unique), _TEXTS_AT_ONCE):
            part = unique[start : start + _TEXTS_AT_ONCE]
            tokens = self._tokenize(part, with_offsets=True)
            for members, features in self._batches(tokens["input_ids"]):
                output = self._forward(features, is_pooled=False)
                padding = features["attention_mask"].cpu().numpy().astype(bool)
                for row, member in enumerate(members):
                    kept, offsets = tokens_of_text(
                        part[member],
                        np.asarray(tokens["offset_mapping"][member], np.int32),
                        np.asarray(tokens["special_tokens_mask"][member], bool),
                        len(self._prefix),
                    )
                    found[part[member]] = TokenVectors(output[row][padding[row]][kept], offsets)
        return [found[text] for text in texts]

    def _tokenize(self, texts: Sequence[str], *, with_offsets: bool = False) -> Any:
        prepared = [self._prefix + text.encode("utf-8", "replace").decode() for text in texts]
        return self._model.tokenizer(
            prepared,
            truncation=True,
            max_length=self._max_tokens,
            return_attention_mask=False,
            return_token_type_ids=False,
            return_offsets_mapping=with_offsets,
            return_special_tokens_mask=with_offsets,
        )

    def _batches(self, ids: Sequence[Sequence[int]]) -> Iterator[tuple[NDArray[np.int64], dict[str, "Tensor"]]]:
        """(members, features) of batches of similar lengths, longest first: memory runs out at once or never.

        On a processor the last batch of a shape is filled up with copies: its first rows are the members.
        """
        lengths = np.array([len(row) for row in ids])
        order = np.argsort(-lengths, kind="stable")
        is_filled = self._device.name == "cpu"
        at = 0
        while at < len(order):
            width = int(lengths[order[at]])
            if is_filled:
                width = max(_WIDTH_STEP, -(-width // _WIDTH_STEP) * _WIDTH_STEP)
            count = max(1, self._tokens_per_batch // max(1, width))
            members = order[at : at + count]
            if is_filled:
                members = members[lengths[members] > width - _WIDTH_STEP]
            rows = [ids[member] for member in members]
            yield members, self._pad(rows + rows[-1:] * (count - len(rows) if is_filled else 0), width)
            at += len(members)

    def _pad(self, rows: Sequence[Sequence[int]], width: int) -> dict[str, "Tensor"]:
        import torch

        tokenizer = self._model.tokenizer
        ids = np.full((len(rows), width), tokenizer.pad_token_id or 0, np.int64)
        mask = np.zeros((len(rows), width), np.int64)
        for index, row in enumerate(rows):
            at = slice(width - len(row), width) if tokenizer.padding_side == "left" else slice(0, len(row))
            ids[index, at] = row
            mask[index, at] = 1
        features = {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)}
        if "token_type_ids" in tokenizer.model_input_names:
            features["token_type_ids"] = torch.zeros_like(features["input_ids"])
        return {name: tensor.to(self._device.name) for name, tensor in features.items()}

    def _forward(self, features: dict[str, "Tensor"], *, is_pooled: bool) -> NDArray[np.float32]:
        """One batch, halved for as long as the card's memory does not hold it."""
        import torch

        try:
            return self._run(features, is_pooled=is_pooled)
        except torch.OutOfMemoryError as error:
            rows = len(features["input_ids"])
            if rows == 1:
                raise EmbeddingError(
                    f"{self.model_name} does not fit into the memory of the graphics card. "
                    "Free some of it, choose a smaller model, or hide the card with an empty CUDA_VISIBLE_DEVICES."
                ) from error
        torch.cuda.empty_cache()
        self._tokens_per_batch = max(self._max_tokens, self._tokens_per_batch // 2)
        halves = (slice(0, rows // 2), slice(rows // 2, None))
        parts = [{name: tensor[half] for name, tensor in features.items()} for half in halves]
        return np.concatenate([self._forward(part, is_pooled=is_pooled) for part in parts])

    def _run(self, features: dict[str, "Tensor"], *, is_pooled: bool) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            output: dict[str, Tensor] = self._model[0](dict(features))
            tokens = output["token_embeddings"] = output["token_embeddings"].float()
            if is_pooled:
                for module in list(self._model)[1:]:
                    output = module(output)
                result = output["sentence_embedding"]
            else:
                result = self._project_tokens(tokens)
            values: NDArray[np.float32] = result.float().cpu().numpy()
        if self._device.dtype == "float16" and not np.isfinite(values).all():
            # A model made for bfloat16 overflows in float16: slower is better than wrong.
            self._model.float()
            self._device = Device(self._device.name, "float32", self._device.tokens_per_batch)
            return self._run(features, is_pooled=is_pooled)
        return values

    def _project_tokens(self, tokens: "Tensor") -> "Tensor":
        """Into the space of the sentence vectors, for models with a dense layer behind the pooling."""
        for module in list(self._model)[1:]:
            if type(module).__name__ == "Dense":
                tokens = module({"sentence_embedding": tokens})["sentence_embedding"]
        return tokens


def texts_at_once(device: Device, dimension: int) -> int:
    """Some seconds' work: small models embed 100 to 400 texts a second on one core, larger ones a few dozen."""
    if device.name == "cuda":
        return _TEXTS_AT_ONCE
    return 1_024 if dimension <= 512 else 256


def _normalize(vectors: NDArray[np.float32]) -> None:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    np.divide(vectors, lengths, out=vectors, where=lengths > 0)
