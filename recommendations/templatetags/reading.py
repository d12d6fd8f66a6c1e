"""Template filters for text that others wrote: addresses that are safe to follow and short enough to read."""

import re
import unicodedata
from typing import Any
from urllib.parse import unquote, urlsplit

from django import template

from crawler.host_names import readable_host
from recommendations.page_names import page_name

register = template.Library()
register.filter("name", page_name)
_ADDRESS = re.compile(r"https?://[^\s'\"“”<>]+")
_ERRNO = re.compile(r"\[Errno -?\d+\]\s*(\w)")
_LONGEST_ADDRESS = 100


@register.filter
def followable(url: str) -> str:
    """The address if it is http or https, else nothing: javascript: and data: never become links."""
    return url if url.lower().startswith(("http://", "https://")) else ""


@register.filter
def readable(url: str) -> str:
    """The path and query of an address with %-escapes decoded, for people alone."""
    parts = urlsplit(url)
    text = unquote(parts.path or "/") + (f"?{unquote(parts.query)}" if parts.query else "")
    # Controls and bidi overrides would let an address look like another.
    return "".join("�" if unicodedata.category(character) in ("Cc", "Cf") else character for character in text)


@register.filter
def address(url: str) -> str:
    """A whole address, short enough to read, with an international host's own letters beside it."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    short = url if len(url) <= _LONGEST_ADDRESS else f"{url[: _LONGEST_ADDRESS - 21]}…{url[-20:]}"
    return short if (decoded := readable_host(host)) == host else f"{short} ({decoded})"


@register.filter
def sentence(text: object) -> str:
    """An error as people read it: no error number, addresses as `address` writes them."""
    plain = _ERRNO.sub(lambda found: found[1].lower(), str(text))
    return _ADDRESS.sub(lambda found: address(found[0]), plain)


@register.filter
def duration(seconds: float | None) -> str:
    """75 -> "1 min 15 s"."""
    if seconds is None:
        return ""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@register.simple_tag(takes_context=True)
def querystring_for(context: dict[str, Any], name: str, value: object) -> str:
    """The address's own query with one value changed; where a list is left for another screen, its focus is dropped."""
    query = context["request"].GET.copy()
    query.pop("focus", None)
    query[name] = str(value)
    return str(query.urlencode())
