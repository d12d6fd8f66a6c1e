"""The robots.txt of a site and of its subdomains, each asked for once. Leaves what the rules mean to crawler.robots."""

from crawler.errors import FetchError
from crawler.http import HttpClient
from crawler.robots import ROBOTS_MAX_BYTES, RobotsRules, allow_all, parse_robots, robots_url_of
from crawler.url_normalization import origin_of


class SiteRobots:
    """Whether addresses of a site may be read."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client
        self._rules: dict[str, RobotsRules | None] = {}

    def keep(self, url: str, rules: RobotsRules) -> None:
        """These are the rules of the URL's origin."""
        self._rules[origin_of(url)] = rules

    def is_allowed(self, url: str) -> bool:
        """Whether the URL may be read. Not where robots.txt cannot be had (RFC 9309, 2.3.1.4)."""
        origin = origin_of(url)
        if origin not in self._rules:
            self._rules[origin] = self._ask(url)
        rules = self._rules[origin]
        return rules is not None and rules.is_allowed(url)

    def _ask(self, url: str) -> RobotsRules | None:
        address = robots_url_of(url)
        try:
            answer = self._client.get(address, max_bytes=20 * ROBOTS_MAX_BYTES)
        except FetchError:
            return None
        if answer.status >= 500 or answer.status == 429:
            return None
        return parse_robots(answer.body, answer.final_url) if answer.status == 200 else allow_all()
