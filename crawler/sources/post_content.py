"""A post of WordPress as the same PageContent that its page on the web would give, without the theme around it.

Leaves asking for posts to their sources, and turning raw content into HTML to `wordpress_rendering`.
"""

import html
import re

from crawler.extraction import extract_page
from crawler.extraction.types import PageContent

_TAG = re.compile(r"<[^>]*>")
_HEADERS = {"content-type": "text/html; charset=utf-8"}


def post_content(
    title_html: str, body_html: str, url: str, language: str = "", *, is_noindex: bool = False
) -> PageContent:
    """What the post says. `title_html` and `body_html` are HTML as WordPress renders them; `url` is its normalized URL.

    language: a tag like de-DE where the source knows it; else it is found from the text.
    """
    lang = f' lang="{html.escape(language, quote=True)}"' if language else ""
    robots = '<meta name="robots" content="noindex">' if is_noindex else ""
    page = (
        f'<!doctype html><html{lang}><head><meta charset="utf-8">{robots}'
        f"<title>{_TAG.sub('', title_html)}</title></head>"
        f"<body><main><article><h1>{title_html}</h1>{body_html}</article></main></body></html>"
    )
    return extract_page(page.encode("utf-8", "replace"), url, _HEADERS)
