"""A report that is hard on a layout: long and right-to-left titles, hostile strings, hundreds of rows, clusters."""

import numpy as np

from crawler.models import Page, Site
from embeddings.vector_store import get_vector_store
from recommendations.models import SiteReport
from recommendations.report.storing import store_site_report
from recommendations.selectors_runs import shown_run
from tests.browser.ugly_sites import LONG, UNBROKEN
from tests.factories import make_link, make_page, make_recommendation

MODEL = "word-count"
_SUBJECTS = ("wheels", "chains", "saddles")


def build_ugly_report(site: Site) -> SiteReport:
    """Faults of every kind on the site's pages, and the report of them."""
    pages = list(Page.objects.filter(site=site, status="read", title__gt="").order_by("id")[:60])
    gone = make_page(site, f"gone/{UNBROKEN}", status="failed", title="", is_target=False, http_status=404,
                     reason="It answered 404 (not found), as it did three months ago.")  # fmt: skip
    moved = make_page(site, "moved", status="redirect", title="", redirect_url=pages[2].url,
                      reason=f"redirects: to {pages[2].url}")  # fmt: skip
    for number, page in enumerate(pages):
        text = (LONG, "<b>here</b>", "תיקון גלגל בבית", "read more", UNBROKEN, "here", "")[number % 7]
        for target in (gone, moved, pages[(number + 1) % len(pages)], pages[number % 3], pages[2]):
            end = {gone.pk: None, moved.pk: pages[2]}.get(target.pk, target)
            make_link(page, end, target_url=target.url, anchor_text=text, is_editorial=number % 4 > 0)
        Page.objects.filter(pk=page.pk).update(
            response_seconds=0.05 * number, depth=number % 6 if number else 0, title=(LONG, page.title)[number % 5 > 0]
        )
    _embed(site, pages)
    run = shown_run(site.pk)
    assert run is not None
    for number in range(6):
        make_recommendation(run, pages[3 * number], pages[3 * number + 9], f"{LONG[:60]} {number}", score=0.5)
    return store_site_report(site.pk, run.pk, model_name=MODEL)


def _embed(site: Site, pages: list[Page]) -> None:
    vectors = np.zeros((len(pages), 8), dtype=np.float32)
    for number in range(len(pages)):
        vectors[number, number % len(_SUBJECTS)] = 1.0
        vectors[number] += 0.02 * np.cos(np.arange(8) * (number + 1))
    vectors[::11] = np.eye(8, dtype=np.float32)[[number % 5 + 3 for number in range(len(vectors[::11]))]]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    get_vector_store().open_writer(site.pk, MODEL, "1", 8).set_pages(np.array([p.pk for p in pages]), vectors)
