"""Which tokens are kept, and where they stand."""

import numpy as np

from embeddings.token_offsets import tokens_of_text


def kept_texts(text: str, spans: list[tuple[int, int]], special: list[bool], prefix: int = 0) -> list[str]:
    positions, offsets = tokens_of_text(text, np.array(spans, np.int32), np.array(special), prefix)
    assert len(positions) == len(offsets)
    return [text[start:end] for start, end in offsets.tolist()]


def test_special_tokens_and_prefix_are_left_out_and_offsets_shifted() -> None:
    spans = [(0, 0), (0, 6), (6, 7), (7, 10), (10, 14), (0, 0)]
    assert kept_texts("a cat", spans, [True, False, False, False, False, True], prefix=9) == ["a", " cat".strip()]


def test_white_space_at_the_edges_is_trimmed_and_alone_is_dropped() -> None:
    assert kept_texts("ab  cd ", [(0, 2), (2, 3), (2, 7)], [False] * 3) == ["ab", "cd"]


def test_nothing_gives_empty_arrays_of_the_right_shape() -> None:
    positions, offsets = tokens_of_text("", np.zeros((2, 2), np.int32), np.array([True, True]), 0)
    assert positions.shape == (0,)
    assert offsets.shape == (0, 2)
