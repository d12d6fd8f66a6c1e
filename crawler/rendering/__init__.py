"""Reads pages that hold no text before their scripts have run: a real Chromium, fed by our own guarded HTTP client."""

from crawler.rendering.chromium import find_obstacle
from crawler.rendering.empty_pages import render_if_empty
from crawler.rendering.page_visit import RenderLimits
from crawler.rendering.renderer import Renderer

__all__ = ["RenderLimits", "Renderer", "find_obstacle", "render_if_empty"]
