"""Tells the people who asked that a run has ended: each end once, to each of them one notice.

A run's end is claimed by one UPDATE, in one transaction with the notices, so that two workers never tell it twice and
a killed one loses none. Of a run that was stopped nobody is told: a person stopped it. Leaves mails to
accounts.notice_mails.
"""

from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q

from accounts.access import visible_sites
from accounts.models import NoticeKind, SiteFollower
from accounts.notices import write_notices
from crawler.leases import ACTIVE, RunStatus
from recommendations.models import RecommendationRun
from recommendations.selectors_runs import PipelineState, state_of
from recommendations.stages import CHAINED, UNFINISHED

_NONE_AT_WORK = CHAINED & ~Q(status__in=ACTIVE)


def tell_of_ended_runs() -> int:
    """Write the notices of every run that has ended and was not told; how many runs these were."""
    ended = RecommendationRun.objects.filter(_NONE_AT_WORK, is_told=False).exclude(UNFINISHED)
    return sum(_tell(run) for run in ended.select_related("site", "crawl__requested_by", "embedding_run"))


def _tell(run: RecommendationRun) -> bool:
    with transaction.atomic():
        if not RecommendationRun.objects.filter(pk=run.pk, is_told=False).update(is_told=True):
            return False
        kind, text = _end_in_words(run, state_of(run))
        if kind:
            write_notices(people_to_tell(run), run.site, kind, text)
        return True


def people_to_tell(run: RecommendationRun) -> list[Any]:
    """Who asked for it and, where the schedule did, who follows the site; those who may still see it."""
    ids = set(run.options.get("also_asked", []))
    if run.crawl and run.crawl.requested_by_id:
        ids.add(run.crawl.requested_by_id)
    if run.options.get("scheduled"):
        ids |= set(SiteFollower.objects.filter(site_id=run.site_id).values_list("person_id", flat=True))
    people = get_user_model().objects.filter(pk__in=ids, is_active=True).order_by("pk")
    return [person for person in people if visible_sites(person).filter(pk=run.site_id).exists()]


def _end_in_words(run: RecommendationRun, state: PipelineState) -> tuple[str, str]:
    name = run.site.name
    if run.crawl and run.crawl.is_held and not run.crawl.are_losses_confirmed:
        return NoticeKind.HELD, (
            f"{name} lost so many pages since the last reading that nothing was changed. Look at the missing pages, "
            "and say whether they are really gone."
        )
    if state.status == RunStatus.FAILED:
        return NoticeKind.FAILED, f"The run of {name} failed. {state.error or 'No reason is known.'}"
    if state.status != RunStatus.DONE:
        return "", ""
    crawled = run.crawl.figures if run.crawl else {}
    pages, failed = crawled.get("read", 0), sum(crawled.get("failed", {}).values())
    found = run.recommendations.count()
    sentences = [
        f"{name} was read: {_counted(pages, 'page')}, {_counted(crawled.get('unchanged', 0), 'of them')} unchanged. ",
        f"{_counted(found, 'suggestion')} now.",
        f" {_counted(failed, 'page')} could not be read." if failed else "",
    ]
    return NoticeKind.DONE, "".join(sentences)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("s" if number != 1 and noun != "of them" else "")
