"""A small site with every fault that the report lists, each beside something like it that is no fault."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from crawler.models import Page, Site
from embeddings.vector_store import get_vector_store
from recommendations.models import RecommendationRun, SiteReport
from recommendations.report.sections import SECTIONS
from recommendations.report.storing import store_site_report
from recommendations.selectors_report_lists import list_rows, plain_row, read_filter
from tests.factories import make_link, make_page, make_run, make_site

MODEL = "word-count"


@dataclass
class ReportSite:
    site: Site
    run: RecommendationRun
    pages: dict[str, Page] = field(default_factory=dict)

    def page(self, name: str, path: str | None = None, **values: Any) -> Page:
        self.pages[name] = make_page(self.site, name if path is None else path, "Some words.", **values)
        return self.pages[name]

    def link(self, source: str, target: str, text: str = "", **values: Any) -> None:
        """A link as the crawl leaves it: to where its address leads, or to nothing."""
        to = self.pages[target]
        end = self.pages[values.pop("end")] if "end" in values else to
        make_link(
            self.pages[source], end if end.status == "read" else None, target_url=to.url, anchor_text=text, **values
        )

    def store(self) -> SiteReport:
        return store_site_report(self.site.pk, self.run.pk, model_name=MODEL)

    def embed(self, vectors: dict[str, list[float]]) -> None:
        pages = sorted((self.pages[name].pk, vector) for name, vector in vectors.items())
        values = np.array([vector for _, vector in pages], dtype=np.float32)
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        writer = get_vector_store().open_writer(self.site.pk, MODEL, "1", values.shape[1])
        writer.set_pages(np.array([number for number, _ in pages], dtype=np.int64), values)


def rows_of(report: SiteReport, key: str, **query: str) -> list[dict[str, Any]]:
    section = SECTIONS[key]
    return [plain_row(section, row) for row in list_rows(report, section, read_filter(section, query))]


def names_of(report: SiteReport, key: str, column: str = "page", **query: str) -> list[str]:
    """Last part of the address in that column, row by row."""
    return [str(row[column]).rstrip("/").rsplit("/", 1)[-1] for row in rows_of(report, key, **query)]


def build_report_site() -> ReportSite:
    site = make_site("Bench", start_url="https://bench.example/")
    made = ReportSite(site, make_run(site))
    made.page("start", "/", depth=0, title="Bench", response_seconds=0.2)
    made.page("planes", depth=1, title="Planes", response_seconds=0.3, is_in_sitemap=True)
    made.page("chisels", depth=1, title="Tools", response_seconds=2.4)
    made.page("saws", depth=2, title="tools ", response_seconds=1.0)
    made.page("sägen", depth=2, title="Tools", language="de")
    made.page("menu-only", depth=1, is_in_sitemap=True)
    made.page("redirect-only", depth=2)
    made.page("sitemap-only", is_in_sitemap=True)
    made.page("nowhere")
    made.page("login", depth=1, is_target=False, reason="a login page")
    made.page("hidden", depth=1, is_target=False, reason="noindex")
    made.page("copy", depth=1, is_target=False, reason="canonical is another page: https://bench.example/planes",
              canonical_url="https://bench.example/planes")  # fmt: skip
    _add_unread(made)
    _add_links(made)
    return made


def _add_unread(made: ReportSite) -> None:
    url = made.site.start_url
    made.page("gone", status="gone", http_status=404, reason="gone: 404")
    made.page("refused", status="failed", http_status=403, reason="the server answered 403")
    made.page("broken", status="failed", http_status=500, reason="the server answered 500")
    made.page("silent", status="failed", reason="it did not answer")
    made.page("old-planes", status="redirect", redirect_url=f"{url}planes", reason=f"redirects: to {url}planes")
    made.page("older-planes", status="redirect", redirect_url=f"{url}planes", reason=f"redirects: to {url}old-planes")
    made.page("moved", status="redirect", redirect_url=f"{url}redirect-only", reason=f"redirects: to {url}x")
    made.page("to-gone", status="redirect", redirect_url=f"{url}gone", reason=f"redirects: to {url}gone")
    made.page("away", status="skipped", redirect_url="https://else.example/", reason="redirects to another site")
    made.page("planes?print", status="redirect", redirect_url=f"{url}planes", reason=f"the same text: as {url}planes")
    made.page("image", status="skipped", reason="it is an image")


def _add_links(made: ReportSite) -> None:
    made.link("start", "planes", "Planes")
    made.link("start", "planes", "planes ")
    made.link("start", "chisels", "here")
    made.link("planes", "saws", "sharp tools")
    made.link("saws", "chisels", "Sharp  tools")
    made.link("chisels", "sägen", "Sägen")
    made.link("start", "menu-only", "Menu", is_editorial=False)
    made.link("start", "moved", "Moved", end="redirect-only", is_editorial=False)
    made.link("start", "login", "Log in", is_editorial=False)
    made.link("planes", "planes", "this page")
    for name in ("gone", "refused", "broken", "silent", "to-gone", "away", "image"):
        made.link("planes", name, f"to {name}")
    made.link("saws", "gone", "dead", is_editorial=False)
    made.link("saws", "old-planes", "planes", end="planes")
    made.link("saws", "older-planes", "planes", end="planes")
    made.link("saws", "planes?print", "print", end="planes", is_editorial=False)
    made.link("saws", "hidden", "hidden")
    made.link("saws", "copy", "copy", end="planes")
    made.link("hidden", "hidden", "self")
    make_link(made.pages["saws"], None, target_url="https://elsewhere.example/", anchor_text="elsewhere")
