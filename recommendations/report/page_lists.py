"""The report's lists of pages: orphans, figures of links, dead ends, duplicate titles, hreflang, slow pages."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from recommendations.report.rows import Row, page_cell
from recommendations.report.sections import DEFAULT_SLOW_SECONDS
from recommendations.report.site_facts import Ints, PageFacts, SiteFacts

UNREACHABLE = "unreachable"


class PageFigures:
    """(n_pages,) counts of linking and linked pages by position. Menus: those that content does not link as well."""

    def __init__(self, facts: SiteFacts) -> None:
        n_pages = len(facts.pages)
        keep = (facts.targets >= 0) & (facts.targets != facts.sources)
        sources, targets, is_editorial = facts.sources[keep], facts.targets[keep], facts.is_editorial[keep]
        pairs = sources * max(n_pages, 1) + targets
        in_content = np.unique(pairs[is_editorial])
        in_menus = np.setdiff1d(np.unique(pairs[~is_editorial]), in_content, assume_unique=True)

        def count(of: Ints) -> Ints:
            return np.bincount(of, minlength=n_pages).astype(np.int64)

        self.content_inlinks = count(in_content % max(n_pages, 1))
        self.content_outlinks = count(in_content // max(n_pages, 1))
        self.menu_inlinks = count(in_menus % max(n_pages, 1))
        self.menu_outlinks = count(in_menus // max(n_pages, 1))
        is_direct = facts.to[keep] == targets
        self.direct_links = count(targets[is_direct])


def list_orphans(facts: SiteFacts, figures: PageFigures) -> Iterator[Row]:
    """Pages worth finding that no other page links to from its content, as the engine counts them."""
    orphans = [facts.pages[position] for position in facts.read_positions[facts.figures.is_orphan]]
    for page in sorted(orphans, key=lambda page: (-page.word_count, page.url)):
        inlinks = int(figures.menu_inlinks[page.position])
        if not inlinks:
            kind = "sitemap" if page.is_in_sitemap else "nowhere"
        else:
            kind = "menus" if figures.direct_links[page.position] else "redirect"
        cells = {
            "page": page_cell(page),
            "in_sitemap": page.is_in_sitemap,
            "menu_inlinks": inlinks,
            "words": page.word_count,
        }
        yield Row(cells, kind, group=page.id)


def list_unlisted_orphans(facts: SiteFacts, figures: PageFigures) -> Iterator[Row]:
    """Those of the orphans that no sitemap names."""
    for row in list_orphans(facts, figures):
        if not row.cells["in_sitemap"]:
            cells = {name: value for name, value in row.cells.items() if name != "in_sitemap"}
            yield Row(cells, row.kind, group=row.group)


def list_pages(facts: SiteFacts, figures: PageFigures) -> Iterator[Row]:
    """Every read page with the figures of its links, highest PageRank first. Its kind is its click depth."""
    ranks = read_page_ranks(facts)
    read = [page for page in facts.pages if page.is_read]
    for page in sorted(read, key=lambda page: (-ranks[page.position], page.url)):
        at = page.position
        cells: dict[str, Any] = {
            "page": page_cell(page),
            "page_rank": round(float(ranks[at]), 4),
            "content_inlinks": int(figures.content_inlinks[at]),
            "menu_inlinks": int(figures.menu_inlinks[at]),
            "content_outlinks": int(figures.content_outlinks[at]),
            "menu_outlinks": int(figures.menu_outlinks[at]),
        }
        if page.depth is not None:
            cells["depth"] = page.depth
        yield Row(cells, UNREACHABLE if page.depth is None else str(page.depth), group=page.id)


def read_page_ranks(facts: SiteFacts) -> np.ndarray:
    """(n_pages,) PageRank by position, 1.0 for the average of the pages that were read."""
    ranks = np.zeros(len(facts.pages))
    ranks[facts.read_positions] = facts.figures.page_ranks
    return ranks


def list_dead_ends(facts: SiteFacts, figures: PageFigures) -> Iterator[Row]:
    """Pages worth finding whose content leads to no other page of the site."""
    ends = [
        page for page in facts.pages if page.is_read and page.is_target and not figures.content_outlinks[page.position]
    ]
    for page in sorted(ends, key=lambda page: (-int(figures.content_inlinks[page.position]), page.url)):
        cells = {
            "page": page_cell(page),
            "words": page.word_count,
            "content_inlinks": int(figures.content_inlinks[page.position]),
        }
        yield Row(cells, "menus" if figures.menu_outlinks[page.position] else "none", group=page.id)


def list_duplicate_titles(facts: SiteFacts) -> Iterator[Row]:
    """Pages worth finding that share language and title, most shared first. Pages without a title share none."""
    groups: dict[tuple[str, str], list[PageFacts]] = defaultdict(list)
    for page in facts.pages:
        title = " ".join(page.title.split())
        if page.is_read and page.is_target and title:
            groups[page.language, title.casefold()].append(page)
    shared = [pages for pages in groups.values() if len(pages) > 1]
    for number, pages in enumerate(sorted(shared, key=lambda pages: (-len(pages), pages[0].url)), start=1):
        for page in sorted(pages, key=lambda page: page.url):
            cells = {"page": page_cell(page), "title": page.title, "language": page.language, "same": len(pages)}
            yield Row(cells, group=number)


def list_hreflang(facts: SiteFacts) -> Iterator[Row]:
    """(page, tag, other page) where the page names the other, and that was read and does not name the page."""
    for page in facts.pages:
        if not page.is_read:
            continue
        for tag, url in sorted(page.hreflang.items()):
            other = facts.by_url.get(url)
            if other is None or other is page or not other.is_read or page.url in other.hreflang.values():
                continue
            yield Row({"page": page_cell(page), "tag": tag, "target": page_cell(other)})


def list_slow_pages(facts: SiteFacts) -> Iterator[Row]:
    """Read pages whose last answer took longer than the limit, slowest first."""
    median = median_seconds(facts)
    timed = [(page.response_seconds, page) for page in facts.pages if page.is_read and page.response_seconds]
    for seconds, page in sorted(timed, key=lambda pair: (-pair[0], pair[1].url)):
        if seconds <= DEFAULT_SLOW_SECONDS:
            return
        cells: dict[str, Any] = {"page": page_cell(page), "seconds": round(seconds, 3)}
        if median:
            cells["times_median"] = round(seconds / median, 2)
        yield Row(cells)


def median_seconds(facts: SiteFacts) -> float | None:
    """Of the answers of all read pages; None where no time is known."""
    known = [page.response_seconds for page in facts.pages if page.is_read and page.response_seconds]
    return round(float(np.median(known)), 3) if known else None
