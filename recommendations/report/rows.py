"""A row of a list before it is stored, and the cells that lists share. Leaves storing to `storing`."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from recommendations.page_names import page_name
from recommendations.report.site_facts import PageFacts


@dataclass(frozen=True, slots=True)
class Row:
    """Cells by column; what is unknown is left out. `recommendation`: id of the suggestion that the row tells of."""

    cells: dict[str, Any]
    kind: str = ""
    place: str = ""
    group: int | None = None
    recommendation: int | None = None

    @property
    def text(self) -> str:
        """What a search looks through."""
        return "\n".join(_texts(self.cells.values())).lower()


def _texts(values: Iterable[Any]) -> Iterable[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from (value["name"], value["url"])


def page_cell(page: PageFacts) -> dict[str, Any]:
    """What is shown and exported of a page: its number, address and name."""
    return {"id": page.id, "url": page.url, "name": page_name(page) if page.title or page.h1 else ""}
