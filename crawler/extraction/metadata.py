"""What a page declares about itself in its head and HTTP headers. Leaves the visible text to others."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice

from lxml import etree

from crawler.url_normalization import normalize_url

_WHITE_SPACE = re.compile(r"\s+")
_NAMED_ENTITY = re.compile(r"&[A-Za-z][A-Za-z0-9]{1,30};")
_ROBOTS_AGENTS = ("robots", "googlebot", "linkrec")
_AGENT = re.compile(r"[a-z][a-z0-9_-]*")
_ORDERS_WITH_VALUES = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")
_UNAVAILABLE = re.compile(r"\s*unavailable_after\s*:\s*((?:[A-Za-z]+\s*,\s*)?[^,;]+)", re.IGNORECASE)
_LONGEST_TEXT = 1_000
_MOST_ALTERNATES = 200
_MOST_METAS = 500


@dataclass(slots=True)
class Metadata:
    title: str = ""
    description: str = ""
    declared_language: str = ""
    canonical_url: str = ""
    is_noindex: bool = False
    is_nofollow: bool = False
    hreflang: dict[str, str] = field(default_factory=dict)


def read_metadata(root: etree._Element, base_url: str, headers: Mapping[str, str]) -> Metadata:
    """`base_url` is what relative addresses start from (see find_base_url)."""
    named = _read_metas(root)
    titles = [text for element in root.iter("title") if (text := squeeze("".join(element.itertext())))]
    metadata = Metadata(
        title=name_as_seen(titles[0] if titles else named.get("og:title", named.get("twitter:title", ""))),
        description=named.get("description", named.get("og:description", "")),
        declared_language=_declared_language(root, named, headers),
    )
    orders = [named[agent] for agent in _ROBOTS_AGENTS if agent in named] + _header_orders(headers)
    words = {word for order in orders for word in re.split(r"[\s,]+", order.lower())}
    metadata.is_noindex = not words.isdisjoint({"noindex", "none"}) or _is_past(orders)
    metadata.is_nofollow = not words.isdisjoint({"nofollow", "none"})
    _read_links(root, base_url, headers, metadata)
    return metadata


def find_base_url(root: etree._Element, url: str) -> str:
    """The page's URL, or what its first usable <base href> makes of it."""
    for element in root.iter("base"):
        if (href := element.get("href")) is not None:
            return normalize_url(href, url) or url
    return url


def squeeze(text: str) -> str:
    return _WHITE_SPACE.sub(" ", text).strip()


def name_as_seen(name: str) -> str:
    """A title or heading as its writer meant it: what was escaped twice ("Caf&amp;eacute;") is unescaped once more."""
    return squeeze(_NAMED_ENTITY.sub(lambda entity: html.unescape(entity[0]), name))[:_LONGEST_TEXT]


def primary_subtag(tag: str) -> str:
    """'pt-BR' -> 'pt'; '' where it is no language tag."""
    match = re.match(r"\s*([A-Za-z]{2,3})(?![A-Za-z])", tag)
    return match[1].lower() if match else ""


def _read_metas(root: etree._Element) -> dict[str, str]:
    """First content of each named meta; robots directives of several tags add up."""
    named: dict[str, str] = {}
    for element in islice((meta for meta in root.iter("meta") if meta.get("content") is not None), _MOST_METAS):
        name = (element.get("name") or element.get("property") or element.get("http-equiv") or "").strip().lower()
        content = squeeze(element.get("content", ""))
        if not name or not content:
            continue
        if name in _ROBOTS_AGENTS:
            named[name] = f"{named.get(name, '')},{content}"
        else:
            named.setdefault(name, content)
    return named


def _declared_language(root: etree._Element, named: Mapping[str, str], headers: Mapping[str, str]) -> str:
    body = root.find("body")
    tags = [root.get("lang"), root.get("xml:lang"), root.get("{http://www.w3.org/XML/1998/namespace}lang")]
    if body is not None:
        tags.append(body.get("lang"))
    tags += [named.get("content-language"), named.get("og:locale"), headers.get("content-language")]
    for tag in tags:
        # Several languages in one header declare nothing about this text.
        if tag and "," not in tag and (language := primary_subtag(tag.replace("_", "-"))):
            return language
    return ""


def _header_orders(headers: Mapping[str, str]) -> list[str]:
    """X-Robots-Tag directives that concern everybody, googlebot or us; 'otherbot: noindex' does not."""
    orders: list[str] = []
    concerns_us = True
    for part in headers.get("x-robots-tag", "").split(","):
        agent, colon, order = part.partition(":")
        name = agent.strip().lower()
        if colon and _AGENT.fullmatch(name) and name not in _ORDERS_WITH_VALUES:
            concerns_us = name in _ROBOTS_AGENTS
            part = order
        if concerns_us and orders and _UNAVAILABLE.match(orders[-1]) and part.strip()[:1].isdigit():
            # The comma behind the day of the week.
            orders[-1] += f",{part}"
        elif concerns_us:
            orders.append(part)
    return orders


def _is_past(orders: Sequence[str]) -> bool:
    """Whether a moment after which the page is not to be shown has come."""
    for order in orders:
        for found in _UNAVAILABLE.finditer(order):
            for read in (datetime.fromisoformat, parsedate_to_datetime):
                try:
                    moment = read(found[1].strip())
                except (ValueError, OverflowError):
                    continue
                if (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) < datetime.now(UTC):
                    return True
                break
    return False


def _read_links(root: etree._Element, base_url: str, headers: Mapping[str, str], metadata: Metadata) -> None:
    for element in root.iter("link"):
        if not (rel := element.get("rel", "").lower().split()) or element.get("href") is None:
            continue
        if "canonical" in rel and not metadata.canonical_url:
            metadata.canonical_url = normalize_url(element.get("href", ""), base_url)
        tag = element.get("hreflang", "").strip().lower()[:35]
        if tag and "alternate" in rel and len(metadata.hreflang) < _MOST_ALTERNATES:
            target = normalize_url(element.get("href", ""), base_url)
            metadata.hreflang |= {tag: target} if target and tag not in metadata.hreflang else {}
    if not metadata.canonical_url:
        match = re.search(r"<([^>]*)>\s*;[^,<]*\brel=\"?canonical\"?", headers.get("link", ""), re.IGNORECASE)
        metadata.canonical_url = normalize_url(match[1], base_url) if match else ""
