"""Writes every page of a measured site as plain text with its paragraphs and links, for readers to look at.

LINKREC_DATA_DIR=... python -m benchmarks.judging.page_texts URL --output OUT.json
"""

import json
from collections import defaultdict
from typing import Any

from benchmarks.site_rows import parse_arguments, read_site, start_django


def page_texts(start_url: str) -> list[dict[str, Any]]:
    """One row a page that was read."""
    from crawler.extraction.types import blocks_from_json
    from crawler.models import Link, Page, PageStatus, Site

    site = Site.objects.filter(start_url=start_url).first() or Site.objects.get()
    # What many pages share in title or heading names none of them, and tells a reader nothing.
    names = {page.page_id: page.title for page in read_site(start_url).pages}
    linked: dict[int, set[str]] = defaultdict(set)
    links = Link.objects.filter(page__site=site, is_editorial=True, target__isnull=False)
    for page_id, url in links.values_list("page_id", "target__url").iterator():
        linked[page_id].add(url)
    rows = []
    for page in Page.objects.filter(site=site, status=PageStatus.READ).select_related("body").order_by("id"):
        blocks = blocks_from_json(page.body.blocks) if hasattr(page, "body") else []
        rows.append(
            {
                "url": page.url,
                "title": names[page.pk] or page.title or page.h1,
                "language": page.language,
                "is_target": page.is_target,
                "linked": sorted(linked[page.pk]),
                "blocks": [
                    {"kind": str(block.kind), "text": block.text, "links": [list(span) for span in block.link_spans]}
                    for block in blocks
                ],
            }
        )
    return rows


def main() -> None:
    """Write the site that LINKREC_DATA_DIR holds."""
    arguments = parse_arguments(__doc__ or "")
    start_django()
    arguments.output.write_text(json.dumps(page_texts(arguments.url), ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
