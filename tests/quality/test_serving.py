"""A corpus that is measured again is read again: no page is answered by "not modified"."""

from pathlib import Path

import pytest
import requests

from benchmarks.corpora import served, unpacked
from tests.quality.shared_measure import needs_measure
from tests.quality.tiny_corpus import write_tiny_corpus


@pytest.mark.corpora
@needs_measure
@pytest.mark.parametrize(("is_conditional", "status"), [(True, 304), (False, 200)])
def test_pages_come_whole_where_asked(tmp_path: Path, is_conditional: bool, status: int) -> None:
    folder = write_tiny_corpus(tmp_path / "allotment")
    with unpacked(folder) as corpus, served(corpus, is_conditional=is_conditional) as url:
        first = requests.get(url + "water.html", timeout=5)
        again = requests.get(url + "water.html", headers={"If-None-Match": first.headers["ETag"]}, timeout=5)
    assert first.status_code == 200
    assert again.status_code == status
