"""What a corpus holds, counted from its files alone: pages, links between them, broken links, pages without links.

A second opinion on the crawler, and so none of its code: lxml, urllib and the files. Leaves comparing to others.
"""

import re
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import lxml.html

#: What the server's own folder listing and files of other kinds are asked by: no pages.
_NO_PAGE = re.compile(r"\.(?!html?$)[a-z][a-z0-9]{1,7}$", re.IGNORECASE)
_PLACEHOLDER = "http://127.0.0.1:8765"


@dataclass(frozen=True, slots=True)
class FileLink:
    """A link on a page: to a file, or, where `target` is None, to an address without one."""

    source: Path
    path: str
    target: Path | None


@dataclass(frozen=True, slots=True)
class DiskSite:
    """The pages of a folder, and the links between them that lead to pages by their names."""

    root: Path
    files: frozenset[Path]
    links: tuple[FileLink, ...]

    @property
    def broken(self) -> set[tuple[Path, str]]:
        """(file, path) of each internal link whose target is no file."""
        return {(link.source, link.path) for link in self.links if link.target is None}

    def without_links(self, start: Path) -> set[Path]:
        """Files that no other page links to at all."""
        linked = {link.target for link in self.links if link.target != link.source}
        return {file for file in self.files if file not in linked and file != start}

    def reachable(self, start: Path) -> set[Path]:
        """Files that links lead to from the start page."""
        targets: dict[Path, list[Path]] = {}
        for link in self.links:
            if link.target is not None:
                targets.setdefault(link.source, []).append(link.target)
        seen, waiting = {start}, deque([start])
        while waiting:
            for found in targets.get(waiting.popleft(), ()):
                if found not in seen:
                    seen.add(found)
                    waiting.append(found)
        return seen


def file_of(root: Path, url_path: str) -> Path | None:
    """The HTML file that the server answers a path with."""
    path = root / unquote(url_path).lstrip("/")
    bare = path.parent if path.name == "index.html" else path
    for candidate in (
        path,
        path / "index.html",
        path.with_name(path.name + ".html"),
        bare.with_name(bare.name + ".html"),
    ):
        if candidate.is_file() and candidate.suffix == ".html":
            return candidate
    return None


def read_disk(root: Path) -> DiskSite:
    """Every page of the folder and its links."""
    files = frozenset(root.rglob("*.html"))
    links: list[FileLink] = []
    for file in sorted(files):
        served_at = file.parent if file.name == "index.html" else file
        folder = "/" if served_at == file.parent and file.parent != root else ""
        here = f"{_PLACEHOLDER}/{served_at.relative_to(root).as_posix().removeprefix('.')}{folder}"
        document = lxml.html.fromstring(file.read_bytes())
        for link in document.xpath("//a[@href]"):
            address = urlsplit(urljoin(here, link.get("href").strip()))
            if f"{address.scheme}://{address.netloc}" == _PLACEHOLDER and not _NO_PAGE.search(address.path):
                path = unquote(address.path) or "/"
                links.append(FileLink(file, path, file_of(root, address.path)))
    return DiskSite(root, files, tuple(links))


def listed_files(root: Path) -> list[Path | None]:
    """The files that the sitemap names, in its order."""
    text = (root / "sitemap.xml").read_text("utf-8")
    return [file_of(root, urlsplit(url).path) for url in re.findall(r"<loc>\s*(\S+?)\s*</loc>", text)]
