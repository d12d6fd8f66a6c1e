"""robots.txt: what the site allows us to read, how fast, and where its sitemaps are. Pure; protego reads the rules."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from protego import Protego

from crawler.url_normalization import normalize_url

#: The token that a robots.txt names us by.
ROBOTS_TOKEN = "LinkRec"  # noqa: S105 - a product token, no secret
#: More than this of a robots.txt is not read (RFC 9309 asks for at least 500 KiB).
ROBOTS_MAX_BYTES = 512 * 1024
#: A longer Crawl-delay would make any crawl endless; it is taken as this.
LONGEST_CRAWL_DELAY = 30.0


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one robots.txt."""

    parser: Protego
    crawl_delay: float
    sitemaps: tuple[str, ...]

    def is_allowed(self, url: str) -> bool:
        return bool(self.parser.can_fetch(url, ROBOTS_TOKEN))


def parse_robots(body: bytes, robots_url: str) -> RobotsRules:
    """The rules in a robots.txt; never raises, since what cannot be understood forbids nothing."""
    text = body[:ROBOTS_MAX_BYTES].decode("utf-8-sig", "replace").replace("\0", "")
    parser = Protego.parse(text)
    delay = parser.crawl_delay(ROBOTS_TOKEN) or 0.0
    rate = parser.request_rate(ROBOTS_TOKEN)
    if rate and rate.requests:
        delay = max(delay, rate.seconds / rate.requests)
    found = [normalize_url(address, robots_url) for address in parser.sitemaps]
    return RobotsRules(parser, min(float(delay), LONGEST_CRAWL_DELAY), tuple(dict.fromkeys(filter(None, found))))


def allow_all() -> RobotsRules:
    """The rules of a site without a robots.txt."""
    return parse_robots(b"", "")


def robots_url_of(url: str) -> str:
    """Where the robots.txt for a URL lies."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/robots.txt"
