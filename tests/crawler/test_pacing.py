"""The polite rate per host, with a clock of its own."""

from crawler.pacing import Pacer


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def starts(pacer: Pacer, clock: Clock, host: str, count: int) -> list[float]:
    found = []
    for _ in range(count):
        pacer.wait(host)
        found.append(round(clock.now - 100.0, 6))
    return found


def test_starts_are_spaced_per_host() -> None:
    clock = Clock()
    pacer = Pacer(0.5, clock=clock.time, sleep=clock.sleep)
    assert starts(pacer, clock, "a", 3) == [0.0, 0.5, 1.0]
    assert starts(pacer, clock, "b", 1) == [1.0]


def test_a_pause_holds_all_requests_to_the_host() -> None:
    clock = Clock()
    pacer = Pacer(0.0, clock=clock.time, sleep=clock.sleep)
    pacer.pause("a", 7.0)
    assert starts(pacer, clock, "b", 1) == [0.0]
    assert starts(pacer, clock, "a", 2) == [7.0, 7.0]


def test_stop_wakes_the_waiting() -> None:
    pacer = Pacer(3600.0)
    pacer.wait("a")
    pacer.stop()
    pacer.wait("a")
    assert pacer.is_stopped
