"""Knows a site by its address: what may be one, and the row that stands for it. Connects to nothing; leaves reading to
`services`.
"""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from crawler.address_guard import AddressGuard, is_public, parse_address
from crawler.errors import BadStartUrl
from crawler.host_names import readable_host
from crawler.models import Site
from crawler.url_normalization import DEFAULT_PORTS, host_of, normalize_url


def get_or_create_site(url: str, name: str = "", max_pages: int | None = None) -> Site:
    """The site that starts at this address. Raises BadStartUrl where it cannot be one."""
    start_url = check_start_url(url)
    defaults: dict[str, Any] = {"name": name or _name_of(start_url)}
    if is_named_private(start_url):
        # A host of one's own, named in the settings, needs no politeness.
        defaults["seconds_between_requests"] = 0.0
    if max_pages is not None:
        defaults["max_pages"] = max_pages
    site, is_new = Site.objects.get_or_create(start_url=start_url, defaults=defaults)
    if not is_new and (name or max_pages is not None):
        site.name = name or site.name
        site.max_pages = max_pages if max_pages is not None else site.max_pages
        site.save(update_fields=["name", "max_pages"])
    return site


def _name_of(start_url: str) -> str:
    """The host as people write it, and its port unless it is the usual one: two sites may differ in it alone."""
    port = urlsplit(start_url).port
    return readable_host(host_of(start_url)) + (f":{port}" if port else "")


def check_start_url(url: str) -> str:
    """The normalized start URL; an address without a scheme is taken as https. Raises BadStartUrl."""
    text = url.strip()
    if text and "://" not in text and not text.lower().startswith(("mailto:", "javascript:", "data:", "file:")):
        text = f"https://{text}"
    if "@" in text.partition("://")[2].partition("/")[0]:
        raise BadStartUrl("The address holds a user name or password. Enter it without them.")
    start_url = normalize_url(text)
    if not start_url:
        raise BadStartUrl(f"{url!r} is not the address of a web site. Enter one like https://example.com/.")
    address = parse_address(urlsplit(start_url).hostname or "")
    is_private = host_of(start_url) == "localhost" or (address is not None and not is_public(address))
    if is_private and not is_named_private(start_url):
        raise BadStartUrl(
            f"{start_url} is on a private or special address. "
            "Name its host in LINKREC_ALLOWED_PRIVATE_HOSTS if it may be read."
        )
    return start_url


def is_named_private(url: str) -> bool:
    """Whether the URL's host was named in LINKREC_ALLOWED_PRIVATE_HOSTS."""
    parts = urlsplit(url)
    port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
    return AddressGuard(settings.LINKREC_ALLOWED_PRIVATE_HOSTS).is_named(parts.hostname or "", port)
