"""Anchors to links: absolute addresses, and whether each is editorial as far as its own page can tell."""

import re
from collections.abc import Sequence, Set
from functools import lru_cache

from lxml import etree

from crawler.extraction.block_builder import OpenAnchor
from crawler.extraction.hints import words
from crawler.extraction.page_lists import find_teasers
from crawler.extraction.types import Block, ExtractedLink
from crawler.url_normalization import MAX_URL_LENGTH, normalize_url, origin_of

#: A page that holds more is a trap or a dump; the rest is left out.
MOST_LINKS = 10_000
_LONGEST_ANCHOR = 1_000
#: Relations of links that a template writes, not an editor.
_TEMPLATE_RELATIONS = frozenset(
    words("prev next tag category author bookmark home up contents index alternate search help license")
)
#: Whole addresses, and paths from the root: a site's menus are the same on every page of it.
_SAME_FROM_EVERY_PAGE = re.compile(r"/\w|https?://\w", re.ASCII)
_NOFOLLOW_RELATIONS = frozenset({"nofollow", "ugc", "sponsored"})


def collect_links(
    anchors: Sequence[OpenAnchor],
    seen: Set[etree._Element],
    body: etree._Element,
    blocks: Sequence[Block],
    menus: Set[int],
    base_url: str,
    alternates: Set[str],
) -> tuple[ExtractedLink, ...]:
    """Links of the main content in reading order, then all others.

    `menus` are ordinals of blocks that are bare rows of links, `alternates` the page's own translations.
    """
    targets = _Targets(base_url)
    found = [(anchor, url) for anchor in anchors[:MOST_LINKS] if (url := targets.of(anchor.href))]
    url_of = {anchor.spans[0][0]: url for anchor, url in found if len(anchor.spans) == 1}
    teasers = {url_of[ordinal] for ordinal in find_teasers(blocks, url_of)}
    links = [_content_link(anchor, url, menus, alternates, teasers) for anchor, url in found]
    for element in body.iter("a", "area"):
        if len(links) >= MOST_LINKS:
            break
        if element in seen or not (href := element.get("href")) or not (url := targets.of(href)):
            continue
        said = "".join(element.itertext()) if len(element) else element.text or ""
        text = " ".join(said.split())[:_LONGEST_ANCHOR]
        links.append(ExtractedLink(url, text, is_editorial=False, is_nofollow=_is_nofollow(element.get("rel", ""))))
    return tuple(links)


class _Targets(dict[str, str]):
    """href without fragment -> normalized URL; '' for what leads nowhere: a place on the same page, mail, scripts."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._origin = origin_of(base_url)

    def __missing__(self, href: str) -> str:
        if _SAME_FROM_EVERY_PAGE.match(href) and len(href) <= MAX_URL_LENGTH:
            url = _normalize_once(href, self._origin)
        else:
            url = normalize_url(href, self._base_url) if href else ""
        self[href] = url
        return url

    def of(self, href: str) -> str:
        return self[href.strip().partition("#")[0]]


@lru_cache(maxsize=8_192)
def _normalize_once(href: str, origin: str) -> str:
    return normalize_url(href, origin + "/")


def _content_link(
    anchor: OpenAnchor, url: str, menus: Set[int], alternates: Set[str], teasers: Set[str]
) -> ExtractedLink:
    text = " ".join(anchor.texts)[:_LONGEST_ANCHOR]
    is_nofollow = bool(anchor.rel) and _is_nofollow(anchor.rel)
    if not anchor.spans:  # a linked picture
        return ExtractedLink(url, text, not _is_template_link(anchor, url, alternates), is_nofollow)
    ordinal, start, end = anchor.spans[0]
    is_editorial = (
        len(anchor.spans) == 1  # a link around several blocks is a card
        and not _is_template_link(anchor, url, alternates)
        and ordinal not in menus
        and url not in teasers
    )
    return ExtractedLink(url, text, is_editorial, is_nofollow, anchor.is_in_code, ordinal, start, end)


def _is_template_link(anchor: OpenAnchor, url: str, alternates: Set[str]) -> bool:
    if anchor.is_alternate or url in alternates:
        return True
    return bool(anchor.rel) and not _TEMPLATE_RELATIONS.isdisjoint(anchor.rel.lower().split())


def _is_nofollow(rel: str) -> bool:
    return not _NOFOLLOW_RELATIONS.isdisjoint(rel.lower().split())
