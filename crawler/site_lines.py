"""What may stand in a line of a site's scope: patterns of addresses, names of query parameters, remarks after #. Pure.

Leaves what they match to `scope`, and forms and options to those who read them.
"""

import re

_BEGINNING = re.compile(r"/|\*|https?://", re.IGNORECASE)
_PARAMETER = re.compile(r"[\w.~*%\[\]:-]+")
LONGEST_LINE = 1000


def complaint_of_pattern(line: str) -> str:
    """What is wrong with a pattern of addresses, in a sentence; "" where nothing is."""
    if len(line) > LONGEST_LINE:
        return _too_long(line)
    if line.startswith("#"):
        return ""
    if re.search(r"\s", line):
        return f"{line!r} holds a space. Write one pattern a line, and %20 for a space in an address."
    if not _BEGINNING.match(line):
        return f"{line!r} is no pattern: begin it with / for a path, with https:// for a whole address, or with *."
    return ""


def complaint_of_parameter(line: str) -> str:
    """What is wrong with the name of a query parameter, in a sentence; "" where nothing is."""
    if len(line) > LONGEST_LINE:
        return _too_long(line)
    if not line.startswith("#") and not _PARAMETER.fullmatch(line):
        return f"{line!r} is no name of a query parameter. Write the name alone, such as ref or sort_*."
    return ""


def _too_long(line: str) -> str:
    return f"“{line[:40]}…” has {len(line):,} characters. Use at most {LONGEST_LINE:,} a line."
