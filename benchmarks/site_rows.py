"""Reads one site's rows for the methods that the product is compared with. Leaves vectors to the embeddings app.

They see exactly what the product sees: the same pages, the same sentences, the same links counted as editorial.
"""

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class SiteSentence:
    """A sentence of the main content that does not repeat across the site."""

    text: str
    text_hash: str


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page that was read."""

    page_id: int
    url: str
    title: str
    is_target: bool
    sentences: tuple[SiteSentence, ...]


@dataclass(frozen=True, slots=True)
class SiteRows:
    """A whole site. `linked` holds the targets that each page already links to from its content."""

    site_id: int
    pages: tuple[SitePage, ...]
    linked: dict[int, set[int]] = field(default_factory=dict)


def start_django() -> None:
    """Load Django's settings and models; must run before anything else here."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkrec_site.settings")
    django.setup()


def read_site(start_url: str) -> SiteRows:
    """The site that was read from this start URL."""
    from crawler.models import Link, Site

    site = Site.objects.filter(start_url=start_url).first() or Site.objects.get()
    linked: dict[int, set[int]] = defaultdict(set)
    links = Link.objects.filter(page__site=site, is_editorial=True, target__isnull=False)
    for source, target in links.values_list("page_id", "target_id").iterator():
        linked[source].add(target)
    return SiteRows(site.pk, _read_pages(site.pk), dict(linked))


def _read_pages(site_id: int) -> tuple[SitePage, ...]:
    """Pages with the names that the engine gives them: what many pages share in title or heading names none of them."""
    from crawler.models import Page, PageStatus
    from recommendations.engine.titles import page_names
    from recommendations.engine.types import SitePages

    query = Page.objects.filter(site_id=site_id, status=PageStatus.READ).order_by("id")
    rows = list(query.values_list("id", "url", "title", "h1", "is_target"))
    ids, urls, titles, h1s, is_target = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    pages = SitePages(
        urls,
        titles,
        h1s,
        headings=[()] * len(rows),
        languages=[""] * len(rows),
        is_target=np.array(is_target, dtype=bool),
        translation_groups=np.arange(len(rows)),
        page_vectors=np.zeros((len(rows), 0), dtype=np.float32),
    )
    sentences = _read_sentences(site_id)
    return tuple(
        SitePage(page_id, url, name, may_be_target, tuple(sentences[page_id]))
        for page_id, url, name, may_be_target in zip(ids, urls, page_names(pages), is_target, strict=True)
    )


def _read_sentences(site_id: int) -> dict[int, list[SiteSentence]]:
    from crawler.extraction.types import LINKABLE_KINDS
    from crawler.models import Sentence

    sentences: dict[int, list[SiteSentence]] = defaultdict(list)
    kinds = [str(kind) for kind in LINKABLE_KINDS]
    rows = Sentence.objects.filter(page__site_id=site_id, is_boilerplate=False, block_kind__in=kinds)
    for page_id, text, text_hash in rows.order_by("page_id", "ordinal").values_list("page_id", "text", "text_hash"):
        sentences[page_id].append(SiteSentence(text, text_hash))
    return sentences


def parse_arguments(description: str, methods: Sequence[str] = ()) -> argparse.Namespace:
    """The command line that every compared method has."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("url", help="start URL of a site that was crawled and embedded in LINKREC_DATA_DIR")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--model", default="", help="empty: the product's own choice for this site")
    parser.add_argument("--top", type=int, default=10)
    if methods:
        parser.add_argument("--method", choices=methods, required=True)
    return parser.parse_args()


def write_rows(path: Path, site_url: str, rows: list[dict[str, Any]]) -> None:
    """The product's own JSON form."""
    document = {"format_version": 1, "site": site_url, "recommendations": rows}
    path.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
