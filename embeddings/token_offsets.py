"""Which tokens of a text to keep, and where they stand in it. Pure."""

import numpy as np
from numpy.typing import NDArray


def tokens_of_text(
    text: str, offsets: NDArray[np.int32], is_special: NDArray[np.bool_], prefix_length: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """(positions of the tokens kept, their (n, 2) character offsets in `text`).

    Special tokens, the model's prefix and tokens of white space alone are left out; white space at a token's edge,
    which SentencePiece counts in, is trimmed off.
    """
    kept, spans = [], []
    for position, (start, end) in enumerate((offsets - prefix_length).tolist()):
        if is_special[position] or end <= 0:
            continue
        start = max(start, 0)
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start < end:
            kept.append(position)
            spans.append((start, end))
    return np.array(kept, np.int64), np.array(spans, np.int32).reshape(-1, 2)
