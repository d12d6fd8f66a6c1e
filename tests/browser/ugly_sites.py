"""Sites that are hard on a layout: long titles, right-to-left text, hostile strings, hundreds of cards, failures."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from accounts.models import Notice, SiteFollower
from crawler.credentials import Credentials, store_credentials
from crawler.extraction.types import Block, BlockKind
from crawler.models import Crawl, Page, PageEvent, Sentence, Site
from recommendations.decisions import accept, choose_anchor, reject
from recommendations.models import RecommendationRun
from tests.factories import (
    make_link,
    make_page,
    make_pipeline,
    make_recommendation,
    make_site,
    make_user,
)

LONG = (
    "How the quarterly review of reader surveys changed the way in which our small team plans, writes, edits and "
    "finally retires long articles, with notes for those who join late and need all of it at once and in order"
)
UNBROKEN = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2

_LIVE = {
    "found": 5310, "fetched": 1204, "read": 1190, "unchanged": 11, "waiting": 4106, "pages_per_second": 12.34,
    "seconds_left": 333, "skipped": {"blocked by robots.txt": 12, "looks like a crawler trap": 1},
    "failed": {"HTTP 500": 3, "no connection": 1},
}  # fmt: skip


@dataclass
class UglySites:
    admin: Any
    editor: Any
    workshop: Site
    failed: Site
    running: Site
    waiting: Site
    held: Site
    staging: Site
    many: Page
    mixed: Page
    empty: Page
    right_to_left: Page
    unread: Page


def build_ugly_sites() -> UglySites:
    admin, editor = make_user("Ada Admin", is_admin=True), make_user("edit")
    workshop = make_site("The Village Workshop", start_url="https://workshop.example/")
    run = make_pipeline(workshop, "done", "done", "done")
    figures = {
        "found": 12_345, "read": 1_204, "unchanged": 1_100, "redirects": 33, "gone": 2,
        "skipped": {"blocked by robots.txt": 5310, "noindex": 12, "not a web page": 7, UNBROKEN: 1},
        "failed": {"HTTP 500": 41, "timed out": 3, "last visit failed, what was read before is kept": 2},
        "notes": ["2 pages that were known could not be read again; what was read before is kept."],
    }  # fmt: skip
    Crawl.objects.filter(pk=run.crawl_id).update(
        finished_at=timezone.now() - timezone.timedelta(hours=5), figures=figures
    )
    targets = [
        make_page(workshop, f"guides/{number}", title=title, word_count=300 + 7 * number)
        for number, title in enumerate(_titles())
    ]
    make_link(targets[0], targets[1])
    make_link(targets[2], targets[3], is_editorial=False)
    Page.objects.filter(pk__in=[page.pk for page in targets[:9]]).update(is_important=True)
    sites = UglySites(
        admin=admin,
        editor=editor,
        workshop=workshop,
        failed=_failed_site(),
        running=_running_site(admin),
        waiting=_waiting_site(),
        held=_held_site(),
        staging=_staging_site(admin),
        many=_many(workshop, run, targets),
        mixed=_mixed(workshop, run, targets, editor),
        empty=make_page(workshop, "empty", "A short page about nothing much.", title="A page without suggestions"),
        right_to_left=_right_to_left(workshop, run, targets),
        unread=make_page(workshop, "broken", status="failed", title="", is_target=False, http_status=500,
                         reason="The server answered 500 three times."),
    )  # fmt: skip
    make_page(
        workshop,
        "old",
        status="redirect",
        title="",
        http_status=301,
        redirect_url="https://workshop.example/guides/1",
        reason="Redirects to another page of the site.",
    )
    _notices(admin, sites)
    _history(targets[3], workshop)
    make_page(
        workshop, "file.pdf", status="skipped", title="", http_status=200, reason="It is application/pdf, not HTML."
    )
    return sites


def _titles() -> list[str]:
    return [
        "Truing a wheel", "Choosing a chain", LONG, "<script>alert(1)</script> & other titles", UNBROKEN,
        "דף בעברית על תיקון אופניים", "\u202egnissorc\u202c bidi", "Gears, sprockets and the long way home",
        "自転車の修理について",
        *(f"Guide number {number}: on keeping things in order" for number in range(40)),
    ]  # fmt: skip


def _mixed(site: Site, run: RecommendationRun, targets: list[Page], editor: Any) -> Page:
    first = (
        "Most wheels go out of true long before anyone notices, "
        "and truing a wheel at home takes an hour and a spoke key."
    )
    linked = "See our notes on chains before you buy one; choosing a chain is mostly a matter of counting gears."
    code = "Set tension_limit to 120 and run check-wheel before you ride, then read how the quarterly review went."
    blocks = [
        Block(0, BlockKind.LINK_LIST, "Home Guides Workshop Contact", link_spans=((0, 4), (5, 11), (12, 20), (21, 28))),
        Block(1, BlockKind.HEADING, "Keeping a bicycle on the road", 1),
        Block(2, BlockKind.PARAGRAPH, first),
        Block(3, BlockKind.HEADING, "Chains", 2),
        Block(4, BlockKind.PARAGRAPH, linked, link_spans=((4, 23),)),
        Block(5, BlockKind.LIST_ITEM, "Measure the chain every thousand kilometres."),
        Block(6, BlockKind.LIST_ITEM, "Gears, sprockets and chains wear together, so change them together."),
        Block(7, BlockKind.TABLE_HEADER, "Part"), Block(8, BlockKind.TABLE_HEADER, "Lasts"),
        Block(9, BlockKind.TABLE_CELL, "Chain"), Block(10, BlockKind.TABLE_CELL, "3,000 km"),
        Block(11, BlockKind.QUOTE, "A clean chain is a quiet chain, as the old mechanic used to say."),
        Block(12, BlockKind.PARAGRAPH, code, code_spans=((4, 17), (33, 44))),
        Block(13, BlockKind.CODE, "check-wheel --limit 120\n  spoke 12: 118 N\n  spoke 13: 131 N  <-- too tight"),
        Block(14, BlockKind.PARAGRAPH, "Subscribe to our letter. We never share your address."),
    ]  # fmt: skip
    page = make_page(
        site, "keeping-a-bicycle-on-the-road", blocks, title="Keeping a bicycle on the road", word_count=1234, depth=2
    )
    Sentence.objects.filter(page=page, block_ordinal__in=(0, 14)).update(is_boilerplate=True)
    make_link(page, targets[1], block_ordinal=4, start=4, end=23, anchor_text="our notes on chains")
    reasons = ["This sentence names the target page word for word.", "The two pages are about closely related things."]
    others = [
        {"anchor_text": text, "anchor_start": first.index(text), "score": 0.3} for text in ("spoke key", "wheels")
    ]
    make_recommendation(
        run, page, targets[0], "truing a wheel", block=2, score=0.93, reasons=reasons, alternatives=others
    )
    rows = [
        make_recommendation(run, page, targets[2], "quarterly review", block=12, score=0.61),
        make_recommendation(run, page, targets[7], "Gears, sprockets", block=6, score=0.84),
        make_recommendation(run, page, targets[3], "counting gears", block=4, score=0.31),
        make_recommendation(run, page, targets[4], "an hour", block=2, score=0.22),
        make_recommendation(run, page, targets[5], "quiet chain", block=11, score=0.18),
        make_recommendation(run, page, targets[8], "thousand kilometres", block=5, score=0.12),
    ]
    accept(rows[1].pk, user=editor, expected_status="pending")
    choose_anchor(rows[0].pk, "read how the quarterly review", user=editor, expected_status="pending")
    reject(rows[2].pk, user=editor, expected_status="pending", reason="wrong_meaning")
    return page


def _many(site: Site, run: RecommendationRun, targets: list[Page]) -> Page:
    lines = [
        f"Paragraph {number} tells of part{number} and of how it fits into the whole machine, at some length."
        for number in range(500)
    ]
    page = make_page(site, "everything", "\n".join(lines), title="Everything about everything", word_count=9000)
    more = [make_page(site, f"parts/{number}", title=f"Part {number} and its neighbours") for number in range(500)]
    for number, target in enumerate(more):
        make_recommendation(run, page, target, f"part{number}", block=number, rank=number + 1, score=1 - number / 500)
    return page


def _right_to_left(site: Site, run: RecommendationRun, targets: list[Page]) -> Page:
    text = "תיקון גלגל בבית אורך כשעה, וצריך רק מפתח חישורים (spoke key) וסבלנות רבה."
    text += "\nאת השרשרת יש למדוד כל אלף קילומטרים."
    page = make_page(
        site, "he/תיקון-גלגל", text, title="תיקון גלגל בבית: מדריך למתחילים", language="he", word_count=240
    )
    make_recommendation(
        run, page, targets[5], "תיקון גלגל", block=0, score=0.77, reasons=["Pages like this one link to it."]
    )
    make_recommendation(run, page, targets[0], "spoke key", block=0, score=0.42)
    return page


def _failed_site() -> Site:
    site = make_site("Down for months", start_url="https://down.example/")
    run = make_pipeline(site, "failed", "stopped", "stopped")
    error = (
        "https://down.example/ cannot be reached: connection refused. Look whether the site is up, then read it again."
    )
    Crawl.objects.filter(pk=run.crawl_id).update(error=error)
    return site


def _running_site(admin: Any) -> Site:
    site = make_site("A large magazine that is being read", start_url="https://magazine.example/")
    run = make_pipeline(site, "running", "queued", "queued", requested_by=admin)
    Crawl.objects.filter(pk=run.crawl_id).update(
        progress_done=1204, progress_total=5310, progress_note="pages read", live=_LIVE
    )
    for number in range(3):
        make_page(site, f"story/{number}", "Once upon a time there was a story.", title=f"Story {number}")
    return site


def _held_site() -> Site:
    site = make_site("Half of it is gone", start_url="https://held.example/")
    run = make_pipeline(site, "failed", "stopped", "stopped")
    error = (
        "Only 12 of the 60 known pages were found again, so nothing was taken away: pages and suggestions are as they "
        "were. Confirm on the site's page that the others are gone, or run it again when the site is well."
    )
    Crawl.objects.filter(pk=run.crawl_id).update(is_held=True, error=error, figures={"so_far": {"known": 60}})
    for number in range(60):
        lost: dict[str, Any] = {"pending_status": "gone", "pending_reason": "HTTP 404"} if number % 5 else {}
        title = LONG if number == 1 else UNBROKEN if number == 2 else f"Guide {number}"
        make_page(site, f"guides/{number}/{'a' * (number * 3)}", title=title, last_crawl=run.crawl, **lost)
    return site


def _staging_site(admin: Any) -> Site:
    site = make_site(
        "Staging", start_url="https://staging.example/", schedule="30 4 * * 1-5", next_run_at=timezone.now(),
        include_patterns="/blog/*\n/" + "long/" * 60, exclude_patterns="*?print=*", dropped_parameters="ref\nsort_*",
    )  # fmt: skip
    headers = {"X-Staging-Key": "secret", "X-" + "Long-" * 30 + "Name": "secret"}
    store_credentials(site, Credentials("staging", "secret", headers))
    SiteFollower.objects.create(person=admin, site=site)
    make_pipeline(site, "stopped", "stopped", "stopped", requested_by=admin)
    return site


def _notices(admin: Any, sites: "UglySites") -> None:
    texts = (
        (
            "done",
            sites.workshop,
            "The Village Workshop was read: 1,204 pages, 1,100 of them unchanged. 12 suggestions.",
        ),
        ("failed", sites.failed, f"The run of Down for months failed. https://down.example/{UNBROKEN} did not answer."),
        (
            "held",
            sites.held,
            "Half of it is gone lost so many pages that nothing was changed. Look at the missing pages.",
        ),
        ("done", sites.workshop, "דף בעברית was read: 3 pages."),
    )
    for number, (kind, site, text) in enumerate(texts):
        Notice.objects.create(person=admin, site=site, kind=kind, text=text, is_read=number == 3)


def _history(page: Page, site: Site) -> None:
    crawl = site.crawls.get()
    Page.objects.filter(pk=page.pk).update(
        canonical_url=f"https://workshop.example/{'canonical/' * 12}", http_status=200, fetched_at=timezone.now(),
        pending_status="gone", pending_reason=f"HTTP 404: {UNBROKEN}", missed_crawls=1, response_seconds=1.234,
        last_crawl=crawl, changed_at=timezone.now(), is_in_sitemap=True, depth=3,
    )  # fmt: skip
    for status, reason, code in (("read", "", 200), ("failed", f"timed out: {LONG}", None), ("read", UNBROKEN, 200)):
        PageEvent.objects.create(page=page, crawl=crawl, status=status, reason=reason, http_status=code)


def _waiting_site() -> Site:
    site = make_site("Waits for a worker", start_url="https://waits.example/")
    make_pipeline(site, "queued", "queued", "queued")
    return site
