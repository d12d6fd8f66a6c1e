"""A polite rate per host: when the next request may start. Thread-safe; leaves the requests to http.py."""

import threading
import time
from collections.abc import Callable


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

    def wait(self, host: str) -> None:
        """Take the host's next free moment and sleep until then."""
        with self._lock:
            now = self._clock()
            start = max(now, self._next_start.get(host, now))
            self._next_start[host] = start + self.seconds_between_requests
        if start > now:
            self._sleep(start - now)

    def stop(self) -> None:
        """Wake all who wait: nothing more will be fetched."""
        self._stopped.set()

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def pause(self, host: str, seconds: float) -> None:
        """Let nobody start a request to the host for so long: it asked us to slow down."""
        with self._lock:
            until = self._clock() + seconds
            self._next_start[host] = max(until, self._next_start.get(host, until))
