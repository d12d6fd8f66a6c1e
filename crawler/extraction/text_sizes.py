"""How much text parts of a page hold, inside links and outside of them. Leaves what follows from it to others."""

from collections.abc import Iterator

from lxml import etree

_STRING = etree.XPath("string()")


class TextSizes:
    """Characters in parts of one document, inside links and outside of them; each link is measured once."""

    def __init__(self, body: etree._Element) -> None:
        self._linked = {
            anchor: len(_STRING(anchor).strip() if len(anchor) else (anchor.text or "").strip())
            for anchor in body.iter("a")
        }

    def linked(self, element: etree._Element) -> int:
        """Characters that stand inside links."""
        linked = self._linked
        return sum([linked.get(anchor, 0) for anchor in element.iter("a")])

    def of_link(self, anchor: etree._Element) -> int:
        """Characters of one link."""
        return self._linked.get(anchor, 0)

    def place_links(self, element: etree._Element) -> Iterator[etree._Element]:
        """Links below the element that lead to a place on the page."""
        return (anchor for anchor in element.iterdescendants("a") if anchor.get("href", "").startswith("#"))

    def prose(self, element: etree._Element) -> int:
        """Characters that stand outside links."""
        return max(len(_STRING(element)) - self.linked(element), 0)

    def all(self, element: etree._Element) -> int:
        """Characters of the part, without white space around it."""
        return len(_STRING(element).strip())
