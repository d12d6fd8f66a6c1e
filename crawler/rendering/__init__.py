"""Reads pages that hold no text before their scripts have run: a real Chromium, fed by our own guarded HTTP client."""

from crawler.rendering.empty_pages import EmptyPages

__all__ = ["EmptyPages"]
