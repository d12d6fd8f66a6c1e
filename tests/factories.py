"""Rows for tests: a person, a site, pages with text, links, a finished run, suggestions that stand where they say."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone

from crawler.extraction.types import Block, BlockKind, block_sha256, blocks_from_json, text_hash
from crawler.leases import RunStatus
from crawler.models import Crawl, Link, Page, PageBody, PageStatus, Sentence, Site
from embeddings.models import EmbeddingRun
from recommendations.linkable_text import match_index_of
from recommendations.models import Recommendation, RecommendationRun, Status

_numbers = count(1)
PASSWORD = "correct horse battery"


def make_user(name: str = "", *, is_admin: bool = False) -> Any:
    name = name or f"person{next(_numbers)}"
    users = get_user_model().objects
    return users.create_superuser(name, password=PASSWORD) if is_admin else users.create_user(name, password=PASSWORD)


def make_site(name: str = "", **values: Any) -> Site:
    number = next(_numbers)
    values.setdefault("start_url", f"https://site{number}.example/")
    return Site.objects.create(name=name or f"Site {number}", **values)


def make_page(site: Site, path: str = "", text: str | Sequence[Block] = "", **values: Any) -> Page:
    """A read page; `text` is one paragraph a line, or ready blocks. Each paragraph is one sentence."""
    path = path or f"page{next(_numbers)}"
    values.setdefault("status", PageStatus.READ)
    values.setdefault("title", path.strip("/").replace("-", " ").capitalize() or "Start")
    values.setdefault("is_target", values["status"] == PageStatus.READ)
    values.setdefault("language", "en")
    page = Page.objects.create(site=site, url=site.start_url.rstrip("/") + "/" + path.lstrip("/"), **values)
    set_text(page, text)
    return page


def set_text(page: Page, text: str | Sequence[Block]) -> None:
    """What the page says from now on, as if it were read anew."""
    if isinstance(text, str):
        lines = [line for line in text.split("\n") if line]
        text = [Block(ordinal, BlockKind.PARAGRAPH, line) for ordinal, line in enumerate(lines)]
    PageBody.objects.update_or_create(page=page, defaults={"blocks": [block.to_json() for block in text]})
    Sentence.objects.filter(page=page).delete()
    Sentence.objects.bulk_create(
        Sentence(
            page=page,
            ordinal=ordinal,
            block_ordinal=block.ordinal,
            block_kind=str(block.kind),
            start=0,
            end=len(block.text),
            text=block.text,
            text_hash=text_hash(block.text),
        )
        for ordinal, block in enumerate(text)
    )


def make_link(page: Page, target: Page | None, *, is_editorial: bool = True, **values: Any) -> Link:
    ordinal = Link.objects.filter(page=page).count()
    values.setdefault("target_url", target.url if target else "https://elsewhere.example/")
    return Link.objects.create(page=page, target=target, ordinal=ordinal, is_editorial=is_editorial, **values)


def make_run(site: Site, status: str = RunStatus.DONE, **values: Any) -> RecommendationRun:
    return RecommendationRun.objects.create(site=site, status=status, **values)


def make_pipeline(site: Site, *statuses: str, **values: Any) -> RecommendationRun:
    """A run with its crawl and embedding, each in the status given."""
    crawl_status, embedding_status, run_status = statuses
    now = timezone.now()

    def ended(status: str) -> dict[str, Any]:
        begun = {"started_at": now, "heartbeat_at": now} if status != RunStatus.QUEUED else {}
        return {"status": status, **begun, "finished_at": None if status in ("queued", "running") else now}

    return RecommendationRun.objects.create(
        site=site,
        crawl=Crawl.objects.create(site=site, **ended(crawl_status), **values),
        embedding_run=EmbeddingRun.objects.create(site=site, **ended(embedding_status)),
        **ended(run_status),
    )


def make_recommendation(
    run: RecommendationRun, source: Page, target: Page, anchor: str, *, block: int = 0, **values: Any
) -> Recommendation:
    """A suggestion on words that stand in the block of the source page, or anywhere if they do not stand there."""
    blocks = blocks_from_json(PageBody.objects.get(page=source).blocks)
    text = blocks[block].text if block < len(blocks) else anchor
    start = max(text.find(anchor), 0)
    index = match_index_of(blocks[block], anchor, start, False) if block < len(blocks) else 0
    values.setdefault("score", 0.75)
    values.setdefault("rank", run.recommendations.filter(source=source).count() + 1)
    values.setdefault("reasons", ["This sentence names the target page word for word."])
    values.setdefault("status", Status.PENDING)
    return Recommendation.objects.create(
        run=run,
        site_id=run.site_id,
        source=source,
        target=target,
        anchor_text=anchor,
        anchor_start=start,
        sentence=text,
        sentence_hash=text_hash(text),
        sentence_start=0,
        block=block,
        block_sha256=block_sha256(text),
        match_index=index or 0,
        context_before=text[max(0, start - 120) : start],
        context_after=text[start + len(anchor) : start + len(anchor) + 120],
        **values,
    )


def make_crawl(site: Site) -> Crawl:
    """A new crawl; what was under way has ended, since a site has one active run of a kind."""
    site.crawls.update(status=RunStatus.DONE)
    return site.crawls.create()
