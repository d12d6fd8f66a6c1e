"""Which device and number format a model runs in here, how many threads, and how large its batches are."""

from dataclasses import dataclass
from pathlib import Path

#: Flags of processors that multiply bfloat16 in hardware: x86 with AVX-512 BF16 or AMX, ARM with BF16.
_BFLOAT16_FLAGS = frozenset({"avx512_bf16", "amx_bf16", "bf16"})
#: More threads than this gain nothing on models of this size and sentences of this length.
_MOST_THREADS = 16
#: Measured on one thread: batches of 256 tokens are as fast as of 1,024, and less is wasted where one is filled up.
_TOKENS_PER_THREAD = 256


@dataclass(frozen=True, slots=True)
class Device:
    """`dtype` is the name of a torch dtype; `tokens_per_batch` counts padding."""

    name: str
    dtype: str
    tokens_per_batch: int


def choose_device() -> Device:
    """CUDA in float16 where there is a card; else the processor, in bfloat16 where that is native."""
    import torch

    if torch.cuda.is_available():
        return Device("cuda", "float16", 65_536)
    tokens = _TOKENS_PER_THREAD * min(torch.get_num_threads(), 4)
    return Device("cpu", "bfloat16" if has_native_bfloat16() else "float32", tokens)


def has_native_bfloat16(processor_description: Path = Path("/proc/cpuinfo")) -> bool:
    """False also where the system does not describe its processor: emulated bfloat16 is slower than float32."""
    try:
        text = processor_description.read_text("utf-8", "replace")
    except OSError:
        return False
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("flags", "Features"):
            return not _BFLOAT16_FLAGS.isdisjoint(value.split())
    return False


def use_threads(threads: int) -> None:
    """Set torch's threads for this process; 0 leaves torch's own choice, capped where more do not help."""
    import torch

    wanted = threads or min(torch.get_num_threads(), _MOST_THREADS)
    if wanted != torch.get_num_threads():
        torch.set_num_threads(wanted)
