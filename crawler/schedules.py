"""When a site is read next: daily, weekly, monthly, or five cron fields, by the clock of one time zone.

Pure arithmetic. Leaves starting runs to recommendations.scheduled_runs. Where clocks are set forward, a time that the
day does not have is taken an hour later; where they are set back, an hour that the day has twice counts once.
"""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from typing import cast

from croniter import croniter

from crawler.errors import CrawlError

#: What people choose by name, as cron has it: all of it at three in the night.
NAMED = {"daily": "0 3 * * *", "weekly": "0 3 * * 1", "monthly": "0 3 1 * *"}
_WORDS = {
    "": "only when asked",
    "daily": "every day at 03:00",
    "weekly": "every Monday at 03:00",
    "monthly": "on the first of every month at 03:00",
}
#: No seconds, no years, and nothing that differs from one look to the next.
_CRON = re.compile(r"[0-9a-z*,/#-]+(?: [0-9a-z*,/#-]+){4}", re.IGNORECASE)
_NAMES = re.compile(r"[a-z]+", re.IGNORECASE)
_KNOWN_NAMES = frozenset(
    "jan feb mar apr may jun jul aug sep oct nov dec sun mon tue wed thu fri sat l".split()  # noqa: SIM905
)
_EXAMPLE = "Write five fields, such as 30 4 * * 1-5 for half past four from Monday to Friday."
SHORTEST = timedelta(hours=1)
_TIMES_COMPARED = 5
_SOME_DAY = datetime(2001, 1, 1)


class BadSchedule(CrawlError):
    """No times can be read from it."""


def check_schedule(text: str) -> str:
    """The schedule as it is stored; "" for none. Raises BadSchedule, naming what is wrong."""
    schedule = " ".join(text.split())
    if not schedule or schedule.lower() in NAMED:
        return schedule.lower()
    if not _CRON.fullmatch(schedule):
        raise BadSchedule(f"{text.strip()!r} is no cron expression. {_EXAMPLE}")
    for name in _NAMES.findall(schedule):
        if name.lower() not in _KNOWN_NAMES:
            raise BadSchedule(f"{name!r} in {schedule!r} is no day and no month. {_EXAMPLE}")
    times = croniter(schedule, _SOME_DAY) if croniter.is_valid(schedule) else None
    try:
        days = [times.get_next(datetime) for _ in range(_TIMES_COMPARED)] if times else []
    except (ValueError, KeyError):  # croniter's errors are of these
        days = []
    if not days:
        raise BadSchedule(f"{schedule!r} names no time that ever comes. {_EXAMPLE}")
    if any(later - earlier < SHORTEST for earlier, later in pairwise(days)):
        raise BadSchedule(f"{schedule!r} is more often than once an hour. Name one minute, such as 0 */6 * * *.")
    return schedule


def next_time(schedule: str, after: datetime, zone: tzinfo) -> datetime:
    """The first time of the schedule after this moment, in UTC. Raises BadSchedule."""
    expression = NAMED.get(check_schedule(schedule), schedule)
    # By wall clock, without a zone: what the clock's changes do to a time is settled below, in one place.
    times = croniter(expression, after.astimezone(zone).replace(tzinfo=None))
    while True:
        wall = cast(datetime, times.get_next(datetime))
        moment = wall.replace(tzinfo=zone).astimezone(UTC)
        if moment > after:
            return moment


def schedule_in_words(schedule: str) -> str:
    """How people read it."""
    return _WORDS.get(schedule, f"by the cron expression {schedule}")
