"""What became of any URL of a site: how it was normalized, its row, its history, who links to it; or why it has none.

Leaves the crawl's rules themselves to `crawler`; what no crawl has seen is told as far as the address alone shows it.
"""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.db.models import Q, QuerySet

from crawler.frontier import reason_to_skip
from crawler.models import Link, Page, PageEvent, PageStatus, Site
from crawler.scope import Scope, make_scope
from crawler.url_normalization import host_of, normalize_url, origin_of, spelling_variants, to_site_url

LONGEST_LOOKUP = 2000
LINKS_SHOWN = 50
EVENTS_SHOWN = 100
MATCHES_SHOWN = 50


@dataclass(slots=True)
class Lookup:
    """The answer. `page` is the row of exactly this address; else `others` are rows that hold the words asked for."""

    asked: str
    normalized: str = ""
    dropped: list[str] = field(default_factory=list)
    page: Page | None = None
    canonical: Page | None = None
    events: list[PageEvent] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    has_more_links: bool = False
    others: list[Page] = field(default_factory=list)
    has_more_others: bool = False
    unseen: str = ""


def look_up(site: Site, asked: str) -> Lookup:
    """Everything that is known of the address, or of the addresses that hold this part of one."""
    asked = asked.replace("\0", "").strip()[:LONGEST_LOOKUP]
    found = Lookup(asked)
    if not asked:
        return found
    try:
        # Python's own reading of addresses refuses a few, such as a bracket without its other half.
        urlsplit(absolute := _absolute(site, asked))
    except ValueError:
        found.unseen = f"“{asked}” is no address of a web page, so no crawl can have read it."
        return found
    if absolute:
        found.normalized, found.dropped = _normalized(site, absolute)
        found.page = _page_at(site, found.normalized)
    if found.page is not None:
        _add_what_is_known(found, site, found.page)
        return found
    found.others, found.has_more_others = _pages_with(site, asked)
    found.unseen = _why_unseen(site, found, absolute)
    return found


def _absolute(site: Site, asked: str) -> str:
    """The address that is meant; "" for a mere part of one."""
    if "://" in asked:
        return asked
    if asked.startswith("/"):
        return urljoin(site.start_url, asked)
    host = asked.partition("/")[0].lower()
    return f"https://{asked}" if host.removeprefix("www.") == host_of(site.start_url).removeprefix("www.") else ""


def _normalized(site: Site, absolute: str) -> tuple[str, list[str]]:
    """The address as the crawl would keep it, and the query parameters that went on the way."""
    url = normalize_url(absolute)
    if not url:
        return "", []
    url = _scope_of(site).place(url, site.start_url) or url
    before = [name for name, _ in parse_qsl(urlsplit(absolute).query, keep_blank_values=True)]
    after = {name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)}
    return url, [name for name in dict.fromkeys(before) if name not in after]


def _scope_of(site: Site) -> Scope:
    return make_scope(
        site.include_patterns,
        site.exclude_patterns,
        site.dropped_parameters,
        are_subdomains_included=site.are_subdomains_included,
    )


def _page_at(site: Site, url: str) -> Page | None:
    return Page.objects.filter(site=site, url=url).select_related("last_crawl").first() if url else None


def _add_what_is_known(found: Lookup, site: Site, page: Page) -> None:
    found.events = list(PageEvent.objects.filter(page=page).select_related("crawl").order_by("-id")[:EVENTS_SHOWN])
    links = list(links_to(page)[: LINKS_SHOWN + 1])
    found.links, found.has_more_links = links[:LINKS_SHOWN], len(links) > LINKS_SHOWN
    if page.canonical_url and page.canonical_url != page.url:
        found.canonical = _page_at(site, page.canonical_url)


def links_to(page: Page) -> QuerySet[Link]:
    """Links of the site that lead to the page, links in content first."""
    leads_here = Q(target_url=page.url)
    if page.status == PageStatus.READ:
        # By index; links by other spellings and over redirects are among them.
        leads_here = Q(target=page)
    links = Link.objects.filter(leads_here, page__site_id=page.site_id).exclude(page=page)
    return links.select_related("page").order_by("-is_editorial", "page_id", "ordinal")


def _pages_with(site: Site, asked: str) -> tuple[list[Page], bool]:
    """Pages whose address holds what was asked for, as it stands or in a usual other spelling."""
    wanted = Q(url__icontains=asked)
    if normalized := normalize_url(urljoin(site.start_url, asked)):
        own = to_site_url(normalized, site.start_url)
        wanted |= Q(url__in=spelling_variants(own) if own else [])
    pages = Page.objects.filter(wanted, site=site).defer("headings", "hreflang", "description").order_by("url")
    rows = list(pages[: MATCHES_SHOWN + 1])
    return rows[:MATCHES_SHOWN], len(rows) > MATCHES_SHOWN


def _why_unseen(site: Site, found: Lookup, absolute: str) -> str:
    if not absolute:
        return "" if found.others else f"No address of {site.name} that any crawl has seen holds “{found.asked}”."
    if not found.normalized:
        return f"“{found.asked}” is no address of a web page, so no crawl can have read it."
    scope = _scope_of(site)
    if not scope.place(found.normalized, site.start_url):
        return _why_elsewhere(site, found.normalized)
    if reason := scope.reason_to_skip(found.normalized, site.start_url) or reason_to_skip(found.normalized):
        return f"No crawl has noted this address, and none would ask for it: {reason}."
    if not site.crawls.exists():
        return "This site was never read, so nothing is known of the address yet."
    return (
        "No crawl has seen this address: no page that was read links to it, "
        "and it stands in no sitemap and no list that was read."
    )


def _why_elsewhere(site: Site, url: str) -> str:
    host, own = host_of(url), host_of(site.start_url)
    if host == own:
        here, there = origin_of(site.start_url), origin_of(url)
        return f"{there} is another site than {here}: links that lead there are not followed."
    if host.endswith("." + own.removeprefix("www.")):
        return f"{host} is a subdomain, and subdomains do not belong to this site: its settings say so."
    return f"{host} is another site than {own}: links that lead there are not followed."


def lookup_as_json(found: Lookup) -> dict[str, Any]:
    """What the API says."""
    page = found.page
    return {
        "asked": found.asked,
        "normalized": found.normalized or None,
        "dropped_parameters": found.dropped,
        "unseen": found.unseen or None,
        "page": page and {
            "url": page.url,
            "status": page.status,
            "reason": page.reason,
            "http_status": page.http_status,
            "title": page.title,
            "redirect_url": page.redirect_url or None,
            "canonical_url": page.canonical_url or None,
            "is_in_sitemap": page.is_in_sitemap,
            "depth": page.depth,
            "fetched_at": page.fetched_at,
            "changed_at": page.changed_at,
            "last_crawl": page.last_crawl_id,
            "missed_crawls": page.missed_crawls,
            "waits_to_become": page.pending_status or None,
            "waits_because": page.pending_reason or None,
        },
        "history": [
            {"at": event.at, "status": event.status, "reason": event.reason, "http_status": event.http_status,
             "crawl": event.crawl_id}
            for event in found.events
        ],
        "linked_from": [
            {"url": link.page.url, "anchor_text": link.anchor_text, "is_editorial": link.is_editorial}
            for link in found.links
        ],
        "has_more_links": found.has_more_links,
        "others": [{"url": other.url, "status": other.status, "reason": other.reason} for other in found.others],
        "has_more_others": found.has_more_others,
    }  # fmt: skip
