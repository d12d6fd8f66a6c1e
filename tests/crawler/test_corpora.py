"""Real sites are crawled completely: with the sitemap every page of it, without it every page that links reach."""

import re
import shutil
from collections import deque
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import lxml.html
import pytest

from benchmarks.corpora import CorporaMissing, Corpus, find_corpora, served, unpacked
from crawler.models import Link, Page
from crawler.services import crawl_site, get_or_create_site


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


def file_of(root: Path, url_path: str) -> Path | None:
    """The file that the server answers a path with."""
    path = root / unquote(url_path).lstrip("/")
    for candidate in (path, path / "index.html", path.with_name(path.name + ".html")):
        if candidate.is_file() and candidate.suffix == ".html":
            return candidate
    return None


def reachable_files(root: Path) -> tuple[set[Path], set[tuple[Path, str]]]:
    """The HTML files that links lead to from the start page, and the broken links: (file, path)."""
    seen = {root / "index.html"}
    broken: set[tuple[Path, str]] = set()
    waiting = deque(seen)
    while waiting:
        file = waiting.popleft()
        here = "http://h/" + file.relative_to(root).as_posix()
        for href in lxml.html.fromstring(file.read_bytes()).xpath("//a/@href"):
            target = urlsplit(urljoin(here, href.strip()))
            if target.netloc != "h":
                continue
            found = file_of(root, target.path)
            if found is None:
                broken.add((file, target.path))
            elif found not in seen:
                seen.add(found)
                waiting.append(found)
    return seen, broken


def crawled_files(corpus: Corpus) -> list[Path]:
    """The file behind each page that was read."""
    root = corpus.directory / "html"
    urls = Page.objects.filter(status="read").values_list("url", flat=True)
    found = [file_of(root, urlsplit(url).path) for url in urls]
    assert None not in found
    return [file for file in found if file]


def crawl(url: str) -> None:
    site = get_or_create_site(url)
    crawl_site(site.pk, site.crawls.create().pk)


def test_every_page_once() -> None:
    with unpacked(find_corpora(["multilang_small"])[0]) as corpus, served(corpus) as url:
        root = corpus.directory / "html"
        crawl(url)
        listed = re.findall(r"<loc>http://[^/]+(.*?)</loc>", (root / "sitemap.xml").read_text("utf-8"))
        files = crawled_files(corpus)
        assert len(files) == len(set(files))
        assert {file_of(root, path) for path in listed} <= set(files)
        assert set(files) == {file_of(root, path) for path in listed} | reachable_files(root)[0]


def test_without_a_sitemap_every_page_that_links_reach(tmp_path: Path) -> None:
    with unpacked(find_corpora(["django_small"])[0]) as original:
        shutil.copytree(original.directory, tmp_path, dirs_exist_ok=True)
    corpus = replace(original, directory=tmp_path)
    root = tmp_path / "html"
    (root / "sitemap.xml").unlink()
    (root / "robots.txt").unlink()
    with served(corpus) as url:
        crawl(url)
    expected, broken = reachable_files(root)
    files = crawled_files(corpus)
    assert len(files) == len(set(files))
    assert set(files) == expected
    found = Link.objects.filter(target=None).values_list("page__url", "target_url")
    dead = {(file_of(root, urlsplit(page).path), unquote(urlsplit(target).path)) for page, target in found}
    assert dead == {(file, unquote(path)) for file, path in broken}
