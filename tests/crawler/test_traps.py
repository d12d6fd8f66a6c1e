"""Addresses without end are left alone after a while; archives, shops and wikis are read."""

import itertools

import pytest

from crawler.traps import TrapWatch


def skipped(urls: list[str], watch: TrapWatch | None = None) -> list[str]:
    watch = watch or TrapWatch(2026)
    return [url for url in urls if watch.reason_to_skip(url)]


def test_filters_that_are_combined_are_cut_off() -> None:
    names = ["color", "size", "brand", "sort", "view"]
    urls = [
        f"https://h/shop?{'&'.join(f'{name}={value}' for name in some)}"
        for value in range(40)
        for length in (2, 3)
        for some in itertools.combinations(names, length)
    ]
    refused = skipped(urls)
    assert 0 < len(urls) - len(refused) <= 300
    assert skipped(["https://h/shop", "https://h/shop?page=2", "https://h/other?a=1&b=2"]) == []


@pytest.mark.parametrize(
    "urls",
    [
        [f"https://h/{year}/{month:02}/" for year in range(1995, 2028) for month in range(1, 13)],
        [f"https://h/{year}/05/{day:02}/a-{day}/" for year in range(2000, 2027) for day in range(1, 29)],
        [f"https://h/shop?page={number}" for number in range(1, 900)],
        [f"https://h/index.php?title=Page_{number}" for number in range(3000)],
        [f"https://h/topic.php?f={number % 9}&t={number}" for number in range(3000)],
        [f"https://h/products/{number}" for number in range(20000)],
        ["https://h/en/guide/en/start", "https://h/roadmap/2031/05", "https://h/blog/page/80"],
    ],
    ids=["months", "days", "shop", "wiki", "forum", "numbers", "odd ones"],
)  # fmt: skip
def test_what_real_sites_have_is_read(urls: list[str]) -> None:
    assert skipped(urls) == []


@pytest.mark.parametrize(
    "template", ["https://h/events/{year}/{month:02}/", "https://h/cal?month={month}&year={year}", "https://h/e/{year}-{month:02}-01"]
)  # fmt: skip
def test_a_calendar_that_turns_by_itself_is_left(template: str) -> None:
    urls = [template.format(year=year, month=month) for year in range(2025, 2060) for month in range(1, 13)]
    refused = skipped(urls)
    assert refused[-1] == urls[-1]
    assert len(urls) - len(refused) <= 4 * 12 + 24
    assert not [url for url in refused if "2026" in url]


@pytest.mark.parametrize("url", ["https://h/a/b/a/c/a/d/a/", "https://h/list?page=99999", "https://h/news/page/5001/"])
def test_one_address_may_be_enough(url: str) -> None:
    assert skipped([url]) == [url]


def test_an_attempt_that_goes_on_decides_as_the_first_would_have() -> None:
    urls = [f"https://h/cal/{year}/{month:02}/" for year in range(2025, 2050) for month in range(1, 13)]
    resumed = TrapWatch(2026)
    resumed.recall(urls[:100])
    assert skipped(urls)[-150:] == skipped(urls[100:], resumed)[-150:]
