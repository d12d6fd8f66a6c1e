"""HTML in, plain dataclasses out. Pure: no Django, no network, no files."""

from crawler.extraction.page import extract_page

__all__ = ["extract_page"]
