"""The demo site in memory: page fragments and a template in, one response per path out.

A fragment is a front matter (`name: value` lines between two `---`) and the HTML of one article. Leaves sockets to
demo.serve.
"""

import html
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import Template

FOLDER = Path(__file__).resolve().parent
#: Stands for scheme, host and port wherever a text needs an absolute URL; the server puts its own in.
PLACEHOLDER = "http://demo.invalid"
SITE_NAME = "Tillbrook Bicycle Workshop"
SECTIONS = {
    "repairs": ("Repairs", "Step-by-step guides for work that you can do at home or on an open evening."),
    "parts": ("Parts", "What to buy, what to reuse and what to leave on the shelf."),
    "riding": ("Riding", "Getting to work, getting out of the valley and getting home again."),
    "workshop": ("Workshop", "Who we are, what we run and how to join in."),
}
TOPICS = {"winter": ("Winter", "Everything on this site about cold, wet and dark months.")}
CARD_COUNT = 3
#: Pages that also have a copy to print, canonicalised to themselves.
PRINTED = ("/repairs/fix-a-puncture/",)


@dataclass(frozen=True, slots=True)
class DemoPage:
    """One article with what its front matter says."""

    path: str
    title: str
    description: str
    body: str
    section: str = ""
    author: str = ""
    updated: str = ""
    canonical: str = ""
    topics: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    is_noindex: bool = False
    is_listed: bool = True


@dataclass(frozen=True, slots=True)
class Response:
    """What the server sends for a path, still with PLACEHOLDER in it."""

    status: int
    body: str
    content_type: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)


def read_page(file: Path) -> DemoPage:
    """Parse one fragment; its place under pages/ is its URL. Raises ValueError where the front matter is missing."""
    parts = file.read_text("utf-8").split("---\n", 2)
    if len(parts) != 3 or parts[0]:
        raise ValueError(f"{file} has no front matter. Begin it with '---', 'title: …', 'description: …', '---'.")
    fields: dict[str, str] = {}
    comments: list[str] = []
    for line in parts[1].splitlines():
        name, _, value = line.partition(": ")
        if name == "comment":
            comments.append(value)
        else:
            fields[name] = value.strip()
    name = file.relative_to(FOLDER / "pages").with_suffix("").as_posix()
    return DemoPage(
        path="/" if name == "index" else f"/{name}/",
        title=fields["title"],
        description=fields["description"],
        body=parts[2].strip(),
        section=name.split("/")[0] if "/" in name else "",
        author=fields.get("author", ""),
        updated=fields.get("updated", ""),
        topics=tuple(fields.get("topics", "").split()),
        comments=tuple(comments),
        is_noindex="noindex" in fields.get("robots", ""),
        is_listed=fields.get("listed", "yes") == "yes",
    )


def read_pages() -> dict[str, DemoPage]:
    """Every fragment by path, the newest first within a section as a listing shows them."""
    pages = [read_page(file) for file in sorted((FOLDER / "pages").rglob("*.html"))]
    return {page.path: page for page in sorted(pages, key=lambda page: (page.section, page.title))}


def read_redirects() -> dict[str, str]:
    """Old path to new path, from redirects.txt."""
    lines = (FOLDER / "redirects.txt").read_text("utf-8").splitlines()
    return dict(line.split() for line in lines if line.strip() and not line.startswith("#"))


class DemoSite:
    """Answers paths. Pages are rendered once, when the site is made."""

    def __init__(self) -> None:
        self.pages = read_pages()
        self.redirects = read_redirects()
        self._template = Template((FOLDER / "template.html").read_text("utf-8"))
        self._responses = {page.path: Response(200, self._render(page)) for page in self._all_pages()}
        self._responses["/style.css"] = Response(
            200, (FOLDER / "style.css").read_text("utf-8"), "text/css; charset=utf-8"
        )
        self._responses["/robots.txt"] = Response(200, self._robots(), "text/plain; charset=utf-8")
        self._responses["/sitemap.xml"] = Response(200, self._sitemap(), "application/xml; charset=utf-8")
        for path in PRINTED:
            copy = replace(self.pages[path], path=f"{path}print/", canonical=path)
            self._responses[copy.path] = Response(200, self._render(copy))
        self._responses["/search/"] = Response(200, self._render(_SEARCH_PAGE))

    def answer(self, path: str) -> Response:
        """The response for a URL path without its query."""
        if path in self._responses:
            return self._responses[path]
        if path in self.redirects:
            target = self.redirects[path]
            return Response(301, "", headers={"Location": PLACEHOLDER + target})
        if path + "/" in self._responses:
            return Response(301, "", headers={"Location": f"{PLACEHOLDER}{path}/"})
        return Response(404, self._render(_MISSING_PAGE))

    def sitemap_paths(self) -> list[str]:
        """What the sitemap lists: every page that wants to be found, orphans included."""
        return [page.path for page in self._all_pages() if not page.is_noindex]

    def _all_pages(self) -> list[DemoPage]:
        return [*self.pages.values(), *(self._listing(name) for name in SECTIONS), *map(self._topic, TOPICS)]

    def _listing(self, section: str) -> DemoPage:
        title, description = SECTIONS[section]
        listed = [page for page in self.pages.values() if page.section == section and page.is_listed]
        return DemoPage(f"/{section}/", title, description, _cards(listed, description))

    def _topic(self, topic: str) -> DemoPage:
        title, description = TOPICS[topic]
        listed = [page for page in self.pages.values() if topic in page.topics and page.is_listed]
        return DemoPage(f"/topics/{topic}/", f"Topic: {title}", description, _cards(listed, description))

    def _related(self, page: DemoPage) -> list[DemoPage]:
        """The next few pages of the same section, so that cards repeat across the site as real ones do."""
        listed = [
            other
            for other in self.pages.values()
            if other.section == page.section and other.is_listed and not other.is_noindex
        ]
        start = next((index for index, other in enumerate(listed) if other.title > page.title), 0)
        return [other for other in (listed * 2)[start : start + CARD_COUNT] if other.path != page.path]

    def _render(self, page: DemoPage) -> str:
        headings = re.findall(r'<h2 id="([^"]+)">(.*?)</h2>', page.body)
        is_article = bool(page.section)
        robots = '<meta name="robots" content="noindex">' if page.is_noindex else ""
        return self._template.substitute(
            title=html.escape(page.title),
            site_name=SITE_NAME,
            description=html.escape(page.description, quote=True),
            robots=robots,
            canonical=PLACEHOLDER + (page.canonical or page.path),
            breadcrumbs=_breadcrumbs(page) if is_article else "",
            contents=_contents(headings) if len(headings) >= 3 else "",
            byline=_byline(page) if page.author else "",
            body=page.body,
            related=_related_block(self._related(page)) if is_article else "",
            comments=_comments(page.comments) if page.comments else "",
        )

    def _robots(self) -> str:
        return f"User-agent: *\nDisallow: /search/\n\nSitemap: {PLACEHOLDER}/sitemap.xml\n"

    def _sitemap(self) -> str:
        entries = "".join(f"  <url><loc>{PLACEHOLDER}{path}</loc></url>\n" for path in self.sitemap_paths())
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
        )


_SEARCH_PAGE = DemoPage(
    "/search/", "Search", "Search this site.", "<p>Type a word into the box above.</p>", is_noindex=True
)
_MISSING_PAGE = DemoPage(
    "/404/", "Page not found", "Nothing here.", "<p>This page has gone. Try the menu.</p>", is_noindex=True
)


def _cards(pages: list[DemoPage], introduction: str) -> str:
    cards = "".join(
        f'<li class="card"><a href="{page.path}">{html.escape(page.title)}</a>'
        f'<p class="excerpt">{html.escape(page.description)}</p></li>'
        for page in pages
    )
    return f'<p>{html.escape(introduction)}</p>\n<ul class="cards">{cards}</ul>'


def _related_block(pages: list[DemoPage]) -> str:
    cards = "".join(
        f'<div class="card"><h3><a href="{page.path}">{html.escape(page.title)}</a></h3>'
        f"<p>{html.escape(page.description)}</p></div>"
        for page in pages
    )
    return f'<section class="related"><h2>Read next</h2>{cards}</section>'


def _breadcrumbs(page: DemoPage) -> str:
    name = SECTIONS[page.section][0]
    return (
        f'<div class="breadcrumbs"><a href="/">Home</a> › <a href="/{page.section}/">{name}</a> › '
        f"<span>{html.escape(page.title)}</span></div>"
    )


def _contents(headings: list[tuple[str, str]]) -> str:
    items = "".join(f'<li><a href="#{anchor}">{text}</a></li>' for anchor, text in headings)
    return f'<div class="toc"><strong>On this page</strong><ul>{items}</ul></div>'


def _byline(page: DemoPage) -> str:
    return f'<p class="byline">Written by {html.escape(page.author)}, last checked {html.escape(page.updated)}</p>'


def _comments(comments: tuple[str, ...]) -> str:
    items = "".join(f'<li class="comment"><p>{html.escape(text)}</p></li>' for text in comments)
    return f'<section class="comments" id="comments"><h2>Comments</h2><ol>{items}</ol></section>'
