"""Options that several commands share, with their checks."""

import argparse

from django.core.management.base import CommandError

from crawler.models import Site
from crawler.url_normalization import normalize_url


def share(text: str) -> float:
    """A number from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1, such as 0.3.")
    return value


def positive(text: str) -> int:
    """A whole number above 0."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0.")
    return int(text)


def find_site(words: str) -> Site:
    """The site with this id or start URL. Raises CommandError that lists what there is."""
    sites = Site.objects.all()
    if words.isdecimal():
        site = sites.filter(pk=int(words)).first()
    else:
        site = sites.filter(start_url__in={words, normalize_url(words)}).first()
    if site is None:
        known = ", ".join(f"{site.pk} {site.start_url}" for site in sites[:10]) or "none yet"
        raise CommandError(f"There is no site {words!r}. Sites: {known}. `crawl_site URL` reads a new one.")
    return site
