"""What people call a page. Pure."""

from typing import Protocol


class Named(Protocol):
    title: str
    h1: str
    url: str


def page_name(page: Named) -> str:
    """The heading where the title only adds the site's name to it, else the title; the address of a nameless page."""
    title, h1 = page.title.strip(), page.h1.strip()
    if h1 and (not title or h1.casefold() in title.casefold()):
        return h1
    return title or page.url
