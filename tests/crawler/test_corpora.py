"""Real sites are crawled completely: with the sitemap every page of it, without it every page that links reach.

The counts that they are compared with are made from the files on disk alone. Whole corpora: benchmarks.complete_crawls.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.complete_crawls import compare, crawl_and_count
from benchmarks.corpora import CorporaMissing, find_corpora, served, unpacked
from benchmarks.site_on_disk import file_of, listed_files, read_disk


def corpora_are_here() -> bool:
    try:
        return bool(find_corpora())
    except CorporaMissing:
        return False


pytestmark = [
    pytest.mark.django_db,
    pytest.mark.corpora,
    pytest.mark.slow,
    pytest.mark.skipif(not corpora_are_here(), reason="the corpora in ../shared are absent: complete crawls left out"),
]


def test_every_page_once() -> None:
    with unpacked(find_corpora(["multilang_small"])[0]) as corpus, served(corpus) as url:
        disk = read_disk(corpus.directory / "html")
        listed = set(listed_files(disk.root))
        assert None not in listed
        counts = compare(disk, listed | disk.reachable(disk.root / "index.html"), crawl_and_count(url))
    assert {name: tuple(values[2]) for name, values in counts.items()} == dict.fromkeys(counts, ())
    assert counts["pages"][0] >= len(listed) > 50
    assert counts["orphans without any link"][0] > 0


def test_without_a_sitemap_every_page_that_links_reach_and_every_broken_link(tmp_path: Path) -> None:
    with unpacked(find_corpora(["django_small"])[0]) as original:
        shutil.copytree(original.directory, tmp_path, dirs_exist_ok=True)
    root = tmp_path / "html"
    (root / "sitemap.xml").unlink()
    (root / "robots.txt").unlink()
    start = root / "index.html"
    linked = [link.target for link in read_disk(root).links if link.target not in (start, link.source)]
    for file in sorted({file for file in linked if file})[::12]:
        file.unlink()
    disk = read_disk(root)
    with served(replace(original, directory=tmp_path)) as url:
        found = crawl_and_count(url)
    counts = compare(disk, set(disk.reachable(start)), found)
    assert {name: tuple(values[2]) for name, values in counts.items()} == dict.fromkeys(counts, ())
    assert counts["pages"][0] > 30
    assert counts["broken links"][0] > 20
    assert file_of(root, "/no-such-page") is None
