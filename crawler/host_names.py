"""International host names as people read them: xn--mnchen-3ya.example is münchen.example. Pure."""

import unicodedata


def readable_host(host: str) -> str:
    """The host with its encoded labels decoded; a label that decodes to nothing readable stays as it is."""
    return ".".join(_readable_label(label) for label in host.split("."))


def _readable_label(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        text = label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label
    # Letters, digits, their marks and hyphens are all that a name holds: the rest would make it look like another.
    is_plain = all(character == "-" or unicodedata.category(character)[0] in "LMN" for character in text)
    return text if text and is_plain else label
