"""Ranks a whole site and stores what it proposes. Leaves the ranking to `engine`, decisions to `decisions`."""

import time
from collections.abc import Callable
from typing import Any

from django.db import transaction

from crawler.leases import Progress, ignore_progress
from crawler.models import Site
from embeddings.ann_index import build_index
from embeddings.encoders import open_encoder
from embeddings.selectors import choose_model_name
from embeddings.types import Encoder
from embeddings.vector_store import open_site_vectors
from recommendations.decided_links import decided_links
from recommendations.decisions import carry_decisions, rejections
from recommendations.engine.learning import learn_site
from recommendations.engine.model_card import model_card
from recommendations.engine.ranking import DEFAULT_THRESHOLD, least_fitness_at
from recommendations.engine.run import Recommender
from recommendations.engine.site_model import build_site_model
from recommendations.engine.types import EngineOptions, Rejections
from recommendations.frozen_ranking import thaw
from recommendations.models import Recommendation, RecommendationRun
from recommendations.recrawl import SiteRanking, plan_run, recall_recommender
from recommendations.site_reader import SiteReader
from recommendations.withdrawing import withdraw_links


def _no_fence() -> None:
    """Nothing else writes this run."""


def engine_options(site: Site, top: int | None, threshold: float | None) -> EngineOptions:
    """What the run asks for, else what the site is set to, else the product's own choice."""
    if threshold is None:
        threshold = site.threshold
    if threshold is None:
        threshold = DEFAULT_THRESHOLD
    refused = rejections(site.pk)
    return EngineOptions(
        top=top or site.max_links_per_page,
        threshold=threshold,
        least_fitness=least_fitness_at(threshold),
        links_per_paragraph=site.max_links_per_paragraph,
        links_per_1000_words=site.max_new_links_per_1000_words,
        orphan_favour=site.orphan_favour,
        is_inline_code_linkable=site.is_inline_code_linkable,
        is_cross_language_allowed=site.is_cross_language_allowed,
        rejections=Rejections(refused.pairs, refused.anchors, refused.places),
    )


def recommend_site(
    site_id: int,
    run_id: int,
    *,
    top: int | None = None,
    threshold: float | None = None,
    model_name: str | None = None,
    encoder: Encoder | None = None,
    is_all_ranked: bool = False,
    progress: Progress = ignore_progress,
    fence: Callable[[], None] = _no_fence,
) -> dict[str, Any]:
    """Write the run's recommendations page by page; a run that was cut off goes on after its last written page.

    Where little changed since the last run, what was learned stays, and pages whose links depend on nothing changed
    keep them (see `recrawl`); is_all_ranked: none does, which gives the same and takes longer.

    Returns figures: pages, recommendations, model_name, threshold, kind of run, why, ranked, kept, seconds by step.
    Raises RecommendationError, EmbeddingError or LeaseLost.
    """
    site = Site.objects.get(pk=site_id)
    run = RecommendationRun.objects.select_related("crawl").get(pk=run_id)
    started = time.perf_counter()
    progress(0, 0, "preparing")
    model_name = model_name or choose_model_name(site_id)
    options = engine_options(site, top, threshold)
    encoder = encoder or open_encoder(model_name)
    # The fingerprint keeps vectors of another version of the model from being compared with this encoder's.
    reader = SiteReader(site, open_site_vectors(site_id, model_name, fingerprint=encoder.fingerprint))
    plan = plan_run(run, reader, encoder, options)
    if plan.frozen is None:
        thaw(site_id, fence)
        recommender = prepare_recommender(site_id, reader, encoder, options, progress)
    else:
        recommender = recall_recommender(site_id, reader, encoder, options, plan.frozen, is_all_ranked)
    with transaction.atomic():
        fence()
        RecommendationRun.objects.filter(pk=run_id).update(model_card=model_card(recommender.learned))
    prepared = time.perf_counter()
    ranking = SiteRanking(run, reader, recommender, plan, is_all_ranked, progress, fence)
    if not run.are_words_settled:
        ranking.write_pages()
        ranking.end()
    ranked = time.perf_counter()
    if options.threshold > 0:
        withdraw_links(run, recommender.model, reader.page_ids, fence)
    carry_decisions(run_id, fence=fence)
    finished = time.perf_counter()
    return {
        "pages": len(reader.page_ids),
        "recommendations": Recommendation.objects.filter(run=run).count(),
        "model_name": model_name,
        "threshold": options.threshold,
        "is_code_linkable": recommender.model.is_code_linkable,
        "kind": plan.kind,
        "why": plan.why,
        "ranked": ranking.ranked,
        "kept": ranking.kept,
        "seconds_prepare": round(prepared - started, 2),
        "seconds_rank": round(ranked - prepared, 2),
        "seconds_settle": round(finished - ranked, 2),
        "seconds": round(finished - started, 2),
    }


def prepare_recommender(
    site_id: int, reader: SiteReader, encoder: Encoder, options: EngineOptions, progress: Progress = ignore_progress
) -> Recommender:
    """The site's model, and what its links and its editors' decisions teach, ready to rank pages."""
    links = reader.read_links()
    model = build_site_model(reader.pages, links, reader.read_texts(), encoder, options)
    nearest = build_index(reader.pages.page_vectors)
    progress(0, 0, "learning from the site's links")
    decided = decided_links(site_id, reader.positions_of_urls())
    learned = learn_site(model, links, nearest, reader.source_positions(), reader.read_positions, decided)
    return Recommender(model, encoder, nearest, learned)
