"""Where a model comes from: two bundled packages, a folder or a model hub; and whether its weights are the right ones.

Leaves encoding to encoders_batches.
"""

import contextlib
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embeddings.bundled_models import find_e5_folder, find_minilm_folder
from embeddings.encoders_devices import Device
from embeddings.errors import ModelUnavailable
from embeddings.model_names import E5, MINILM
from embeddings.weights_digest import folder_digest

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_HUB_SECONDS = 10
#: Models of the e5 family want a prefix; those published without a declared prompt say so on their card alone.
_E5_NAME = re.compile(r"(^|[/_-])e5-(small|base|large)(-v2)?$", re.IGNORECASE)
_E5_PREFIX = "query: "


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """`fingerprint` names weights and text preparation; `prefix` goes before every text."""

    model: "SentenceTransformer"
    fingerprint: str
    prefix: str


def weights_of(model_name: str, model_dir: Path) -> str:
    """What names the weights that the model would be loaded with, without loading it."""
    folder = _find_folder(model_name, model_dir)
    return folder_digest(folder, model_dir) if folder else _commit_of(model_name)


def load_model(model_name: str, model_dir: Path, device: Device) -> LoadedModel:
    """Find and load the model of that name. Raises ModelUnavailable with one sentence."""
    if not model_name:
        raise ModelUnavailable("The model has no name. Give a sentence-transformers name, or leave it out altogether.")
    if folder := _find_folder(model_name, model_dir):
        model = _load(folder, model_name, device, is_local=True)
        weights = folder_digest(folder, model_dir)
    else:
        model = _load_named(model_name, device)
        weights = _commit_of(model_name)
    prefix = _prefix(model, model_name)
    return LoadedModel(model, f"{model_name}:{weights}:prefix={prefix!r}", prefix)


def _find_folder(model_name: str, model_dir: Path) -> Path | None:
    """Where the model lies, when it is bundled or a path; None for a name on the hub."""
    if model_name == MINILM:
        return find_minilm_folder(model_dir)
    if model_name == E5:
        return find_e5_folder(model_dir)
    folder = Path(model_name).expanduser()
    if folder.is_dir():
        return folder
    if model_name.startswith(("/", "./", "../", "~")):
        raise ModelUnavailable(f"There is no model folder {model_name}. Correct the path, or give a model's name.")
    return None


def _load_named(model_name: str, device: Device) -> "SentenceTransformer":
    """From the local cache of the hub first, so that a cached model needs no network and never changes unasked."""
    try:
        return _load(model_name, model_name, device, is_local=True)
    except ModelUnavailable:
        _ask_hub(model_name)
    return _load(model_name, model_name, device, is_local=False)


def _hub_names(model_name: str) -> list[str]:
    return [model_name] if "/" in model_name else [f"sentence-transformers/{model_name}", model_name]


def _ask_hub(model_name: str) -> None:
    """One quick question first: loading an unknown name retries for over a minute before it gives up."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import GatedRepoError, HFValidationError, RepositoryNotFoundError

    hub = HfApi()
    for candidate in _hub_names(model_name):
        try:
            hub.model_info(candidate, timeout=_HUB_SECONDS)
            return
        except GatedRepoError as error:
            raise ModelUnavailable(
                f"The model {model_name} needs an account at {hub.endpoint}. Log in there, or choose another model."
            ) from error
        except (RepositoryNotFoundError, HFValidationError):
            continue
        except Exception as error:
            raise ModelUnavailable(
                f"The model {model_name} is not on this machine, and the model hub {hub.endpoint} cannot be reached. "
                f"Connect to it, give the path of a model folder, or use {MINILM} or {E5}, which need no network."
            ) from error
    raise ModelUnavailable(
        f"There is no model {model_name} on this machine or at {hub.endpoint}. "
        f"Correct the name, give the path of a model folder, or use {MINILM} or {E5}."
    )


def _load(source: Path | str, model_name: str, device: Device, *, is_local: bool) -> "SentenceTransformer":
    import torch
    from sentence_transformers import SentenceTransformer

    with _quiet_loading():
        try:
            model = SentenceTransformer(
                str(source),
                device=device.name,
                local_files_only=is_local,
                model_kwargs={"dtype": getattr(torch, device.dtype)},
            )
        except Exception as error:
            reason = " ".join(str(error).split())[:200]
            raise ModelUnavailable(
                f"The model {model_name} cannot be loaded from {source} ({reason}). "
                "Check that it is a complete sentence-transformers model, or choose another."
            ) from error
    return model.eval()


@contextlib.contextmanager
def _quiet_loading() -> Iterator[None]:
    """Progress bars and advice for developers stay out of our own output."""
    import transformers

    library: Any = transformers.utils.logging
    logger = logging.getLogger("sentence_transformers")
    level, verbosity = logger.level, library.get_verbosity()
    had_bars = library.is_progress_bar_enabled()
    logger.setLevel(logging.ERROR)
    library.set_verbosity_error()
    library.disable_progress_bar()
    try:
        yield
    finally:
        logger.setLevel(level)
        library.set_verbosity(verbosity)
        if had_bars:
            library.enable_progress_bar()


def _prefix(model: "SentenceTransformer", model_name: str) -> str:
    if model.default_prompt_name:
        return str(model.prompts.get(model.default_prompt_name) or "")
    return _E5_PREFIX if _E5_NAME.search(model_name) else ""


def _commit_of(model_name: str) -> str:
    """The commit that the cached files of a hub's model are of: another commit may hold other weights."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    for candidate in _hub_names(model_name):
        try:
            return Path(snapshot_download(candidate, local_files_only=True)).name
        except (LocalEntryNotFoundError, HFValidationError):
            continue
    raise ModelUnavailable(
        f"The version of the model {model_name} cannot be told from the cache of the model hub. "
        "Empty that cache and try again, or give the path of a model folder."
    )
