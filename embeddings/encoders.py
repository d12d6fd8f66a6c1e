"""The door to the models: a model's name in, an Encoder out.

Where weights come from is encoders_sources' matter, the processor's fittest number format encoders_devices', batching
and the forward pass encoders_batches'. torch is imported inside functions: whoever imports this file stays light.
"""

import functools
from pathlib import Path

from embeddings.model_names import E5, MINILM
from embeddings.types import Encoder

__all__ = ["E5", "MAX_TOKENS", "MINILM", "load_encoder", "open_encoder"]

#: Texts are sentences and titles: what is longer than this many tokens is cut.
MAX_TOKENS = 256


def load_encoder(model_name: str, *, model_dir: Path | None = None, threads: int | None = None) -> Encoder:
    """The encoder of that name; loaded once a process, for as long as no other is asked for.

    `all-MiniLM-L6-v2` and `multilingual-e5-small` come bundled and never touch the network; anything else is the
    name of a sentence-transformers model, or a folder. `model_dir` and `threads` default to the settings.
    Raises ModelUnavailable with one sentence when the model cannot be had.
    """
    from django.conf import settings

    return _load_once(
        model_name.strip(),
        settings.LINKREC_MODEL_DIR if model_dir is None else model_dir,
        settings.LINKREC_THREADS if threads is None else threads,
    )


@functools.lru_cache(maxsize=1)
def _load_once(model_name: str, model_dir: Path, threads: int) -> Encoder:
    from embeddings.encoders_batches import BatchingEncoder
    from embeddings.encoders_devices import choose_device, use_threads
    from embeddings.encoders_sources import load_model
    from embeddings.lazy_encoder import remember_encoder

    use_threads(threads)
    device = choose_device()
    loaded = load_model(model_name, model_dir, device)
    encoder = BatchingEncoder(
        model=loaded.model,
        model_name=model_name,
        fingerprint=loaded.fingerprint,
        prefix=loaded.prefix,
        device=device,
        max_tokens=MAX_TOKENS,
    )
    remember_encoder(model_name, model_dir, encoder)
    return encoder


def open_encoder(model_name: str, *, model_dir: Path | None = None, threads: int | None = None) -> Encoder:
    """The same, but loaded no sooner than something is to be encoded, where it was loaded on this machine before."""
    from django.conf import settings

    from embeddings.lazy_encoder import LazyEncoder, known_encoder

    name, folder = model_name.strip(), settings.LINKREC_MODEL_DIR if model_dir is None else model_dir
    known = known_encoder(name, folder)
    if known is None:
        return load_encoder(name, model_dir=folder, threads=threads)
    return LazyEncoder(name, known, lambda: load_encoder(name, model_dir=folder, threads=threads))
