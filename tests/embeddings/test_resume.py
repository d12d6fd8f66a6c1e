"""A process killed while it embeds loses one lot at most, and its successor ends with the same vectors."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from embeddings.vector_store import keys_of
from embeddings.vector_store.local_files import LocalFilesStore

ROOT = Path(__file__).resolve().parent.parent.parent
TEXTS = [f"Sentence number {number}." for number in range(60)]
LOT = 5

_PROCESS = """
import sys
from linkrec_site.data_directory import prepare_data_directory
import django
django.setup()
prepare_data_directory()
from crawler.models import Site
from embeddings.services import embed_site
from tests.embeddings.counting_encoder import CountingEncoder
from tests.embeddings.test_resume import LOT, TEXTS
from tests.factories import make_page
site, is_new = Site.objects.get_or_create(start_url="https://site.example/", name="Site")
if is_new:
    make_page(site, "a", "\\n".join(TEXTS[:30]))
    make_page(site, "b", "\\n".join(TEXTS[30:]))
def progress(done, total, note):
    print(done, total, flush=True)
encoder = CountingEncoder(texts_at_once=LOT, seconds=float(sys.argv[1]))
figures = embed_site(site.pk, encoder=encoder, progress=progress)
print("reused", figures["reused"], flush=True)
"""


def start(data_dir: Path, seconds: float) -> "subprocess.Popen[str]":
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "linkrec_site.settings",
        "LINKREC_DATA_DIR": str(data_dir),
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.Popen(
        [sys.executable, "-c", _PROCESS, str(seconds)], stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
    )


def test_killed_while_embedding(tmp_path: Path) -> None:
    undisturbed, data_dir = tmp_path / "undisturbed", tmp_path / "killed"
    with start(undisturbed, 0) as process:
        assert "reused 0" in process.communicate(timeout=60)[0]
    with start(data_dir, 0.2) as process:
        assert process.stdout
        done = 0
        while done < 4 * LOT:
            line = process.stdout.readline()
            assert line, "it ended before it was killed"
            done = int(line.split()[0])
        process.kill()
    with start(data_dir, 0) as process:
        output = process.communicate(timeout=60)[0]
        assert process.returncode == 0
    reused = int(output.split("reused ")[1])
    # The report of a lot comes before its segment is written: what is reused may be one lot less.
    assert reused in (done - LOT, done)
    first, second = (LocalFilesStore(path / "vectors").open_site(1, "counting") for path in (undisturbed, data_dir))
    keys = keys_of([_hash(text) for text in TEXTS])
    np.testing.assert_array_equal(first.take(first.find(keys)), second.take(second.find(keys)))
    np.testing.assert_array_equal(first.page_vectors, second.page_vectors)


def _hash(text: str) -> str:
    from crawler.extraction.types import text_hash

    return text_hash(text)


@pytest.mark.django_db
def test_going_on_makes_the_batches_of_an_undisturbed_run(tmp_path: Path) -> None:
    """Half precision rounds by batch: so the lots after a kill have to be the ones that would have followed."""
    from django.test import override_settings

    from crawler.leases import LeaseLost
    from embeddings.services import embed_site
    from tests.embeddings.counting_encoder import CountingEncoder
    from tests.factories import make_page, make_site

    site = make_site()
    make_page(site, "a", "\n".join(TEXTS))

    def lots(data_dir: Path, stop_after: int) -> list[str]:
        encoder = CountingEncoder(texts_at_once=LOT)

        def fence() -> None:
            if len(encoder.encoded) > stop_after:
                raise LeaseLost("stopped")

        with override_settings(LINKREC_DATA_DIR=data_dir):
            try:
                embed_site(site.pk, encoder=encoder, fence=fence)
            except LeaseLost:
                return encoder.encoded[:-LOT]
        return encoder.encoded

    whole = lots(tmp_path / "whole", 1_000)
    assert lots(tmp_path / "cut", 22) + lots(tmp_path / "cut", 1_000) == whole == TEXTS
