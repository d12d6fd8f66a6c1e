"""Near-duplicates by their words, whatever the embedding model says."""

import numpy as np

from recommendations.engine.near_duplicates import near_duplicates_of, signature_of

TEXT = [f"word{number % 97}" for number in range(400)]


def test_a_copy_with_a_few_changed_words_is_a_near_duplicate_and_another_text_is_not() -> None:
    changed = [*TEXT[:200], "new", "words", "here", *TEXT[203:]]
    other = [f"other{number % 89}" for number in range(400)]
    signatures = np.stack([signature_of(TEXT), signature_of(changed), signature_of(other)])
    assert near_duplicates_of(0, signatures).tolist() == [True, True, False]


def test_pages_without_text_are_nobodys_duplicates() -> None:
    signatures = np.stack([signature_of([]), signature_of([])])
    assert not near_duplicates_of(0, signatures).any()
