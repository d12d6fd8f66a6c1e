"""A run over what changed writes the rows of a run over everything with the same frozen weights.

A generated site is read, embedded and ranked by the product, then edited over and over: texts, titles, links, pages
that come and go.
"""

import random
from typing import Any

import pytest
from django.utils import timezone

from benchmarks.generated_site import GeneratedSite, make_site, served_site
from crawler.foreground_crawl import crawl_in_foreground
from crawler.leases import RunStatus
from crawler.models import Page, Site
from crawler.services import get_or_create_site
from embeddings.services import embed_site
from recommendations.models import RankedSource, Recommendation, RecommendationRun
from recommendations.services import recommend_site

pytestmark = pytest.mark.django_db(transaction=True)
PAGES, SENTENCES = 36, 10
COLUMNS = (
    "source_id", "target_id", "anchor_text", "anchor_start", "sentence_hash", "block", "block_sha256", "match_index",
    "rank", "reasons", "alternatives",
)  # fmt: skip


def bring_up_to_date(site: Site) -> None:
    crawl_in_foreground(site, timezone.now())
    embed_site(site.pk)


def rank(site: Site, *, is_all_ranked: bool = False, **options: Any) -> tuple[RecommendationRun, dict[str, Any]]:
    run = RecommendationRun.objects.create(site=site, options=options)
    figures = recommend_site(site.pk, run.pk, threshold=0.01, is_all_ranked=is_all_ranked)
    RecommendationRun.objects.filter(pk=run.pk).update(status=RunStatus.DONE)
    return run, figures


def rows(run: RecommendationRun) -> list[tuple[Any, ...]]:
    found = Recommendation.objects.filter(run=run).order_by("source_id", "rank")
    return [(*row[:-1], round(row[-1], 6)) for row in found.values_list(*COLUMNS, "score")]


def edit(pages: dict[str, bytes], path: str, old: str, new: str) -> None:
    text = pages[path].decode()
    assert old in text, path
    pages[path] = text.replace(old, new, 1).encode()


def change_text(pages: dict[str, bytes], path: str, mark: str) -> None:
    edit(pages, path, "<p>", f"<p>Last week {mark} came by to look at our figs, and the ladder broke. ")


def change_title(pages: dict[str, bytes], path: str, mark: str) -> None:
    edit(pages, path, "<title>", f"<title>The ladder of {mark} and ")


def change_link(pages: dict[str, bytes], path: str, mark: str) -> None:
    edit(pages, path, "</p>", f' Read about <a href="/page-h">{mark} and the ladder</a> as well.</p>')


@pytest.fixture
def generated() -> GeneratedSite:
    return make_site(PAGES, SENTENCES)


def test_equals_a_run_over_everything_after_any_edits(
    generated: GeneratedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recommendations.recrawl.MOST_CHANGED", 0.5)
    choose = random.Random(20_260_101)
    pages = generated.pages
    with served_site(generated) as url:
        site = get_or_create_site(url)
        bring_up_to_date(site)
        _, first = rank(site)
        assert (first["kind"], first["kept"]) == ("everything", 0)
        for number, edits in enumerate(
            ((change_text,), (change_link, change_title), ("add", change_text), ("remove",))
        ):
            paths = choose.sample(sorted(path for path in pages if path not in ("/", "/page-h")), len(edits))
            for path, change in zip(paths, edits, strict=True):
                if change == "add":
                    pages["/new"] = (
                        pages[path].replace(b"<title>", b"<title>More on ").replace(b"<h1>", b"<h1>More on ")
                    )
                    edit(pages, "/", "</p>", ' See <a href="/new">what is new</a>.</p>')
                elif change == "remove":
                    del pages[path]
                else:
                    change(pages, path, f"Miss Quill{number}")  # type: ignore[operator]
            bring_up_to_date(site)
            changed, figures = rank(site)
            everything, whole = rank(site, is_all_ranked=True)
            assert figures["kind"] == "what changed", figures["why"]
            assert figures["ranked"] + figures["kept"] == whole["ranked"]
            assert figures["kept"] > 0 or number
            assert rows(changed) == rows(everything)
            assert len(rows(changed)) > PAGES / 4


def test_ranks_everything_where_too_much_changed_or_it_is_asked_for(generated: GeneratedSite) -> None:
    with served_site(generated) as url:
        site = get_or_create_site(url)
        bring_up_to_date(site)
        rank(site)
        assert rank(site)[1]["ranked"] == 0
        assert rank(site, full=True)[1]["why"] == "A run over everything was asked for."
        site.max_links_per_page = 3
        site.save()
        assert "settings" in rank(site)[1]["why"]
        for path in sorted(generated.pages)[: PAGES // 6]:
            change_text(generated.pages, path, "a neighbour")
        bring_up_to_date(site)
        _, figures = rank(site)
        assert (figures["kind"], figures["why"].split()[0]) == ("everything", str(PAGES // 6))
        assert RankedSource.objects.filter(site=site).count() == Page.objects.filter(site=site, is_target=True).count()
