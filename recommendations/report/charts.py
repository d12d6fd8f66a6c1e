"""What the report shows as charts: how pages spread over depths, inlinks, PageRank and outcomes.

Each bar names the list that it opens, which has as many rows as the bar says. Leaves drawing to the template.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from crawler.models import PageStatus
from recommendations.report.page_lists import UNREACHABLE
from recommendations.report.rows import Row
from recommendations.report.site_facts import SiteFacts

_INLINK_STEPS = (0, 1, 2, 3, 5, 10, 20, 50, 100)
_RANK_STEPS = (0.0, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)
_DEEPEST = 12


@dataclass(slots=True)
class PageTally:
    """Counts the rows of the list of pages as they are written."""

    depths: Counter[str]
    inlinks: Counter[int]
    ranks: Counter[float]

    @classmethod
    def empty(cls) -> "PageTally":
        return cls(Counter(), Counter(), Counter())

    def add(self, row: Row) -> None:
        self.depths[row.kind] += 1
        self.inlinks[max(step for step in _INLINK_STEPS if step <= row.cells["content_inlinks"])] += 1
        self.ranks[max(step for step in _RANK_STEPS if step <= row.cells["page_rank"])] += 1


def draw_charts(facts: SiteFacts, tally: PageTally) -> list[dict[str, Any]]:
    """Charts as stored: {"key", "bars": [{"label", "count", "section", "query"}]}."""
    charts = [
        {"key": "depth", "bars": _depth_bars(tally.depths)},
        {"key": "inlinks", "bars": _step_bars(_INLINK_STEPS, tally.inlinks, "page-links", "content_inlinks")},
        {"key": "page-rank", "bars": _step_bars(_RANK_STEPS, tally.ranks, "page-rank", "page_rank")},
        {"key": "status", "bars": _status_bars(facts)},
    ]
    return [chart for chart in charts if chart["bars"]]


def _depth_bars(depths: Counter[str]) -> list[dict[str, Any]]:
    reached = {int(kind): count for kind, count in depths.items() if kind != UNREACHABLE}
    bars = []
    deepest = max(reached, default=-1)
    for depth in range(min(deepest, _DEEPEST - 1) + 1):
        name = "start page" if depth == 0 else f"{depth} click{'s' if depth > 1 else ''}"
        bars.append(_bar(name, reached.get(depth, 0), "click-depth", {"kind": str(depth)}))
    if deepest >= _DEEPEST:
        count = sum(count for depth, count in reached.items() if depth >= _DEEPEST)
        bars.append(_bar(f"{_DEEPEST} or more", count, "click-depth", {"of": "depth", "from": str(_DEEPEST)}))
    if depths[UNREACHABLE]:
        bars.append(_bar("out of reach", depths[UNREACHABLE], "click-depth", {"kind": UNREACHABLE}))
    return bars


def _step_bars(steps: tuple[Any, ...], counts: Counter[Any], section: str, column: str) -> list[dict[str, Any]]:
    if not counts:
        return []
    bars = []
    for step, following in zip(steps, (*steps[1:], None), strict=True):
        query = {"of": column, "from": f"{step:g}"}
        if following is not None:
            query["to"] = f"{following:g}"
        bars.append(_bar(_range_name(step, following), counts[step], section, query))
    while bars and not bars[-1]["count"]:
        bars.pop()
    return bars


def _range_name(step: Any, following: Any) -> str:
    if isinstance(step, int):
        if following is None:
            return f"{step} or more"
        return str(step) if following == step + 1 else f"{step} to {following - 1}"
    return f"{step:g} or more" if following is None else f"{step:g} to {following:g}"


def _status_bars(facts: SiteFacts) -> list[dict[str, Any]]:
    counts = Counter(page.status for page in facts.pages)
    names = {str(status): status.label for status in PageStatus}
    return [_bar(names[status], counts[status], "", {"status": status}) for status in names if counts[status]]


def _bar(label: str, count: int, section: str, query: dict[str, str]) -> dict[str, Any]:
    return {"label": label, "count": count, "section": section, "query": query}
