"""How a site's last crawl goes or went, in counts that lead to the lists behind them; and what a held crawl misses.

Leaves the stages and their status to `selectors_runs`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q, QuerySet

from crawler.models import Crawl, Page, PageStatus
from crawler.page_losses import find_again
from crawler.page_reasons import LAST_VISIT_FAILED
from recommendations.selectors_runs import PipelineState

#: Pages of a held crawl that are missing and shown on the site's own page; the rest is on a page of their own.
MISSING_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Count:
    """Pages with one outcome. `query` lists them on the site's page; "" where no list does."""

    label: str
    pages: int
    query: str = ""


@dataclass(slots=True)
class Held:
    """A crawl that found too few of the known pages."""

    known: int
    found: int
    missing: int  # not found as they were: moved ones are among them
    sentence: str
    pages: list[Page]


@dataclass(slots=True)
class Reading:
    """A crawl in counts: while it runs from its live counts, afterwards from its figures."""

    totals: list[Count] = field(default_factory=list)
    skipped: list[Count] = field(default_factory=list)
    failed: list[Count] = field(default_factory=list)
    pages_per_second: float | None = None
    seconds_left: float | None = None
    notes: list[str] = field(default_factory=list)
    ranking: list[str] = field(default_factory=list)
    held: Held | None = None
    is_live: bool = False

    @property
    def is_told(self) -> bool:
        return bool(self.totals or self.skipped or self.failed)


def reading_of(state: PipelineState | None) -> Reading:
    """What the panel tells of the newest run's crawl."""
    crawl = state.crawl if state else None
    if state is None or crawl is None:
        return Reading()
    if crawl.is_active:
        reading = _of_counts(crawl.live, is_live=True)
        reading.pages_per_second = _number(crawl.live.get("pages_per_second"))
        reading.seconds_left = _number(crawl.live.get("seconds_left"))
        return reading
    # One that did not come to its end has no figures, but its counts up to there.
    reading = _of_counts(crawl.figures if "found" in crawl.figures else crawl.live, is_live=False)
    reading.notes = [str(note) for note in crawl.figures.get("notes", [])]
    reading.ranking = _ranking_in_words(state.run.figures)
    if state.is_held:
        reading.held = held_pages(crawl)
    return reading


def missing_pages(site_id: int, crawl: Crawl) -> QuerySet[Page]:
    """Known pages that the crawl did not find as they were; those of a held crawl wait for an admin's word."""
    is_missed = Q(last_crawl=None) | ~Q(last_crawl=crawl) | Q(reason__startswith=LAST_VISIT_FAILED)
    pages = Page.objects.filter(~Q(pending_status="") | is_missed, site_id=site_id, status=PageStatus.READ)
    return pages.defer("headings", "hreflang", "description").order_by("url")


def held_pages(crawl: Crawl) -> Held:
    """How many of the known pages a held crawl misses, and the first of them."""
    missing = missing_pages(crawl.site_id, crawl)
    known = crawl.figures.get("so_far", {}).get("known", 0)
    finding = find_again(crawl.site_id, crawl.pk, known, is_complete=True)
    return Held(
        known=finding.known,
        found=finding.found,
        missing=missing.count(),
        sentence=crawl.error,
        pages=list(missing[:MISSING_SHOWN]),
    )


def _of_counts(counts: Mapping[str, Any], *, is_live: bool) -> Reading:
    names = (
        ("found", "found", "status=all"),
        ("fetched", "fetched", ""),
        ("read", "read", ""),
        ("unchanged", "of them unchanged", ""),
        ("waiting", "waiting", ""),
        ("redirects", "redirect", "status=redirect"),
        ("gone", "gone", "status=gone"),
    )
    totals = [
        Count(label, number, query) for key, label, query in names if (number := _whole(counts.get(key))) is not None
    ]
    return Reading(
        totals=totals,
        skipped=_by_reason(counts.get("skipped"), PageStatus.SKIPPED),
        # Those that are gone are among them, under a status of their own.
        failed=_by_reason(counts.get("failed"), "all"),
        is_live=is_live,
    )


def _by_reason(counts: Any, status: str) -> list[Count]:
    """The most frequent reason first; each leads to its pages."""
    if not isinstance(counts, Mapping):
        return []
    ordered = sorted(((str(reason), int(pages)) for reason, pages in counts.items()), key=lambda item: -item[1])
    return [Count(reason, pages, _list_of(status, reason)) for reason, pages in ordered if pages]


def _list_of(status: str, reason: str) -> str:
    if reason.startswith(LAST_VISIT_FAILED):
        # What was read before is kept, and so the page is still among those that were read.
        return urlencode({"reason": LAST_VISIT_FAILED})
    return urlencode({"status": status, "reason": reason})


def _ranking_in_words(figures: Mapping[str, Any]) -> list[str]:
    """What the ranking did anew and what it kept, and why."""
    ranked, kept, why = figures.get("ranked"), figures.get("kept"), figures.get("why")
    sentences = []
    if ranked is not None and kept is not None:
        sentences.append(f"{ranked:,} pages were ranked, {kept:,} kept their suggestions.")
    if why:
        sentences.append(str(why))
    return sentences


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) else None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and value > 0 else None
