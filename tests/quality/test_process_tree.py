"""Peak memory is the kernel's own mark, of children too; the generated site is the same every time."""

import os
import sys
from pathlib import Path

import pytest
import requests

from benchmarks.generated_site import make_site, served_site
from benchmarks.process_tree import PROC, run_watched

GREEDY = "import time; x = bytearray(200_000_000); x[::4096] = b'1' * len(x[::4096]); del x; time.sleep(1)"
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {GREEDY!r}], check=True)"


@pytest.mark.skipif(not PROC.is_dir(), reason="no /proc here: process memory is not watched")
def test_a_childs_peak_is_seen_after_it_was_freed(tmp_path: Path) -> None:
    figures = run_watched([sys.executable, "-c", PARENT], cwd=tmp_path, environment=os.environ, timeout=60)
    command, peak = figures.largest()
    assert figures.status == 0
    assert "-c import time" in command
    assert 200_000_000 < peak < 300_000_000
    assert len(figures.peak_bytes) == 2


def test_generated_site_is_reproducible_and_served() -> None:
    site = make_site(30, 12)
    assert site == make_site(30, 12)
    assert len(site.pages) == 30
    with served_site(site) as url:
        assert requests.get(url, timeout=5).content == site.pages["/"]
        assert requests.get(url + "sitemap.xml", timeout=5).text.count("<loc>" + url.rstrip("/")) == 30
        assert requests.get(url + "nothing", timeout=5).status_code == 404
