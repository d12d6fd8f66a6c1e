"""Crawls corpora whole, with and without their sitemap, and compares with a count made from the files on disk.

    python -m benchmarks.complete_crawls [CORPUS ...]

With the sitemap every page that it names is read, without it every page that links reach, none twice; the report's
broken links and its orphans that no page links to at all are those of the files. (Which links stand in content, and so
the orphans that menus and lists alone link to, no count can say that does not read pages as the crawler does.) Exit
status 1 where a count differs.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from benchmarks.corpora import ROOT, Corpus, find_corpora, served, unpacked
from benchmarks.product_run import Installation
from benchmarks.site_on_disk import DiskSite, file_of, listed_files, read_disk
from benchmarks.tables import format_table

WHOLE = ("18f", "django", "multilang")


def crawl_here(url: str) -> dict[str, Any]:
    """Crawl in this process; the addresses that were read, that are broken, and that nothing links to."""
    import django

    django.setup()
    from linkrec_site.data_directory import prepare_data_directory

    prepare_data_directory()
    return crawl_and_count(url)


def crawl_and_count(url: str) -> dict[str, Any]:
    """Crawl into the database that Django was set up with."""
    from crawler.models import Site
    from crawler.services import crawl_site, get_or_create_site
    from recommendations.report.link_lists import list_broken_links
    from recommendations.report.page_lists import PageFigures, list_orphans
    from recommendations.report.site_facts import read_site_facts

    site = get_or_create_site(url)
    Site.objects.filter(pk=site.pk).update(seconds_between_requests=0.0)
    crawl_site(site.pk, site.crawls.create().pk)
    facts = read_site_facts(site)
    broken = [row for row in list_broken_links(facts) if row.kind != "redirected"]
    orphans = list(list_orphans(facts, PageFigures(facts)))
    return {
        "read": [page.url for page in facts.pages if page.is_read],
        "targets": [page.url for page in facts.pages if page.is_read and page.is_target],
        "broken": sorted({(row.cells["page"]["url"], row.cells["address"]) for row in broken}),
        "unlinked": [row.cells["page"]["url"] for row in orphans if not row.cells["menu_inlinks"]],
    }


def crawl_apart(corpus: Corpus) -> dict[str, Any]:
    """Crawl in a process and a data directory of its own."""
    with tempfile.TemporaryDirectory(prefix="linkrec-complete-") as folder, served(corpus) as url:
        environment = Installation(Path(folder)).environment() | {"DJANGO_SETTINGS_MODULE": "linkrec_site.settings"}
        command = [sys.executable, "-m", "benchmarks.complete_crawls", "--here", url]
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"complete_crawls: the crawl of {corpus.name} ended with exit status {done.returncode}.")
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def compare(disk: DiskSite, expected: set[Path | None], found: dict[str, Any]) -> dict[str, tuple[int, int, list[str]]]:
    """Name of a count -> (crawler's, that of the files, what differs)."""
    root = disk.root
    read = Counter(file_of(root, urlsplit(url).path) for url in found["read"])
    twice = [str(file) for file, times in read.items() if times > 1]
    broken = {(file_of(root, urlsplit(page).path), unquote(urlsplit(url).path)) for page, url in found["broken"]}
    # Only what was read can tell of its links.
    on_disk = {(file, path) for file, path in disk.broken if file in read}
    unlinked = {file_of(root, urlsplit(url).path) for url in found["unlinked"]}
    targets = {file_of(root, urlsplit(url).path) for url in found["targets"]}
    lonely = disk.without_links(root / "index.html") & targets
    return {
        "pages": (len(read), len(expected), _names(root, set(read) ^ expected)),
        "pages read twice": (len(twice), 0, twice),
        "broken links": (len(broken), len(on_disk), [f"{file} {path}" for file, path in broken ^ on_disk]),
        "orphans without any link": (len(unlinked), len(lonely), _names(root, unlinked ^ lonely)),
    }


def _names(root: Path, files: set[Path | None]) -> list[str]:
    return sorted("?" if file is None else file.relative_to(root).as_posix() for file in files)


def check_corpus(path: Path, work: Path) -> list[tuple[str, str, int, int, list[str]]]:
    """(corpus and way, count, crawler's, files', differences) of both ways to crawl it."""
    rows = []
    with unpacked(path) as corpus:
        disk = read_disk(corpus.directory / "html")
        start = disk.root / "index.html"
        listed = set(listed_files(disk.root))
        with_sitemap = compare(disk, listed | disk.reachable(start), crawl_apart(corpus))
        bare = work / corpus.name
        shutil.copytree(corpus.directory, bare)
        for name in ("sitemap.xml", "robots.txt"):
            (bare / "html" / name).unlink(missing_ok=True)
        disk = read_disk(bare / "html")
        reachable: set[Path | None] = set(disk.reachable(disk.root / "index.html"))
        without = compare(disk, reachable, crawl_apart(replace(corpus, directory=bare)))
        for way, counts in (("with sitemap", with_sitemap), ("by links alone", without)):
            rows += [(f"{corpus.name}, {way}", name, *values) for name, values in counts.items()]
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Crawl, print both counts, and say what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", default=list(WHOLE))
    parser.add_argument("--here", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.here:
        print(json.dumps(crawl_here(options.here)))
        return 0
    rows = []
    for path in find_corpora(options.corpora):
        with tempfile.TemporaryDirectory(prefix="linkrec-complete-") as work:
            rows += check_corpus(path, Path(work))
    print(format_table(["crawl", "count", "crawler", "files"], [row[:4] for row in rows]))
    for name, count, _, _, differing in rows:
        for difference in differing[:10]:
            print(f"{name}, {count}: {difference}")
    return 1 if any(differing for *_, differing in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
