"""A polite rate per host: when the next request may start. Thread-safe; leaves the requests to http.py."""

import threading
import time
from collections.abc import Callable

#: Seconds between requests to a host that asked for slowness: at least, at most, and how they shrink with each answer.
_LEAST_SLOWED, _MOST_SLOWED, _RECOVERY = 0.2, 30.0, 0.9


class Pacer:
    """Spaces the starts of requests to each host, however many connections there are."""

    def __init__(
        self,
        seconds_between_requests: float = 0.0,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self.seconds_between_requests = seconds_between_requests
        self._clock = clock
        self._stopped = threading.Event()
        self._sleep = sleep or self._stopped.wait
        self._lock = threading.Lock()
        self._next_start: dict[str, float] = {}
        self._slowed: dict[str, float] = {}
        self._judged: dict[str, float] = {}

    def wait(self, host: str) -> None:
        """Take the host's next free moment and sleep until then."""
        with self._lock:
            now = self._clock()
            start = max(now, self._next_start.get(host, now))
            self._next_start[host] = start + max(self.seconds_between_requests, self._slowed.get(host, 0.0))
        if start > now:
            self._sleep(start - now)

    def stop(self) -> None:
        """Wake all who wait: nothing more will be fetched."""
        self._stopped.set()

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def slow_down(self, host: str) -> None:
        """The host says that it is asked too often: from now on half as often."""
        with self._lock:
            now = self._clock()
            if now < self._judged.get(host, now):
                # Several connections were told at once: that is one request to slow down, not several.
                return
            usual = max(self.seconds_between_requests, self._slowed.get(host, 0.0), _LEAST_SLOWED / 2)
            self._slowed[host] = min(2 * usual, _MOST_SLOWED)
            self._judged[host] = now + self._slowed[host]

    def speed_up(self, host: str) -> None:
        """The host answered well: a little faster again, after ten answers about as it was."""
        with self._lock:
            if host in self._slowed:
                self._slowed[host] *= _RECOVERY
                if self._slowed[host] < max(self.seconds_between_requests, _LEAST_SLOWED / 2):
                    del self._slowed[host]

    def pause(self, host: str, seconds: float) -> None:
        """Let nobody start a request to the host for so long: it asked us to slow down."""
        with self._lock:
            until = self._clock() + seconds
            self._next_start[host] = max(until, self._next_start.get(host, until))
