"""A small site through the whole product: served on loopback, crawled, embedded by a real model, recommended.

Gives plain values and leaves no row behind, so that one run serves the tests of a whole module. Leaves the pages'
wording to `pages`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from crawler.models import Page, PageBody, Sentence, Site
from crawler.services import crawl_site, get_or_create_site
from embeddings.services import embed_site
from embeddings.vector_store import forget_site_vectors
from recommendations.models import Recommendation, RecommendationRun
from recommendations.services import recommend_site
from tests.crawler.loopback import Answer, serve, sitemap
from tests.factories import make_crawl


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One suggestion as an editor would see it; `texts` are its anchor text and the alternatives offered with it."""

    source: str
    target: str
    anchor: str
    texts: tuple[str, ...]
    sentence: str
    kind: str  # of its block
    block: int
    start: int  # of the anchor in the block's text
    score: float

    @property
    def end(self) -> int:
        return self.start + len(self.anchor)


@dataclass(frozen=True, slots=True)
class PageRow:
    """What is stored of a page."""

    status: str
    reason: str
    is_target: bool
    language: str
    depth: int | None
    texts: tuple[str, ...]  # of its blocks
    template: tuple[str, ...]  # sentences that belong to the site's template


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that a run of the pipeline left: pages by path, suggestions, figures."""

    pages: Mapping[str, PageRow]
    suggestions: tuple[Suggestion, ...]
    crawl_figures: Mapping[str, Any]
    run_figures: Mapping[str, Any]

    def on(self, source: str) -> list[Suggestion]:
        """The suggestions on one page, best first."""
        return [item for item in self.suggestions if item.source == source]

    def targets_of(self, source: str) -> set[str]:
        return {item.target for item in self.on(source)}

    def anchors(self, source: str, target: str) -> list[str]:
        """The anchor text proposed on the source for the target, and its alternatives."""
        return [text for item in self.on(source) if item.target == target for text in item.texts]

    def words_offered_on(self, source: str) -> list[str]:
        """Every anchor text and alternative on one page, folded."""
        return [text.casefold() for item in self.on(source) for text in item.texts]


def recommend_whole_site(answers: Mapping[str, Answer], *, threshold: float = 0.0, **site_values: Any) -> Outcome:
    """Run the pipeline over these answers; all paths are in the sitemap. Threshold 0 hides nothing.

    site_values: fields of Site that an admin may set. The model is the product's own choice for the site's languages.
    """
    with serve(answers) as served, transaction.atomic():
        if "/sitemap.xml" not in answers:
            served.answers["/sitemap.xml"] = sitemap(*(served.at(path) for path in answers if path != "/robots.txt"))
        site = get_or_create_site(served.url)
        Site.objects.filter(pk=site.pk).update(**{"max_links_per_page": 10, **site_values})
        crawl_figures = crawl_site(site.pk, make_crawl(site).pk)
        embed_site(site.pk)
        run = RecommendationRun.objects.create(site=site)
        run_figures = recommend_site(site.pk, run.pk, threshold=threshold)
        outcome = Outcome(_page_rows(site.pk, served.url), _suggestions(run, served.url), crawl_figures, run_figures)
        forget_site_vectors(site.pk)
        transaction.set_rollback(True)
    return outcome


def _path(url: str, base: str) -> str:
    return "/" + url.removeprefix(base)


def _page_rows(site_id: int, base: str) -> dict[str, PageRow]:
    bodies = dict(PageBody.objects.filter(page__site_id=site_id).values_list("page_id", "blocks"))
    template: dict[int, list[str]] = {}
    for page_id, text in Sentence.objects.filter(page__site_id=site_id, is_boilerplate=True).values_list(
        "page_id", "text"
    ):
        template.setdefault(page_id, []).append(text)
    return {
        _path(page.url, base): PageRow(
            page.status,
            page.reason,
            page.is_target,
            page.language,
            page.depth,
            tuple(block["text"] for block in bodies.get(page.pk, ())),
            tuple(template.get(page.pk, ())),
        )
        for page in Page.objects.filter(site_id=site_id)
    }


def _suggestions(run: RecommendationRun, base: str) -> tuple[Suggestion, ...]:
    rows = Recommendation.objects.filter(run=run).select_related("source", "target").order_by("source_id", "rank")
    found = []
    for row in rows:
        block = PageBody.objects.get(page=row.source).blocks[row.block]
        found.append(
            Suggestion(
                source=_path(row.source.url, base),
                target=_path(row.target.url, base),
                anchor=row.anchor_text,
                texts=(row.anchor_text, *(other["anchor_text"] for other in row.alternatives)),
                sentence=row.sentence,
                kind=block["kind"],
                block=row.block,
                start=row.sentence_start + row.anchor_start,
                score=row.score,
            )
        )
    return tuple(found)
