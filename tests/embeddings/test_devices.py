"""The number format follows the processor, the threads the setting."""

from pathlib import Path

import pytest

from embeddings.encoders_devices import choose_device, has_native_bfloat16, use_threads


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("flags\t\t: fpu avx2 avx512f avx512_bf16 amx_tile", True),
        ("flags\t\t: fpu amx_bf16", True),
        ("flags\t\t: fpu avx2 avx512f", False),
        ("Features\t: fp asimd bf16 i8mm", True),
        ("model name\t: bf16 avx512_bf16", False),
    ],
)
def test_bfloat16_only_where_it_is_native(tmp_path: Path, line: str, expected: bool) -> None:
    path = tmp_path / "cpuinfo"
    path.write_text(f"processor\t: 0\n{line}\n")
    assert has_native_bfloat16(path) is expected


def test_no_description_no_bfloat16(tmp_path: Path) -> None:
    assert not has_native_bfloat16(tmp_path / "missing")


def test_the_device_fits_this_machine() -> None:
    import torch

    device = choose_device()
    assert (device.name == "cuda") == torch.cuda.is_available()
    assert hasattr(torch, device.dtype)


def test_threads_follow_the_setting() -> None:
    import torch

    before = torch.get_num_threads()
    try:
        use_threads(before + 1)
        assert torch.get_num_threads() == before + 1
        use_threads(0)
        assert torch.get_num_threads() == min(before + 1, 16)
    finally:
        torch.set_num_threads(before)
