"""The mark of tests that need the scorer and the server beside the corpora, outside of this project."""

import pytest

from benchmarks.corpora import CorporaMissing, load_measure


def _is_here() -> bool:
    try:
        return bool(load_measure("score") and load_measure("serve"))
    except CorporaMissing:
        return False


needs_measure = pytest.mark.skipif(not _is_here(), reason="scorer and server in ../shared are absent: scoring left out")
