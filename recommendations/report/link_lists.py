"""The report's lists of links that lead readers astray: broken, redirected, to pages that search engines leave out."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from crawler.models import PageStatus
from crawler.page_reasons import CANONICAL_ELSEWHERE, NOINDEX
from recommendations.report.rows import Row, page_cell
from recommendations.report.sections import CONTENT, MENU
from recommendations.report.site_facts import PageFacts, SiteFacts, is_duplicate


def list_broken_links(facts: SiteFacts) -> Iterator[Row]:
    """Links of read pages to addresses of the site that give no page, or that redirect to one which gives none."""

    @cache
    def fault_of(position: int) -> tuple[str, PageFacts] | None:
        page = facts.pages[position]
        if page.is_broken:
            return _kind_of_fault(page), page
        if page.status == PageStatus.REDIRECT:
            end = facts.redirects_of(page)[0]
            if end is not None and end.is_broken:
                return "redirected", end
        return None

    for link, to in _links_by_address(facts, lambda position: fault_of(position) is not None):
        fault = fault_of(to)
        if fault is None:
            continue
        kind, broken = fault
        cells = _link_cells(facts, link) | {"address": facts.pages[to].url, "reason": broken.reason}
        if broken.http_status is not None:
            cells["http_status"] = broken.http_status
        yield Row(cells, kind, _place_of(facts, link))


def list_redirected_links(facts: SiteFacts) -> Iterator[Row]:
    """Links of read pages to addresses that lead on; where they end at nothing they are broken, and not told here."""

    @cache
    def way_of(position: int) -> tuple[str, str, int] | None:
        page = facts.pages[position]
        if page.status == PageStatus.SKIPPED and page.redirect_url:
            return "offsite", page.redirect_url, 1
        if page.status != PageStatus.REDIRECT:
            return None
        if is_duplicate(page):
            return "duplicate", page.redirect_url, 0
        end, url, hops = facts.redirects_of(page)
        if end is not None and end.is_broken:
            return None
        if end is not None and end.status == PageStatus.SKIPPED and end.redirect_url:
            return "offsite", end.redirect_url, hops + 1
        if end is None or not end.is_read:
            return "unread", url, max(hops, 1)
        return ("chain" if hops > 1 else "one"), url, max(hops, 1)

    for link, to in _links_by_address(facts, lambda position: way_of(position) is not None):
        way = way_of(to)
        if way is None:
            continue
        kind, end_url, hops = way
        cells = _link_cells(facts, link) | {"address": facts.pages[to].url, "end": end_url, "hops": hops}
        yield Row(cells, kind, _place_of(facts, link))


def list_unindexed_links(facts: SiteFacts) -> Iterator[Row]:
    """Links to read pages that ask to be left out, or name another page as canonical; also by way of redirects."""

    @cache
    def reason_of(position: int) -> tuple[str, PageFacts] | None:
        page: PageFacts | None = facts.pages[position]
        if page is not None and page.status == PageStatus.REDIRECT:
            page = facts.redirects_of(page)[0]
        if page is None or not page.is_read:
            return None
        if page.reason.startswith(NOINDEX):
            return "noindex", page
        return ("canonical", page) if page.reason.startswith(CANONICAL_ELSEWHERE) else None

    for link, to in _links_by_address(facts, lambda position: reason_of(position) is not None):
        found = reason_of(to)
        if found is None or found[1].position == facts.sources[link]:
            continue
        kind, page = found
        cells = _link_cells(facts, link) | {"target": page_cell(page)}
        if kind == "canonical":
            cells["canonical"] = page.canonical_url
        yield Row(cells, kind, _place_of(facts, link))


def _kind_of_fault(page: PageFacts) -> str:
    status = page.http_status or 0
    if page.status == PageStatus.GONE or status in (404, 410):
        return "gone"
    if 400 <= status < 500:
        return "client"
    return "server" if 500 <= status < 600 else "unreachable"


def _links_by_address(facts: SiteFacts, is_wanted: Any) -> Iterator[tuple[int, int]]:
    """(link, page that it names) of the links to the wanted pages: content first, then by address and page."""
    wanted = np.array([is_wanted(page.position) for page in facts.pages], dtype=bool)
    if not wanted.any():
        return
    links = np.flatnonzero((facts.to >= 0) & wanted[np.maximum(facts.to, 0)])
    order = np.lexsort((links, facts.to[links], ~facts.is_editorial[links]))
    for link in links[order]:
        yield int(link), int(facts.to[link])


def _link_cells(facts: SiteFacts, link: int) -> dict[str, Any]:
    text = facts.anchor_texts[facts.anchors[link]]
    return {"page": page_cell(facts.pages[facts.sources[link]]), "anchor": text}


def _place_of(facts: SiteFacts, link: int) -> str:
    return CONTENT if facts.is_editorial[link] else MENU
