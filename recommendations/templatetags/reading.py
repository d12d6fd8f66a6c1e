"""Template filters for text that others wrote: addresses that are safe to follow and short enough to read."""

import unicodedata
from typing import Any
from urllib.parse import unquote, urlsplit

from django import template

from recommendations.page_names import page_name

register = template.Library()
register.filter("name", page_name)


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
