"""Fields of several lines in the forms of a site: each line is checked by itself and named when it is wrong."""

import re
from collections.abc import Callable, Mapping

from django.core.exceptions import ValidationError

MOST_LINES = 500
_LONGEST_VALUE = 4000
MOST_HEADERS = 20
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
#: Set by the crawler itself, or by the form's own fields.
_OWN_HEADERS = {
    "host", "content-length", "transfer-encoding", "connection", "user-agent", "te", "upgrade", "expect",
    "accept", "accept-encoding", "range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since",
    "if-range",
}  # fmt: skip


def clean_lines(text: str, check: Callable[[str], str]) -> str:
    """The lines without blanks and repetitions. `check` says in a sentence what is wrong with one, or ""."""
    lines = list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
    if len(lines) > MOST_LINES:
        raise ValidationError(f"These are {len(lines):,} lines. Use at most {MOST_LINES}; * stands for many addresses.")
    complaints = [complaint for line in lines[:MOST_LINES] if (complaint := check(line))]
    if complaints:
        raise ValidationError(complaints[:5])
    return "\n".join(lines)


def parse_headers(text: str, *, has_password: bool) -> Mapping[str, str]:
    """Lines of "Name: value". Raises ValidationError; values are secrets and not repeated in it."""
    headers: dict[str, str] = {}
    for number, line in enumerate((line for line in text.splitlines() if line.strip()), start=1):
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or not value or not _HEADER_NAME.fullmatch(name):
            raise ValidationError(f"Line {number} is no header. Write it like X-Staging-Key: abc123.")
        if name.lower() in _OWN_HEADERS:
            raise ValidationError(f"{name} is set by linkrec itself. Leave it out.")
        if name.lower() == "authorization" and has_password:
            raise ValidationError("Authorization is made of the user name and password. Give these or the header.")
        if len(value) > _LONGEST_VALUE or not value.isascii() or not value.isprintable():
            raise ValidationError(f"The value of {name} is too long, or holds characters that a header may not have.")
        headers[name] = value
    if len(headers) > MOST_HEADERS:
        raise ValidationError(f"These are {len(headers)} headers. Give at most {MOST_HEADERS}.")
    return headers
