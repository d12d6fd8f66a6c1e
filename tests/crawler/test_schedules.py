"""Times of schedules: by the clock of a zone, over its changes, over the ends of months; what is refused and how."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from crawler.schedules import BadSchedule, check_schedule, next_time

BERLIN = ZoneInfo("Europe/Berlin")


def times(schedule: str, after: str, number: int = 3) -> list[str]:
    """The next times on Berlin's clock."""
    moment, found = datetime.fromisoformat(after).replace(tzinfo=UTC), []
    for _ in range(number):
        moment = next_time(schedule, moment, BERLIN)
        found.append(moment.astimezone(BERLIN).strftime("%Y-%m-%d %H:%M %Z"))
    return found


def test_named_schedules() -> None:
    assert times("daily", "2026-12-01T12:00") == [
        "2026-12-02 03:00 CET",
        "2026-12-03 03:00 CET",
        "2026-12-04 03:00 CET",
    ]
    assert times("weekly", "2026-12-01T12:00", 2) == ["2026-12-07 03:00 CET", "2026-12-14 03:00 CET"]
    assert times("monthly", "2026-12-01T12:00", 2) == ["2027-01-01 03:00 CET", "2027-02-01 03:00 CET"]


def test_three_in_the_night_stays_three_when_clocks_change() -> None:
    assert times("daily", "2026-03-28T12:00", 2) == ["2026-03-29 03:00 CEST", "2026-03-30 03:00 CEST"]
    assert times("daily", "2026-10-24T12:00", 2) == ["2026-10-25 03:00 CET", "2026-10-26 03:00 CET"]


def test_a_time_that_the_day_does_not_have_comes_once_and_later() -> None:
    assert times("30 2 * * *", "2026-03-28T12:00", 2) == ["2026-03-29 03:30 CEST", "2026-03-30 02:30 CEST"]


def test_a_time_that_the_day_has_twice_comes_once() -> None:
    assert times("30 2 * * *", "2026-10-24T12:00", 2) == ["2026-10-25 02:30 CEST", "2026-10-26 02:30 CET"]
    assert times("0 * * * *", "2026-10-24T23:30", 3) == [
        "2026-10-25 02:00 CEST",
        "2026-10-25 03:00 CET",
        "2026-10-25 04:00 CET",
    ]


def test_ends_of_months() -> None:
    days = [time[:10] for time in times("0 3 31 * *", "2026-01-31T12:00")]
    assert days == ["2026-03-31", "2026-05-31", "2026-07-31"]
    days = [time[:10] for time in times("0 3 L * *", "2026-01-31T12:00")]
    assert days == ["2026-02-28", "2026-03-31", "2026-04-30"]
    assert times("0 3 29 2 *", "2026-01-31T12:00", 1) == ["2028-02-29 03:00 CET"]


@pytest.mark.parametrize(
    ("text", "stored"),
    [("", ""), (" Daily ", "daily"), ("30  4 * * 1-5", "30 4 * * 1-5"), ("0 */6 * * *", "0 */6 * * *"),
     ("0 4 1,15 * MON-FRI", "0 4 1,15 * MON-FRI")],
)  # fmt: skip
def test_what_is_a_schedule(text: str, stored: str) -> None:
    assert check_schedule(text) == stored


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("every now and then", "is no cron expression"),
        ("* * * *", "is no cron expression"),
        ("0 3 * * * *", "is no cron expression"),
        ("@daily", "is no cron expression"),
        ("61 3 * * *", "names no time"),
        ("0 3 30 2 *", "names no time"),
        ("0 3 * * 8", "names no time"),
        ("r r * * *", "'r' in 'r r"),
        ("*/30 * * * *", "more often than once an hour"),
        ("0,5 3 * * *", "more often than once an hour"),
    ],
)
def test_what_is_none_is_named_with_the_next_step(text: str, complaint: str) -> None:
    with pytest.raises(BadSchedule) as refused:
        check_schedule(text)
    assert complaint in str(refused.value)
    assert text in str(refused.value)
