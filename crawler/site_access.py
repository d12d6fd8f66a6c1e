"""Which addresses may be sent a site's password and headers: its own origin, and subdomains where they belong to it.

Pure. http becomes https on the same host and never the other way round: a password is not sent in the clear.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from crawler.scope import Scope
from crawler.url_normalization import origin_of


@dataclass(frozen=True, slots=True)
class SiteAccess:
    """The headers that open a site; empty where it is open to all."""

    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    are_subdomains_included: bool = False

    def headers_for(self, url: str) -> Mapping[str, str]:
        """The headers that a request for the URL carries: none beyond the site."""
        if not self.headers or not Scope(are_subdomains_included=self.are_subdomains_included).place(url, self.url):
            return {}
        is_downgraded = origin_of(self.url).startswith("https:") and not url.startswith("https:")
        return {} if is_downgraded else self.headers
