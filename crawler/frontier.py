"""Which found URLs are worth a request: pages by their name, and no trap that one address shows by itself. Pure.

Leaves robots.txt to `robots`, settings to `scope`, kinds of addresses without end to `traps`, and the
queue itself to the database (Page rows that the running crawl has not visited, in order of discovery).
"""

import re
from urllib.parse import urlsplit

#: Endings that name files which are no HTML pages; asking for them would cost the site for nothing.
_FILE = re.compile(
    r"\.(?:7z|aac|apk|atom|avi|avif|bin|bmp|bz2|css|csv|deb|dmg|docx?|eot|epub|exe|flac|flv|gif|gz|ico|ics|iso|jar|jpe?g|js"
    r"|json|m4[av]|map|mjs|mkv|mobi|mov|mp[34]|mpe?g|msi|od[pst]|og[agv]|otf|pdf|png|pptx?|ps|rar|rpm|rss|rtf|svgz?|swf"
    r"|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|wm[av]|woff2?|xlsx?|xml|xz|zip)$",
    re.IGNORECASE,
)
_MAX_SEGMENTS = 30
_MAX_PARAMETERS = 8
#: The same run of path segments three times in a row: relative links on a page that answers under any path.
_CIRCLE = re.compile(r"(/[^/]+(?:/[^/]+){0,3})\1\1(?:/|$)")

BLOCKED_BY_ROBOTS = "blocked by robots.txt"
NOT_A_PAGE = "not a web page"
TRAP = "looks like a crawler trap"


def reason_to_skip(site_url: str) -> str:
    """Why a URL of the site is not to be requested; "" where it is. "kind: detail", the kind being fit for counting."""
    parts = urlsplit(site_url)
    if ending := _FILE.search(parts.path):
        return f"{NOT_A_PAGE}: its name ends in {ending[0].lower()}"
    if parts.path.count("/") > _MAX_SEGMENTS:
        return f"{TRAP}: more than {_MAX_SEGMENTS} folders deep"
    if parts.query.count("&") >= _MAX_PARAMETERS:
        return f"{TRAP}: more than {_MAX_PARAMETERS} query parameters"
    if _CIRCLE.search(parts.path):
        return f"{TRAP}: its path repeats itself"
    return ""
